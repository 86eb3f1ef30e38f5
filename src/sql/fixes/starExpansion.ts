import { rangeOfResult } from '../parser/nodeRange.ts';
import { type Visited, nodesIn } from '../parser/walk.ts';
import { columnsOfResult } from '../scope/query.ts';
import type { Source } from '../scope/sources.ts';
import { freeName } from '../text/freeNames.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { TextEdit } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Fix, type FixContext, replacement } from './fix.ts';

/** Nobody reads a longer list of columns. */
const maxColumns = 500;

/** Offers the columns in place of the star under the cursor. */
export function expansionRewrites(selection: TextRange, context: FixContext): Fix[] {
  const edit = expansionOf(selection, context, false);
  return edit ? [{ title: 'Expand * to the list of columns', kind: 'rewrite', edits: [edit], keeps: 'names' }] : [];
}

/** The columns for the star at a range. With `makesUnique`, a column gets an alias if its name is taken. */
export function expansionOf(range: TextRange, context: FixContext, makesUnique: boolean): TextEdit | undefined {
  const star = starAt(range, context);
  const [sources = []] = star ? context.scopes.at(star).levels : [];
  const column = star?.node;
  if (column?.type !== 'StarResultColumn' && column?.type !== 'TableStarResultColumn') return undefined;
  const starred =
    column.type === 'StarResultColumn'
      ? sources
      : sources.filter(({ alias }) => isSameName(alias, column.table.text)).slice(0, 1);
  // The columns of an unknown table are not known. NEW, OLD and excluded are not in a star.
  if (starred.length === 0 || starred.some(({ columns, qualifiedOnly }) => columns.length === 0 || qualifiedOnly))
    return undefined;
  const isQualified = column.type === 'TableStarResultColumn' || sources.length > 1;
  const taken = makesUnique ? namesBefore(star!, sources) : undefined;
  const names: string[] = [];
  for (const source of starred) {
    for (const { name } of source.columns) {
      const isMerged = column.type === 'StarResultColumn' && isMergedName(name, sources);
      // A merged column is listed once, at the earliest source that has it.
      if (isMerged && source.mergedColumns.has(keyOf(name))) continue;
      const path = isQualified && !isMerged ? qualified(name, source, sources) : quoteIdentifierIfNeeded(name);
      if (path === undefined || names.length === maxColumns) return undefined;
      names.push(path + (taken ? aliasFor(name, source, taken) : ''));
    }
  }
  return replacement(rangeOfResult(column), names.join(', '));
}

function starAt({ start, end }: TextRange, { tree }: FixContext): Visited | undefined {
  return nodesIn(tree).find(({ node }) => {
    if (node.type !== 'StarResultColumn' && node.type !== 'TableStarResultColumn') return false;
    const range = rangeOfResult(node);
    return range.start <= start && end <= range.end;
  });
}

/** Whether a join merges columns of this name. Without a qualifier the name then stands for all of them. */
const isMergedName = (name: string, sources: readonly Source[]): boolean =>
  sources.some(({ mergedColumns }) => mergedColumns.has(keyOf(name)));

/** Undefined if the source has no alias and another source has a column of that name. */
function qualified(name: string, { alias }: Source, sources: readonly Source[]): string | undefined {
  const column = quoteIdentifierIfNeeded(name);
  if (alias !== '') return `${quoteIdentifierIfNeeded(alias)}.${column}`;
  const owners = sources.filter(({ columns }) => columns.some(other => isSameName(other.name, name)));
  return owners.length === 1 ? column : undefined;
}

/** The keys of the result columns before a star. */
function namesBefore({ node, parent }: Visited, sources: readonly Source[]): Set<string> {
  const keys = new Set<string>();
  if (parent?.node.type !== 'SelectFrom') return keys;
  for (const column of parent.node.columns) {
    if (column === node) break;
    for (const { name } of columnsOfResult(column, sources)) keys.add(keyOf(name));
  }
  return keys;
}

function aliasFor(name: string, { alias }: Source, taken: Set<string>): string {
  if (!taken.has(keyOf(name))) {
    taken.add(keyOf(name));
    return '';
  }
  const unique = freeName(alias === '' ? name : `${alias}_${name}`, taken);
  taken.add(keyOf(unique));
  return ` AS ${quoteIdentifierIfNeeded(unique)}`;
}
