import { pathToFileURL } from 'node:url';
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementColumnMetadata } from 'node:sqlite';
import { messageOf, ProjectError } from '../../../base/errors.ts';
import { affinityOf } from '../../../sql/lints/affinity.ts';
import { confine, isSafeModule } from '../../../sql/running/confine.ts';
import { keyOf } from '../../../sql/text/names.ts';
import { quoteIdentifier, quoteIdentifierIfNeeded } from '../../../sql/text/quoting.ts';
import { isOfUser } from '../../../sql/tables/userTables.ts';
import {
  type SourceValue,
  rowLengthOf,
  maxRowLength,
  mayBeRaw,
  type RowBlock,
  type SourceReader,
  sqlOf,
  textOfBytes,
} from '../sourceRow.ts';

/** A block is read without a pause, so it is short. */
const maxBlockRows = 500;
const maxBlockSize = 128 * 1024;

/** Longer values of a database file are not read. A local service stores none. */
export const maxValueBytes = 64_000_000;
/** A longer row is not imported. Its text in a statement may take twice the characters of a row of a text file. */
const maxRowBytes = 2 * maxRowLength;
/** The most memory that the expressions of a table may take while a row is read. */
const maxExpressionBytes = 128 * 1024 * 1024;
/** After each row that is too long, SQLite searches the next row from the start of the table. */
const maxTooLongRows = 1000;
const tooLongRow: ReadRow = [];
/** SQLITE_TOOBIG. */
const tooBig = 18;

/** Reads a table of a database file. Values keep their types. */
export async function openSqliteReader(path: string, table: string): Promise<SourceReader> {
  using database = await openDatabase(path);
  // A hostile schema may define a name several times. SQLite uses one of the definitions.
  const find = database.prepare(
    'SELECT group_concat(CAST(sql AS TEXT)) AS sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE',
  );
  const sql = String(find.get(table)?.['sql'] ?? '');
  // Each expression of a definition, which has a parenthesis, may hold a value.
  const expressionCount = /\bas\b/i.test(sql) ? sql.split('(').length : 1;
  const valueBytes = Math.floor(Math.min(maxRowBytes, maxExpressionBytes / expressionCount));
  const declared = columnsOf(database, table);
  const columns = declared.map(({ name }) => name);
  return {
    columns,
    types: declared.map(({ type }) => newType(type ?? '')),
    async countRows() {
      using counted = await openDatabase(path);
      return Number(counted.prepare(`SELECT count(*) AS n FROM (${selectAll(table)})`).get()!['n']);
    },
    async *blocks({ rows }) {
      using read = await openDatabase(path);
      read.limits.length = valueBytes;
      yield* rowBlocks(tableRows(read, table, columns, rows), (block, before) => blockOf(block, rows + before));
    },
  };
}

function columnsOf(database: DatabaseSync, table: string): StatementColumnMetadata[] {
  try {
    return database.prepare(selectAll(table)).columns();
  } catch (thrown) {
    throw notRead(table, thrown);
  }
}

/** The rows from the number `from` on. Reading continues after a row that is too long. */
function* tableRows(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
  from: number,
): Generator<ReadRow> {
  let next = from;
  for (let tooLongCount = 0; tooLongCount < maxTooLongRows; tooLongCount++) {
    const start = next;
    const read = exactRows(database, (valueOf, _last, count) => ({
      sql: `SELECT ${columns.map(name => valueOf(`t.${quoteIdentifier(name)}`)).join(', ')}
        FROM ${quoteIdentifier(table)} AS t LIMIT -1 OFFSET ?`,
      params: [start + count],
    }));
    try {
      for (const row of read) {
        yield rowLengthOf(row) > maxRowBytes ? tooLongRow : row;
        next++;
      }
      return;
    } catch (thrown) {
      if (!(thrown instanceof Error && 'errcode' in thrown && thrown.errcode === tooBig)) throw notRead(table, thrown);
    }
    yield tooLongRow;
    next++;
  }
  throw notRead(table, new Error(`more than ${maxTooLongRows} rows are too long`));
}

function notRead(table: string, cause: unknown): ProjectError {
  const message = `The table '${table}' of the file cannot be read: ${messageOf(cause)}. Choose another table.`;
  return new ProjectError('misuse', 'table_not_read', message, { cause });
}

type ReadRow = readonly SourceValue[];

/** Returns the statement for the rows after the last read one. `valueOf` turns the SQL of a column into the SQL of its value. */
type RowsStatement = (
  valueOf: (column: string) => string,
  last: ReadRow | undefined,
  count: number,
) => { readonly sql: string; readonly params: readonly SQLInputValue[] };

