import { parseStatement } from '../parser/parser.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteLike, unquoted, quoteIdentifier } from '../text/quoting.ts';
import { StatementIndex, type TextEdit, editedText } from '../text/statementIndex.ts';
import {
  joinsNaturally,
  mentions,
  type NameInDocument,
  type NamedDocument,
  sameNames,
  statementNames,
  textOfName,
} from './documentNames.ts';
import { occurrencesIn } from './occurrences.ts';
import { type SqlSymbol, columnKey, objectKey, type Occurrence, type TableSymbol } from './symbol.ts';

/** Why a name cannot be renamed, as a sentence. */
export interface RenameRefusal {
  readonly refusal: string;
}

interface Renaming {
  readonly document: NamedDocument;
  readonly name: NameInDocument;
  readonly symbol: SqlSymbol;
  readonly names: readonly NameInDocument[];
}

/** The present name, or why it cannot be renamed. */
export function checkRename(
  document: NamedDocument,
  name: NameInDocument,
): { readonly present: string } | RenameRefusal {
  const renaming = renamingOf(document, name);
  return 'refusal' in renaming ? renaming : { present: unquoted(textOfName(document, name)) };
}

/** The edits that rename a symbol in all places, so that every statement means the same. */
export function renameEdits(
  document: NamedDocument,
  name: NameInDocument,
  typed: string,
): { readonly edits: readonly TextEdit[] } | RenameRefusal {
  const renaming = renamingOf(document, name);
  if ('refusal' in renaming) return renaming;
  const newName = unquoted(typed.trim());
  const refusal = refusalOf(newName, renaming);
  if (refusal !== undefined) return { refusal };
  const edits = renaming.names.map(({ statement, occurrence }) => ({
    start: statement.start + occurrence.start,
    end: statement.start + occurrence.end,
    text: quoteLike(newName, textOfName(document, { statement, occurrence })),
  }));
  return isSafe(renaming, newName, edits)
    ? { edits }
    : { refusal: `With the name '${newName}', a statement would have another meaning.` };
}

function renamingOf(document: NamedDocument, name: NameInDocument): Renaming | RenameRefusal {
  const [symbol, ...others] = name.occurrence.symbols;
  if (!symbol) return { refusal: 'The meaning of this name is not known.' };
  if (others.length > 0) return { refusal: mergedMessage };
  switch (symbol.kind) {
    case 'function':
      return { refusal: 'Functions cannot be renamed.' };
    case 'parameter':
      return { refusal: 'Parameters cannot be renamed.' };
    case 'row':
      return { refusal: `'${symbol.name}' is a name of SQLite and cannot be renamed.` };
    default:
  }
  const names = Array.from(sameNames(document, name)).flat();
  if (names.some(({ occurrence }) => occurrence.symbols.length > 1)) return { refusal: mergedMessage };
  if (!names.some(({ occurrence }) => occurrence.role === 'declaration')) {
    return { refusal: `This document does not create '${symbol.name}'. A rename here would break its statements.` };
  }
  const virtualTable = virtualTableWith(document, symbol);
  if (virtualTable !== undefined) {
    return { refusal: `The arguments of the virtual table '${virtualTable}' may contain '${symbol.name}'.` };
  }
  return { document, name, symbol, names };
}

const mergedMessage = 'A join merges this column with one of another table, so both need the same name.';

/** A virtual table that may name a table or column in its arguments, which only its module understands. */
function virtualTableWith(document: NamedDocument, { kind, key, name }: SqlSymbol): string | undefined {
  if (kind !== 'table' && kind !== 'column') return undefined;
  for (const { tree } of statementNames(document, text => /^create\s+virtual\b/i.test(text))) {
    if (tree.type !== 'CreateVirtualTableStmt') continue;
    const table = tree.tblName.objName.text;
    const isOwn = key === `table ${keyOf(table)}`;
    if (!isOwn && tree.args?.some(argument => keyOf(argument).includes(keyOf(name)))) return table;
  }
  return undefined;
}

