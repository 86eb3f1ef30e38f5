import { maskedStatement } from '../../../sql/masks/maskedStatement.ts';
import {
  type NoRead,
  type Pragma,
  type ReadingSelect,
  type TableName,
  readingStatementOf,
} from '../../../sql/reads/readingStatement.ts';
import type { ShadowOutcome, ShadowReport } from '../../../sql/shadow/shadowReport.ts';
import { hasSubstitute, moduleOf } from '../../../sql/shadow/virtualTables.ts';
import { keyOf } from '../../../sql/text/names.ts';
import { isHarmlessFunction, isReadableSystemTable, isReadingPragma } from './allowedNames.ts';
import type { ReadSchema } from './readSchema.ts';

/** A longer text is data rather than a question. */
const maxLength = 50_000;

/**
 * Judges whether a statement is a read: by its tree, by the names that it uses, and by sqlite3_stmt_readonly() on an empty
 * database with the project's schema. All three must agree. It never throws, whatever the text is.
 */
export async function judgeRead(sql: string, schema: ReadSchema): Promise<ReadJudgement> {
  if (sql.length > maxLength) {
    return refusal('statement_too_large', `The statement has more than ${maxLength} characters. Send a shorter one.`);
  }
  const statement = readingStatementOf(sql);
  if (statement.kind !== 'select' && statement.kind !== 'pragma') return noReadRefusal(statement);
  if (statement.kind === 'pragma') {
    return (await pragmaRefusal(sql, statement, schema)) ?? { kind: 'read', sql, masked: [] };
  }
  // After EXPLAIN, SQLite accepts unknown functions.
  const refused = reportRefusal(await schema.shadow.check(sql.slice(statement.start)), statement, schema);
  if (refused) return refused;
  return schema.masks.isEmpty ? { kind: 'read', sql, masked: [] } : judgeMasked(sql, statement, schema);
}

/** Puts masks into a statement that is a read, and has SQLite prove that the result reads no masked column. */
async function judgeMasked(sql: string, statement: ReadingSelect, schema: ReadSchema): Promise<ReadJudgement> {
  const { masks } = schema;
  const masked = maskedStatement(sql, statement, masks);
  if (masked.kind === 'refused') return refusal('masked', masked.reason);
  const tree = readingStatementOf(masked.sql);
  if (tree.kind !== 'select') return refusal('masked', `The statement cannot be masked. ${unmasked}`);
  const report = await schema.shadow.check(masked.sql.slice(tree.start));
  for (const { name, column } of report.uses) {
    const reason = masks.refusalOf(name) ?? (column === undefined ? undefined : masks.maskOf(name, column));
    if (reason !== undefined) return refusal('masked', `The statement cannot be masked: ${reason} ${unmasked}`);
  }
  const fault = report.outcome === 'refused' ? report.problems[0]?.message : undefined;
  if (fault !== undefined) {
    const names = masked.sources.map(name => `"${name}" (${masks.exampleOf(name)})`).join(', ');
    return refusal(
      'masked',
      `SQLite refuses the statement with masks for ${names}: ${fault}. A table with masked columns has no rowid and no INDEXED BY.`,
    );
  }
  return reportRefusal(report, tree, schema) ?? { kind: 'read', sql: masked.sql, masked: masked.sources };
}

const unmasked = 'Read other columns and tables.';

function noReadRefusal(noRead: NoRead): ReadRefusal {
  switch (noRead.kind) {
    case 'empty':
      return refusal('no_statement', 'There is no statement. Send one statement a call.');
    case 'several':
      return refusal('several_statements', 'There are several statements. Send one statement a call.');
    case 'illFormed':
      return refusal(
        'syntax_error',
        'The statement has a NUL character or half a surrogate pair. Write char() for them.',
      );
    case 'syntax': {
      const { token } = noRead;
      const fault = token === '' ? 'The statement is incomplete' : `Syntax error near "${token.slice(0, 100)}"`;
      return refusal('syntax_error', `${fault}. Correct it; the dialect is that of SQLite.`);
    }
    case 'explainsOther':
      return refusal(
        'explains_a_write',
        'EXPLAIN is a read only if the explained statement is one. Explain a SELECT with the same conditions.',
      );
    case 'writes':
      return refusal(
        'not_a_read',
        'The statement is not a read, so it was not sent. Reads are SELECT, VALUES, EXPLAIN of them, and some PRAGMAs.',
      );
  }
}

async function pragmaRefusal(
  sql: string,
  { name, hasArgument }: Pragma,
  schema: ReadSchema,
): Promise<ReadRefusal | undefined> {
  const reason = schema.masks.isEmpty ? undefined : schema.masks.refusalOf(`pragma_${name.name}`);
  if (reason !== undefined) return refusal('masked', `${reason} ${unmasked}`);
  const isAllowed = isOfProject(name) && isReadingPragma(name.name, hasArgument);
  if (isAllowed && (await schema.shadow.isReadOnlyPragma(sql))) return undefined;
  return refusal(
    'pragma_not_allowed',
    `PRAGMA ${name.name} may change something. Use those that read the schema, such as table_info and index_list.`,
  );
}

