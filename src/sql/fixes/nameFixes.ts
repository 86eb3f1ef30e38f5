import type { Name } from 'sqlite3-parser';
import { builtInFunctions } from '../functions/builtInFunctions.ts';
import { innermostNode, rangeOf } from '../parser/nodeRange.ts';
import type { Visited } from '../parser/walk.ts';
import { columnsNamed } from '../scope/columnReference.ts';
import type { Scope } from '../scope/scope.ts';
import type { Source } from '../scope/sources.ts';
import { isSameName } from '../text/names.ts';
import { sqlLiteral, quoteIdentifierIfNeeded, unquoted } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Finding, type Fix, type FixContext, insertion, quickFix, replacement } from './fix.ts';
import { nearestNames } from './nearestNames.ts';

/** An unknown name, with the names that it may mean. */
interface Misspelling {
  readonly name: string;
  readonly range: TextRange;
  readonly candidates: Iterable<string>;
  /** The text to write for some candidates, if not the name itself. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** Offers the names that an unknown one may mean. */
export function spellingFixes(finding: Finding, context: FixContext): Fix[] {
  const found = misspellingAt(finding, context);
  if (!found) return [];
  const { names, isClear } = nearestNames(found.name, found.candidates);
  // The name exists: the fault is in the view or trigger that it leads to.
  if (names.some(name => isSameName(name, found.name) && !found.texts?.has(name))) return [];
  return names.map((name, index) => {
    const text = found.texts?.get(name) ?? name;
    const edit = replacement(found.range, quoteIdentifierIfNeeded(text));
    return quickFix(finding, `Change to ${text}`, [edit], isClear && index === 0);
  });
}

function misspellingAt(finding: Finding, context: FixContext): Misspelling | undefined {
  const visited = innermostNode(context.tree, finding);
  if (!visited) return undefined;
  switch (finding.code) {
    case 'unknown_table':
      return misspeltTable(visited, context);
    case 'unknown_column':
      return misspeltColumn(visited, context.scopes.at(visited));
    case 'unknown_function':
      return misspeltFunction(finding, context.text);
    case 'unknown_name':
      return misspeltObject(finding, context);
    default:
      return undefined;
  }
}

const misspelling = (name: Name, candidates: Iterable<string>): Misspelling => ({
  name: name.text,
  range: rangeOf(name),
  candidates,
});

function misspeltTable(visited: Visited, { scopes, schema }: FixContext): Misspelling | undefined {
  const { node, parent } = visited;
  const scope = scopes.at(visited);
  const star = node.type === 'Name' ? parent?.node : node;
  // The name of `nme.*` is that of a source.
  if (star?.type === 'TableStarResultColumn') return misspeltSource(star.table, scope);
  const name = node.type === 'QualifiedName' ? node.objName : node.type === 'Name' ? node : undefined;
  if (!name) return undefined;
  const commonTables = scope.names.commonTables.map(table => table.name);
  return misspelling(name, [...commonTables, ...namesOf(schema.tables)]);
}

function misspeltColumn(visited: Visited, scope: Scope): Misspelling | undefined {
  const { node, parent } = visited;
  switch (node.type) {
    case 'Id':
      return { name: node.name, range: rangeOf(node), candidates: columnsIn(scope) };
    case 'NameExpr':
      return misspelling(node.name, columnsIn(scope));
    case 'QualifiedExpr': {
      const source = scope.levels.flat().find(({ alias }) => isSameName(alias, node.table.text));
      return source ? misspelling(node.column, columnsOf(source)) : misspeltSource(node.table, scope);
    }
    case 'Name': {
      if (parent?.node.type === 'QualifiedExpr') return misspeltColumn(parent, scope);
      return misspelling(node, scope.target ? columnsOf(scope.target) : columnsIn(scope));
    }
    default:
      return undefined;
  }
}

function misspeltFunction({ start, end }: TextRange, text: string): Misspelling {
  const functions = builtInFunctions.filter(({ signatures }) => signatures.some(({ kind }) => kind !== 'table'));
  const name = unquoted(text.slice(start, end));
  const isUpper = name !== name.toLowerCase() && name === name.toUpperCase();
  const names = functions.map(({ name: own }) => (isUpper ? own.toUpperCase() : own));
  return { name, range: { start, end }, candidates: names };
}

const collations = ['NOCASE', 'BINARY', 'RTRIM'];

function misspeltObject({ message, start, end }: Finding, { text, schema }: FixContext): Misspelling | undefined {
  const [, kind] = /^no such (index|trigger|view|collation sequence): /.exec(message) ?? [];
  const namesByKind: Readonly<Record<string, Iterable<string>>> = {
    index: namesOf(schema.indexes),
    trigger: namesOf(schema.triggers),
    view: namesOf([...schema.tables].filter(table => table.kind === 'view')),
    'collation sequence': collations,
  };
  const candidates = namesByKind[kind ?? ''];
  return candidates && { name: unquoted(text.slice(start, end)), range: { start, end }, candidates };
}

function* namesOf(objects: Iterable<{ readonly name: string }>): Iterable<string> {
  for (const { name } of objects) yield name;
}

const columnsOf = ({ columns, hiddenColumns }: Source): string[] => [
  ...columns.map(({ name }) => name),
  ...hiddenColumns,
];

function* columnsIn({ levels, results }: Scope): Iterable<string> {
  for (const source of levels.flat()) if (!source.qualifiedOnly) yield* columnsOf(source);
  yield* results;
}

/** A source is known by its alias only. If people write the name of its table, the fix writes the alias. */
function misspeltSource(name: Name, { levels }: Scope): Misspelling {
  const texts = new Map<string, string>();
  const sources = levels.flat().filter(({ alias }) => alias !== '');
  for (const { alias, table } of sources) if (table !== undefined) texts.set(table, alias);
  for (const { alias } of sources) texts.set(alias, alias);
  return { ...misspelling(name, texts.keys()), texts };
}

/** Offers the sources that an ambiguous column may come from. */
export function qualificationFixes(finding: Finding, context: FixContext): Fix[] {
  const visited = innermostNode(context.tree, finding);
  if (!visited) return [];
  return columnsNamed(visited.node, context.scopes.at(visited))
    .filter(({ source }) => source.alias !== '')
    .map(({ source }) => {
      const qualifier = quoteIdentifierIfNeeded(source.alias);
      const name = context.text.slice(finding.start, finding.end);
      return quickFix(finding, `Change to ${qualifier}.${name}`, [insertion(finding.start, `${qualifier}.`)]);
    });
}

/** Offers single quotes where SQLite takes a text for a name. */
export function stringFixes(finding: Finding, { text, tree }: FixContext, isPreferred: boolean): Fix[] {
  const { start, end, message } = finding;
  const name = text.slice(start, end);
  const isString = name.startsWith('"') && message.endsWith('should this be a string literal in single-quotes?');
  // A name without quotes is more often a column. It is offered where no column has a similar name.
  const isWord =
    isPreferred && message.startsWith('no such column') && innermostNode(tree, finding)?.node.type === 'Id';
  if (!isString && !isWord) return [];
  const value = sqlLiteral(unquoted(name));
  return [quickFix(finding, `Change to ${value}`, [replacement(finding, value)], isString && isPreferred)];
}