/** Why the new name is refused. Undefined if it is allowed. */
function refusalOf(newName: string, { symbol, names }: Renaming): string | undefined {
  if (newName === '' || newName.includes('\0')) return 'The name is empty or has a character that no name may have.';
  const isObject = symbol.kind === 'table' || symbol.kind === 'index' || symbol.kind === 'trigger';
  if (isObject && /^sqlite_/i.test(newName)) return "SQLite reserves names that begin with 'sqlite_'.";
  if (isSameName(newName, symbol.name)) return undefined;
  return names.some(same => isTaken(newName, symbol, same))
    ? `There is already something else with the name '${newName}' here.`
    : undefined;
}

/** Whether something of the same kind already has the name where a symbol occurs. */
function isTaken(newName: string, symbol: SqlSymbol, { statement, occurrence }: NameInDocument): boolean {
  const { schema } = statement;
  const hasName = ({ name }: { readonly name: string }): boolean => isSameName(name, newName);
  switch (symbol.kind) {
    case 'table':
    case 'index':
      return schema.table(newName) !== undefined || Array.from(schema.indexes).some(hasName);
    case 'trigger':
      return Array.from(schema.triggers).some(hasName);
    case 'column':
      return schema.table(symbol.table ?? '')?.columns.some(hasName) ?? false;
    case 'alias':
      return (
        occurrence.siblings?.some(({ alias, aliasName }) => {
          return isSameName(alias, newName) && aliasName !== symbol.source.aliasName;
        }) ?? false
      );
    case 'commonTable':
      return statement.occurrences.some(({ symbols }) =>
        symbols.some(other => other.kind === 'commonTable' && hasName(other)),
      );
    default:
      return false;
  }
}

/** Whether every statement that mentions the old or the new name means the same after the edits. */
function isSafe({ document, symbol, name }: Renaming, newName: string, edits: readonly TextEdit[]): boolean {
  const renamed = editedDocument(document, edits);
  if (renamed.statements.count !== document.statements.count) return false;
  const keys = newKeys(symbol, newName);
  const mentionsOld = mentions(symbol.name);
  const mentionsNew = mentions(newName);
  const isConcerned = (_text: string, number: number): boolean => {
    if (symbol.isLocal) return number === name.statement.number;
    const { start, end } = document.statements.at(number)!;
    const text = document.statements.slice(start, end);
    return mentionsOld(text) || mentionsNew(text) || joinsNaturally(text);
  };
  const after = statementNames(renamed, isConcerned);
  for (const before of statementNames(document, isConcerned)) {
    const next = after.next();
    if (next.done || !haveSameMeaning(before.occurrences, next.value.occurrences, keys)) return false;
  }
  return true;
}

/** The document after edits. Trees of statements without an edit are those of the document. */
function editedDocument(document: NamedDocument, edits: readonly TextEdit[]): NamedDocument {
  const statements = new StatementIndex(editedText(document.statements.text, edits), document.statements.statementEnd);
  return {
    statements,
    parsed(number) {
      const range = statements.at(number)!;
      const old = document.statements.at(number)!;
      const statement = statements.slice(range.start, range.end);
      return statement === document.statements.slice(old.start, old.end)
        ? document.parsed(number)
        : parseStatement(statement);
    },
    schemaBefore: number => document.schemaBefore(number),
  };
}

/** New names for the objects of a statement. */
interface NewNames {
  readonly table: string;
  /** For the index or trigger that the statement creates. */
  readonly object?: string;
}

/**
 * The statement that creates a table, or an index or trigger on it, with another name for the table. References of the table
 * to itself follow. Undefined if SQLite's grammar does not have the statement.
 */
