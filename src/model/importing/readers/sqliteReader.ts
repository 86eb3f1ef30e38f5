import { pathToFileURL } from 'node:url';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementColumnMetadata } from 'node:sqlite';
import { ProjectError } from '../../../base/errors.ts';
import { affinityOf } from '../../../sql/lints/affinity.ts';
import { quoteIdentifier, quoteIdentifierIfNeeded } from '../../../sql/text/quoting.ts';
import { isOfUser } from '../../../sql/tables/userTables.ts';
import {
  type SourceValue,
  mayBeRaw,
  type Place,
  type RowBlock,
  type SourceReader,
  sqlOf,
  textOf,
} from '../sourceRow.ts';

/** Blocks are read at once, so they are kept short. */
const maxBlockRows = 500;
const maxBlockSize = 128 * 1024;

/** Reads a table of a database file. Values keep their types. */
export class SqliteReader implements SourceReader {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly #path: string;
  readonly #table: string;

  private constructor(path: string, table: string, columns: readonly StatementColumnMetadata[]) {
    this.#path = path;
    this.#table = table;
    this.columns = columns.map(({ name }) => name);
    this.types = columns.map(({ type }) => newType(type ?? ''));
  }

  static async open(path: string, table: string): Promise<SqliteReader> {
    using opened = await openDatabase(path);
    const statement = opened.database.prepare(selectAll(table));
    return new SqliteReader(path, table, statement.columns());
  }

  async countRows(): Promise<number> {
    using opened = await openDatabase(this.#path);
    return Number(opened.database.prepare(`SELECT count(*) AS n FROM (${selectAll(this.#table)})`).get()!['n']);
  }

  async *blocks({ rows }: Place): AsyncGenerator<RowBlock> {
    using opened = await openDatabase(this.#path);
    const read = exactRows(opened.database, (valueOf, _last, count) => ({
      sql: `SELECT ${this.columns.map(name => valueOf(`t.${quoteIdentifier(name)}`)).join(', ')}
        FROM ${quoteIdentifier(this.#table)} AS t LIMIT -1 OFFSET ?`,
      params: [rows + count],
    }));
    yield* rowBlocks(read, block => blockOf(block.rows, rows + block.before));
  }
}

type ReadRow = readonly SourceValue[];

/**
 * Gives the statement for the rows after the last one that was read. `valueOf` gives the SQL of a column's value from that of
 * the column.
 */
type RowsStatement = (
  valueOf: (column: string) => string,
  last: ReadRow | undefined,
  count: number,
) => { readonly sql: string; readonly params: readonly SQLInputValue[] };

/** The rows of a database file, with their exact values. From the first text on that may not be valid UTF-8, texts are read as bytes. */
export function* exactRows(database: DatabaseSync, statementFor: RowsStatement): Generator<ReadRow> {
  // The bytes of other encodings are not those that a project stores.
  const isUtf8 = database.prepare('PRAGMA encoding').get()!['encoding'] === 'UTF-8';
  let last: ReadRow | undefined;
  let count = 0;
  for (const row of iterate(
    database,
    statementFor(column => column, last, count),
  )) {
    if (isUtf8 && row.some(mayBeRaw)) {
      for (const tagged of iterate(database, statementFor(taggedSql, last, count))) yield tagged.map(untagged);
      return;
    }
    yield row;
    last = row;
    count++;
  }
}

function iterate(database: DatabaseSync, { sql, params }: ReturnType<RowsStatement>): Iterable<SQLOutputValue[]> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // The types do not know setReturnArrays().
  return statement.iterate(...params) as Iterable<unknown> as Iterable<SQLOutputValue[]>;
}

/** The bytes of texts and BLOBs, after a letter that distinguishes them. */
const taggedSql = (column: string): string =>
  `CASE typeof(${column}) WHEN 'text' THEN CAST('t' || ${column} AS BLOB) WHEN 'blob' THEN CAST('b' || CAST(${column} AS TEXT) AS BLOB) ELSE ${column} END`;

function untagged(value: SQLOutputValue): SourceValue {
  if (!(value instanceof Uint8Array)) return value;
  const bytes = value.subarray(1);
  return value[0] === 't'.charCodeAt(0) ? textOf(bytes) : bytes;
}

/** Rows of a database file that were read together, and how many were read before them. */
interface FileBlock {
  readonly rows: readonly ReadRow[];
  readonly before: number;
}

/** Cuts the rows of a database file into blocks. */
export async function* rowBlocks(
  rows: Iterable<ReadRow>,
  make: (block: FileBlock) => RowBlock,
): AsyncGenerator<RowBlock> {
  let before = 0;
  let block: ReadRow[] = [];
  let size = 0;
  for (const row of rows) {
    block.push(row);
    for (const value of row) size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
    if (block.length < maxBlockRows && size < maxBlockSize) continue;
    yield make({ rows: block, before });
    before += block.length;
    block = [];
    size = 0;
    // Other work of the process comes between the blocks.
    await new Promise(setImmediate);
  }
  if (block.length > 0) yield make({ rows: block, before });
}

/** The tables of a database file. */
export async function tablesOf(path: string): Promise<string[]> {
  using opened = await openDatabase(path);
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND ${isOfUser('name')} ORDER BY name`;
  return opened.database
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

interface OpenDatabase extends Disposable {
  readonly database: DatabaseSync;
}

/** Opens a file of another program, read-only. Its schema runs only harmless functions. */
export async function openDatabase(path: string): Promise<OpenDatabase> {
  const sqlite = await import('node:sqlite').catch((cause: unknown) => {
    const message = 'This version of VS Code cannot read SQLite files. Update VS Code.';
    throw new ProjectError('misuse', 'no_sqlite', message, { cause });
  });
  const file = pathToFileURL(path);
  file.searchParams.set('mode', 'ro');
  const database = new sqlite.DatabaseSync(file, { readOnly: true });
  try {
    database.exec('PRAGMA trusted_schema = OFF; SELECT count(*) FROM sqlite_schema');
  } catch (cause) {
    database.close();
    throw new ProjectError('misuse', 'not_a_database', 'The file is not a SQLite database.', { cause });
  }
  return { database, [Symbol.dispose]: () => database.close() };
}

const blockOf = (rows: readonly ReadRow[], first: number): RowBlock => ({
  rows: rows.map((cells, index) => ({ line: first + index + 1, cells })),
  placeAfter: index => ({ rows: first + index + 1, line: first + index + 2, bytes: 0 }),
  texts: { textOf: index => rows[index]!.map(sqlOf).join(', ') },
});