/** The rows of a database file, with their exact values. Once a text may be invalid UTF-8, texts are read as bytes. */
export function* exactRows(database: DatabaseSync, statementFor: RowsStatement): Generator<ReadRow> {
  let last: ReadRow | undefined;
  let count = 0;
  const read = (valueOf: (column: string) => string): Iterable<SQLOutputValue[]> => {
    const { sql, params } = statementFor(valueOf, last, count);
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    // The types do not know setReturnArrays().
    return statement.iterate(...params) as Iterable<unknown> as Iterable<SQLOutputValue[]>;
  };
  // In other encodings, the bytes of a text differ from those that a project stores.
  const isUtf8 = database.prepare('PRAGMA encoding').get()!['encoding'] === 'UTF-8';
  for (const row of read(column => column)) {
    if (isUtf8 && row.some(mayBeRaw)) {
      for (const tagged of read(taggedSql)) yield tagged.map(untagged);
      return;
    }
    yield row;
    last = row;
    count++;
  }
}

/** The bytes of texts and BLOBs, after a letter that distinguishes them. */
const taggedSql = (column: string): string =>
  `CASE typeof(${column}) WHEN 'text' THEN CAST('t' || ${column} AS BLOB) WHEN 'blob' THEN CAST('b' || CAST(${column} AS TEXT) AS BLOB) ELSE ${column} END`;

function untagged(value: SQLOutputValue): SourceValue {
  if (!(value instanceof Uint8Array)) return value;
  const bytes = value.subarray(1);
  return value[0] === 't'.charCodeAt(0) ? textOfBytes(bytes) : bytes;
}

/** `make` gets rows that were read together, and how many were read before them. */
export async function* rowBlocks(
  rows: Iterable<ReadRow>,
  make: (rows: readonly ReadRow[], before: number) => RowBlock,
): AsyncGenerator<RowBlock> {
  let before = 0;
  let block: ReadRow[] = [];
  let size = 0;
  for (const row of rows) {
    block.push(row);
    size += rowLengthOf(row);
    if (block.length < maxBlockRows && size < maxBlockSize) continue;
    yield make(block, before);
    before += block.length;
    block = [];
    size = 0;
    // Other work of the process comes between the blocks.
    await new Promise(setImmediate);
  }
  if (block.length > 0) yield make(block, before);
}

export async function tablesOf(path: string): Promise<string[]> {
  using database = await openDatabase(path);
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND ${isOfUser('name')} ORDER BY name`;
  return database
    .prepare(sql)
    .all()
    .map(row => String(row['name']));
}

const selectAll = (table: string): string => `SELECT * FROM ${quoteIdentifier(table)}`;

/** The type for a new column that stores all values of a column as they are: its own type, or another of the same affinity. */
function newType(declared: string): string {
  // Only STRICT tables store any value in such a column. Elsewhere, ANY is a number.
  if (/^any$/i.test(declared)) return '';
  const [, words, size = ''] = /^(\w+(?: \w+)*)( ?\(\d+(?:, ?\d+)?\))?$/.exec(declared) ?? [];
  if (words === undefined) return declared === '' ? '' : affinityOf(declared).toUpperCase();
  // A type of the file must add no constraint, such as PRIMARY KEY.
  return words.split(' ').map(quoteIdentifierIfNeeded).join(' ') + size;
}

export async function openDatabase(path: string): Promise<DatabaseSync> {
  const sqlite = await import('node:sqlite');
  const file = pathToFileURL(path);
  file.searchParams.set('mode', 'ro');
  const unread = new Set<string>();
  const database = confine(new sqlite.DatabaseSync(file, { readOnly: true }), { valueBytes: maxValueBytes, unread });
  try {
    for (const name of unsafeTables(database, sqlite)) unread.add(keyOf(name));
  } catch (cause) {
    database.close();
    throw new ProjectError('misuse', 'not_a_database', 'The file is not a SQLite database.', { cause });
  }
  return database;
}

/** The virtual tables of the modules that run their arguments. SQLite itself reads each definition, on an empty connection. */
function unsafeTables(database: DatabaseSync, { DatabaseSync: Database, constants }: typeof sqliteModule): string[] {
  using empty = new Database(':memory:');
  const unsafe: string[] = [];
  empty.setAuthorizer((action, name, module) => {
    if (action === constants.SQLITE_CREATE_VTABLE && !isSafeModule(module ?? '')) unsafe.push(name ?? '');
    return constants.SQLITE_OK;
  });
  const definitions = database.prepare(
    "SELECT name, CAST(sql AS TEXT) AS sql FROM sqlite_schema WHERE CAST(sql AS TEXT) LIKE 'create%virtual%'",
  );
  for (const { name, sql } of definitions.iterate()) {
    try {
      empty.prepare(String(sql));
    } catch {
      unsafe.push(String(name));
    }
  }
  return unsafe;
}

const blockOf = (rows: readonly ReadRow[], first: number): RowBlock => ({
  rows: rows.map((cells, index) => ({
    line: first + index + 1,
    cells,
    ...(cells === tooLongRow && { fault: { kind: 'tooLong' } as const }),
  })),
  placeAfter: index => ({ rows: first + index + 1, line: first + index + 2, bytes: 0 }),
  texts: { textOf: index => rows[index]!.map(sqlOf).join(', ') },
});
