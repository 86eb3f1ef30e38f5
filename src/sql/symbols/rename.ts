import { parseStatement } from '../parser/parser.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteLike, unquoted } from '../text/quoting.ts';
import { StatementIndex, type TextEdit } from '../text/statementIndex.ts';
import {
  joinsNaturally,
  mentions,
  type NameInDocument,
  type NamedDocument,
  sameNames,
  statementNames,
  textOf,
} from './documentNames.ts';
import { haveSameMeaning, newKeys } from './sameMeaning.ts';
import type { SqlSymbol } from './symbol.ts';

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
  return 'refusal' in renaming ? renaming : { present: unquoted(textOf(document, name)) };
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
    text: quoteLike(newName, textOf(document, { statement, occurrence })),
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

/** Why a name is not possible. Undefined if it is. */
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
  const { text } = document.statements;
  let result = '';
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(end, edit.start) + edit.text;
    ({ end } = edit);
  }
  const statements = new StatementIndex(result + text.slice(end));
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