export function renamedDefinition(sql: string, table: SchemaTable, names: NewNames): string | undefined {
  const { ast, fault } = parseStatement(sql);
  if (!ast || fault) return undefined;
  const lookup = { table: (name: string) => (isSameName(name, table.name) ? table : undefined) };
  let renamed = sql;
  for (const { start, end, symbols, role, isImplied } of occurrencesIn(ast, lookup).toReversed()) {
    if (isImplied) continue;
    const text = sql.slice(start, end);
    const isTable = symbols.some(symbol => symbol.kind === 'table' && isSameName(symbol.name, table.name));
    const isObject = role === 'declaration' && symbols.some(({ kind }) => kind === 'index' || kind === 'trigger');
    const name = isTable ? names.table : isObject ? names.object : undefined;
    if (name === undefined) continue;
    // SQLite's grammar accepts a name in single quotes, but people take it for a text.
    const written = text.startsWith("'") ? quoteIdentifier(name) : quoteLike(name, text);
    renamed = renamed.slice(0, start) + written + renamed.slice(end);
  }
  return renamed;
}

/** The keys of symbols after a rename. */
interface NewKeys {
  /** The key of a symbol after the rename, by its key before. */
  readonly of: (key: string) => string;
  /** Whether another symbol already has one of the new keys. */
  readonly isTaken: (key: string) => boolean;
}

/** The rename of a table also changes the keys of its columns. Local keys do not depend on names. */
function newKeys(symbol: SqlSymbol, newName: string): NewKeys {
  switch (symbol.kind) {
    case 'table':
      return keysOfTable(symbol, newName);
    case 'index':
    case 'trigger':
      return keysOfObject(symbol.key, objectKey(symbol.kind, newName));
    case 'column':
      if (symbol.table !== undefined) return keysOfObject(symbol.key, columnKey(symbol.table, newName));
      break;
    default:
  }
  return keysOfObject('', '');
}

const keysOfObject = (oldKey: string, newKey: string): NewKeys => ({
  of: key => (key === oldKey ? newKey : key),
  isTaken: key => key === newKey && key !== oldKey,
});

function keysOfTable({ key: oldKey, name }: TableSymbol, newName: string): NewKeys {
  const newKey = objectKey('table', newName);
  const oldColumns = columnKey(name, '');
  const newColumns = columnKey(newName, '');
  return {
    of(key) {
      if (key === oldKey) return newKey;
      return key.startsWith(oldColumns) ? newColumns + key.slice(oldColumns.length) : key;
    },
    isTaken: key => newKey !== oldKey && (key === newKey || key.startsWith(newColumns)),
  };
}

/**
 * Whether the names of a statement stand for the same things before and after a rename. No two symbols may have become one, and
 * no name may have a new meaning.
 */
function haveSameMeaning(before: readonly Occurrence[], after: readonly Occurrence[], keys: NewKeys): boolean {
  if (before.length !== after.length) return false;
  const placesBefore = placesByOffset(before);
  const placesAfter = placesByOffset(after);
  return before.every(({ symbols }, index) => {
    const keysBefore = symbols.map(({ key }) => withPlace(key, placesBefore));
    const keysAfter = after[index]!.symbols.map(({ key }) => withPlace(key, placesAfter));
    return !keysBefore.some(keys.isTaken) && keysBefore.map(keys.of).join('\n') === keysAfter.join('\n');
  });
}

/** The index of the name that begins at each offset. Edits move names, but keep their order. */
const placesByOffset = (occurrences: readonly Occurrence[]): ReadonlyMap<number, number> =>
  new Map(occurrences.flatMap(({ start, isImplied }, place) => (isImplied ? [] : [[start, place] as const])));

/** A key with the place of a declaration instead of its offset. */
const withPlace = (key: string, places: ReadonlyMap<number, number>): string =>
  key.replace(/^(local|parameter) (\d+)/, (_whole, kind: string, offset: string) => {
    return `${kind} at ${places.get(Number(offset)) ?? offset}`;
  });
