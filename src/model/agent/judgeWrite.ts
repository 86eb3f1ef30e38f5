import { misuse } from '../../base/errors.ts';
import { effectOf, type StatementEffect } from '../../sql/effect/statementEffect.ts';
import { touchedTables } from '../../sql/effect/touchedTables.ts';
import { parseStatement } from '../../sql/parser/parser.ts';
import type { ShadowReport } from '../../sql/shadow/shadowReport.ts';
import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { rowidNames } from '../../sql/masks/findMasks.ts';
import { keyOf } from '../../sql/text/names.ts';
import { mentionedNames } from '../../sql/text/mentionedNames.ts';
import { errorHint, namesOfTables } from '../../sql/fixes/errorHint.ts';
import { isHarmlessFunction } from './reads/allowedNames.ts';
import type { ReadSchema } from './reads/readSchema.ts';

interface WriteQuestion {
  readonly sql: string;
  readonly readSchema: ReadSchema;
  readonly tables: readonly SchemaTable[];
}

/** Statements that change rows or the schema. Others, such as PRAGMA and VACUUM, are not for agents. */
const allowed = /^(?:Insert|Update|Delete|Create\w*|Drop\w*|AlterTable)Stmt$/;
const refusedDangers = new Set(['opensFile', 'writesFile', 'writesSchemaTable']);

/** Throws the reason if an agent may not propose this statement. */
export async function judgeWrite(question: WriteQuestion): Promise<StatementEffect> {
  const { sql, readSchema } = question;
  const effect = effectOf(sql);
  const { ast } = parseStatement(sql);
  if (!effect.certain || !ast) throw misuse('syntax_error', 'The text is not one valid statement of SQLite.');
  if (effect.explains || effect.kind === 'read')
    throw misuse('not_a_write', 'The statement only reads. Use sql_query.');
  const isAllowed = allowed.test(ast.type) && (effect.kind === 'write' || effect.kind === 'schema');
  if (!isAllowed || effect.dangers.some(danger => refusedDangers.has(danger))) {
    throw misuse('write_not_allowed', 'Only INSERT, UPDATE, DELETE and statements that change tables may be proposed.');
  }
  const { outcome, problems, uses } = await readSchema.shadow.check(sql);
  if (outcome === 'refused') {
    const message = problems[0]?.message ?? 'unknown error';
    const hint = (await errorHint(message, sql, namesOfTables(question.tables))) ?? '';
    throw misuse('refused_by_sqlite', `SQLite refuses the statement: ${message}. ${hint}`.trimEnd());
  }
  // SQLite acts on some statements that change the schema while it prepares them, so they are not prepared.
  if (outcome !== 'prepared' && effect.kind !== 'schema') {
    throw misuse('not_checked', 'The statement could not be checked, so it was not proposed.');
  }
  const unknownFunction = uses.find(({ action, name }) => action === 'call' && !isHarmless(name));
  if (unknownFunction) {
    throw misuse('function_not_allowed', `The function ${unknownFunction.name}() is not known to be harmless.`);
  }
  refuseMasked(question, effect, uses);
  return effect;
}

/** ALTER TABLE calls functions of SQLite itself, which no statement can name. */
const isHarmless = (name: string): boolean =>
  isHarmlessFunction(name) || /^sqlite_(?:rename|drop|add|fail)\w*$/.test(name);

/**
 * A write must not copy a masked value to where it can be read, nor reveal it by its count of rows. So it may not name a masked
 * column. It may not change the schema either, because a renamed column has no mask.
 */
function refuseMasked(
  { sql, readSchema: { masks }, tables }: WriteQuestion,
  { kind }: StatementEffect,
  uses: ShadowReport['uses'],
): void {
  const masked = tables.flatMap(({ name: table, columns }) =>
    [...columns.map(({ name }) => name), ...rowidNames]
      .filter(name => masks.maskOf(table, name) !== undefined)
      .map(name => ({ table: keyOf(table), column: keyOf(name) })),
  );
  if (masked.length === 0) return;
  if (kind === 'schema') {
    throw misuse('masked', 'This project has masked columns, so agents may not change its schema.');
  }
  for (const { action, name, column } of uses) {
    const isRead = action === 'read' && column !== undefined;
    const reason = isRead ? masks.maskOf(name, column) : action === 'call' ? masks.refusalOf(name) : undefined;
    if (reason !== undefined) throw misuse('masked', `The statement reads '${name}'. ${reason}`);
  }
  const { ast } = parseStatement(sql);
  const touched = touchedTables(ast!);
  const hidden = touched.map(({ name }) => masks.refusalOf(name)).find(reason => reason !== undefined);
  if (hidden !== undefined) throw misuse('masked', hidden);
  // Rows may come in the order of an index, which is the order of masked values if it has their column.
  const source = touched.find(({ access, name }) => access === 'read' && masks.isMaskedSource(name));
  if (source) {
    const message = `A write may not read '${source.name}', because its rows can come in the order of masked values. Query it first, and write the values.`;
    throw misuse('masked', message);
  }
  const words = mentionedNames(sql);
  const used = new Set([...touched, ...uses].map(({ name }) => keyOf(name)));
  const named = masked.find(({ table, column }) => used.has(table) && words.has(column));
  if (named) throw misuse('masked', `The statement names ${named.column}, a masked column.`);
  const namesNoColumns =
    ast?.type === 'InsertStmt' && ast.columns === undefined && tableHasMask(ast.tblName.objName.text, masked);
  if (namesNoColumns) throw misuse('masked', 'Name the columns of the INSERT, without those that are masked.');
  if (words.has('returning') || words.has('natural')) {
    throw misuse('masked', 'This project has masked columns. Write the statement without RETURNING and NATURAL.');
  }
}

const tableHasMask = (table: string, masked: readonly { readonly table: string }[]): boolean =>
  masked.some(one => one.table === keyOf(table));
