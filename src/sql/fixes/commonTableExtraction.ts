import type { Select, Stmt, With } from 'sqlite3-parser';
import { placeholders } from '../parameters/placeholders.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import { type Visited, nodesIn } from '../parser/walk.ts';
import { createdQuery } from '../scope/query.ts';
import { freeName } from '../text/freeNames.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { TextEdit } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Fix, type FixContext, insertion, replacement } from './fix.ts';

/** Offers to move the selected subquery to the WITH clause of its statement. */
export function extractions(selection: TextRange, context: FixContext): Fix[] {
  const { text, tree } = context;
  const trimmed = trimmedRange(selection, text);
  const place = placeOfWith(tree);
  const found = trimmed && subqueryAt(trimmed, context);
  if (!found || !place || isMovedParameter(rangeOf(found.select), place, text)) return [];
  const { select, alias } = found;
  const name = quoteIdentifierIfNeeded(freeName(alias?.name ?? 'subquery', tablesIn(tree)));
  const range = rangeOf(select);
  const query = text.slice(range.start, range.end);
  const edits = [withEdit(place, name, query)];
  if (!alias) edits.push(replacement(range, `SELECT * FROM ${name}`));
  else if (alias.name === name) edits.push(replacement(alias.range, name));
  else edits.push(replacement(alias.range, `${name} AS ${quoteIdentifierIfNeeded(alias.name)}`));
  const { clause } = place;
  const extractedQuery = (clause ? `${text.slice(rangeOf(clause).start, endOf(clause))} ` : '') + query;
  return [{ title: `Extract to the common table ${name}`, kind: 'extract', edits, keeps: 'names', extractedQuery }];
}

function trimmedRange({ start, end }: TextRange, text: string): TextRange | undefined {
  const selected = text.slice(start, end);
  const length = selected.trim().length;
  const trimmedStart = start + (selected.length - selected.trimStart().length);
  return length === 0 ? undefined : { start: trimmedStart, end: trimmedStart + length };
}

interface Subquery {
  readonly select: Select;
  /** The alias of a subquery in FROM. The range begins with the parenthesis of the subquery and ends with the alias. */
  readonly alias?: { readonly name: string; readonly range: TextRange };
}

/** The selected subquery. The selection may include its parentheses and its alias. */
function subqueryAt({ start, end }: TextRange, { text, tree }: FixContext): Subquery | undefined {
  for (const { node, parent } of nodesIn(tree)) {
    if (node.type !== 'Select' || !parent || !isSubquery(parent.node)) continue;
    const range = rangeOf(node);
    const opening = text.slice(0, range.start).trimEnd().length - 1;
    const closing = range.end + text.slice(range.end).search(/\S|$/);
    if (text[opening] !== '(' || text[closing] !== ')') continue;
    const table = parent.node;
    const name = table.type === 'SelectSelectTable' ? table.alias?.name : undefined;
    const outerEnd = name ? rangeOf(name).end : closing + 1;
    const startsRight = start === range.start || start === opening;
    if (startsRight && (end === range.end || end === closing + 1 || end === outerEnd)) {
      return {
        select: node,
        ...(name && { alias: { name: name.text, range: { start: opening, end: outerEnd } } }),
      };
    }
  }
  return undefined;
}

const isSubquery = ({ type }: Visited['node']): boolean =>
  type === 'SelectSelectTable' || type === 'SubqueryExpr' || type === 'InSelectExpr' || type === 'ExistsExpr';

interface PlaceOfWith {
  /** The place for a new WITH clause. */
  readonly offset: number;
  readonly clause: With | undefined;
}

function placeOfWith(statement: Stmt): PlaceOfWith | undefined {
  switch (statement.type) {
    case 'SelectStmt':
      return { offset: rangeOf(statement).start, clause: statement.body.with };
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      return { offset: rangeOf(statement).start, clause: statement.with };
    default: {
      const query = createdQuery(statement);
      return query && { offset: rangeOf(query).start, clause: query.with };
    }
  }
}

/** A parameter that moves before another one would get the other's value. */
function isMovedParameter(subquery: TextRange, { offset, clause }: PlaceOfWith, text: string): boolean {
  const target = clause ? endOf(clause) : offset;
  const parameters = placeholders(text);
  const isWithin = ({ start }: TextRange): boolean => subquery.start <= start && start < subquery.end;
  const isPassed = ({ start }: TextRange): boolean =>
    Math.min(target, subquery.start) <= start && !isWithin({ start, end: start });
  return (
    parameters.some(isWithin) && parameters.some(parameter => isPassed(parameter) && parameter.start < subquery.start)
  );
}

const endOf = ({ ctes }: With): number => Math.max(...ctes.map(table => rangeOf(table).end));

function withEdit({ offset, clause }: PlaceOfWith, name: string, query: string): TextEdit {
  // A comment at the end of a query would swallow the parenthesis.
  const separator = /--[^\n]*$/.test(query) ? '\n' : '';
  const table = `${name} AS (${query}${separator})`;
  return clause ? insertion(endOf(clause), `, ${table}`) : insertion(offset, `WITH ${table}\n`);
}

/** The tables in a statement. A common table of the same name would hide them. */
function tablesIn(statement: Stmt): string[] {
  const names: string[] = [];
  for (const { node } of nodesIn(statement)) {
    if (node.type === 'QualifiedName') names.push(node.objName.text);
    if (node.type === 'CommonTableExpr') names.push(node.tblName.text);
  }
  return names;
}
