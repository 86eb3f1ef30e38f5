import type { Expr, InsertStmt, ValuesRow } from 'sqlite3-parser';
import { parameterHints } from '../parameters/parameterHints.ts';
import { parseStatement } from '../parser/parser.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { coarseTokens } from '../text/tokens.ts';

/** The name of a column, shown before a value or a parameter. */
interface InlayHint {
  readonly offset: number;
  readonly column: string;
  /** The declared type, or an empty text. */
  readonly type: string;
}

export interface InlayHintOptions {
  readonly insertColumns: boolean;
  readonly parameters: boolean;
}

/** Nobody writes larger statements by hand. */
const maxLength = 64 * 1024;

/** The hints of a statement, in order. */
export function inlayHintsOf(statement: string, schema: TableLookup, options: InlayHintOptions): InlayHint[] {
  if (statement.length > maxLength || !/[?:@$]|\bvalues\b/i.test(statement)) return [];
  const hints = new Map<number, InlayHint>();
  if (options.parameters) {
    for (const hint of hintsOfParameters(statement, schema)) hints.set(hint.offset, hint);
  }
  if (options.insertColumns && /\binto\b/i.test(statement)) {
    const { ast } = parseStatement(statement);
    const inner = ast?.type === 'ExplainStmt' ? ast.stmt : ast;
    if (inner?.type === 'InsertStmt') for (const hint of hintsOfInsert(inner, schema)) hints.set(hint.offset, hint);
  }
  return [...hints.values()].toSorted((a, b) => a.offset - b.offset);
}

/** Operators between a column and its parameter. */
const operators = new Set('LIKE GLOB REGEXP MATCH IS NOT'.split(' '));

/** Not where the name is plain to see, as in `id = ?` and `:id`. */
function hintsOfParameters(statement: string, schema: TableLookup): InlayHint[] {
  const previousNames = new Map<number, string>();
  let previousName = '';
  for (const { kind, start, end } of coarseTokens(statement)) {
    const text = statement.slice(start, end);
    if (kind === 'parameter') previousNames.set(start, previousName);
    else if (kind === 'word' && operators.has(text.toUpperCase())) continue;
    if (kind === 'word' || kind === 'quoted') previousName = unquoted(text);
    else if (kind !== 'space' && kind !== 'comment' && !/^[=<>!]$/.test(text)) previousName = '';
  }
  return parameterHints(statement, name => schema.table(name)?.columns).flatMap(
    ({ start, end, name, table, type = '' }) => {
      if (name === undefined || table === undefined) return [];
      const shownNames = [previousNames.get(start) ?? '', statement.slice(start + 1, end)];
      return shownNames.some(shown => isSameName(shown, name)) ? [] : [{ offset: start, column: name, type }];
    },
  );
}

function hintsOfInsert({ tblName, columns, body }: InsertStmt, schema: TableLookup): InlayHint[] {
  if (body.type !== 'SelectInsertBody' || body.select.select.type !== 'SelectValues') return [];
  const known = schema.table(tblName.objName.text)?.columns ?? [];
  const targets = columns
    ? columns.map(({ text }) => known.find(({ name }) => isSameName(name, text)) ?? { name: text, type: '' })
    : known.filter(({ generated }) => !generated);
  // The column of a single value is plain to see.
  if (targets.length < 2) return [];
  return body.select.select.values.flatMap(row => hintsOfRow(row, targets));
}

function hintsOfRow(
  { values }: ValuesRow,
  targets: readonly { readonly name: string; readonly type: string }[],
): InlayHint[] {
  return values.flatMap((value, index) => {
    const target = targets[index];
    const { offset, length } = value.span;
    if (!target || length === 0 || isNamed(value, target.name)) return [];
    return [{ offset, column: target.name, type: target.type }];
  });
}

/** Whether a value is a column or a parameter with the name of its target. */
function isNamed(value: Expr, name: string): boolean {
  if (value.type === 'Id') return isSameName(value.name, name);
  return value.type === 'VariableExpr' && isSameName(value.name.slice(1), name);
}