function reportRefusal(report: ShadowReport, statement: ReadingSelect, schema: ReadSchema): ReadRefusal | undefined {
  const { outcome, problems, readOnly, uses } = report;
  const unknownFunction = problems.find(({ message }) => message.startsWith('no such function'));
  if (unknownFunction) {
    return refusal('function_not_allowed', `${unknownFunction.message}. Use only functions of SQLite itself.`);
  }
  if (outcome === 'refused') {
    const message = problems[0]?.message ?? 'unknown error';
    const reason = `SQLite refuses the statement: ${message}. Read the schema and correct it.`;
    return { ...refusal('refused_by_sqlite', reason), sqliteMessage: message };
  }
  if (outcome !== 'prepared') return refusal('not_checked', uncheckedReasons[outcome]);
  if (readOnly !== true || problems.length > 0) return refusal('not_a_read', notRead);
  for (const { action, name, column } of uses) {
    if (action === 'call' && !isHarmlessFunction(name)) return functionRefusal(name);
    if (action !== 'read' && action !== 'call') return refusal('not_a_read', notRead);
    if (action === 'call' || isReadable(name, schema)) continue;
    // SQLite reports common tables, even those of views, if none of their columns is used.
    if (column !== undefined || !isCommonTable(name, statement, report, schema)) return tableRefusal(name);
  }
  return namesRefusal(statement, schema);
}

function isCommonTable(
  name: string,
  { commonTables }: ReadingSelect,
  { dependsOn = new Set() }: ShadowReport,
  schema: ReadSchema,
): boolean {
  const key = keyOf(name);
  return commonTables.some(table => keyOf(table) === key) || schema.commonTablesOfViews(dependsOn).has(key);
}

/** SQLite does not report each table, so the names in the statement are checked as well. */
function namesRefusal(statement: ReadingSelect, schema: ReadSchema): ReadRefusal | undefined {
  for (const name of statement.functions) if (!isHarmlessFunction(name)) return functionRefusal(name);
  for (const table of statement.tables) {
    if (!isOfProject(table) || !isReadable(table.name, schema)) return tableRefusal(table.name);
  }
  return undefined;
}

const isOfProject = ({ database }: TableName): boolean => database === undefined || keyOf(database) === 'main';

function isReadable(name: string, schema: ReadSchema): boolean {
  const object = schema.table(name);
  if (!object) return isReadableSystemTable(name);
  return !hasSubstitute(object) || readableModules.has(moduleOf(object.sql));
}

/** Modules that the shadow lacks. A SELECT cannot change their tables. */
const readableModules: ReadonlySet<string> = new Set(['FTS3', 'FTS4', 'GEOPOLY']);

const notRead = 'SQLite says that the statement does more than read, so it was not sent. Send a SELECT.';

const functionRefusal = (name: string): ReadRefusal =>
  refusal('function_not_allowed', `The function ${name}() is not known to be harmless. Write the query without it.`);

const tableRefusal = (name: string): ReadRefusal =>
  refusal('table_not_allowed', `'${name}' is not a table that may be read here. Read the schema for those that may.`);

const uncheckedReasons: Readonly<Record<Exclude<ShadowOutcome, 'prepared' | 'refused'>, string>> = {
  skipped: 'The statement could not be checked, so it was not sent. Send a SELECT.',
  uncertain: 'The statement uses a table whose module is unknown here, so it was not sent. Read other tables.',
  tooLarge: 'The statement is too large to be checked, so it was not sent. Send a shorter one.',
  limitExceeded: 'Checking the statement took too long, so it was not sent. Send a simpler one.',
};

/** Why a statement is not a read. Programs compare these codes; they do not change. */
type ReadRefusalCode =
  | 'no_statement'
  | 'several_statements'
  | 'statement_too_large'
  | 'syntax_error'
  | 'not_a_read'
  | 'explains_a_write'
  | 'pragma_not_allowed'
  | 'function_not_allowed'
  | 'table_not_allowed'
  | 'refused_by_sqlite'
  | 'not_checked'
  | 'masked';

interface ReadRefusal {
  readonly kind: 'refused';
  readonly code: ReadRefusalCode;
  readonly reason: string;
  /** SQLite's own message, if it refuses the statement. */
  readonly sqliteMessage?: string;
}

type ReadJudgement =
  | {
      readonly kind: 'read';
      /** The statement to send: the text itself, or the one with masks. Its parameters are the same. */
      readonly sql: string;
      /** The keys of tables and views whose masked columns have a constant in the rows. Empty for the text itself. */
      readonly masked: readonly string[];
    }
  | ReadRefusal;

const refusal = (code: ReadRefusalCode, reason: string): ReadRefusal => ({ kind: 'refused', code, reason });
