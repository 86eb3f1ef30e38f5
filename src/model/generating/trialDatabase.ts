import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { confine, createObject } from '../../sql/running/confine.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { GeneratedTable } from './generatedTable.ts';
import type { GrowingRow } from './slots.ts';

export type RowRefusal =
  /** A row that the table has already has its key. */
  { readonly kind: 'keyTaken' } | { readonly kind: 'refused'; readonly message: string };

/** Longer texts and BLOBs fail. An expression of a definition could fill the memory with one. */
const maxValueBytes = 16 * 1024 * 1024;

/**
 * A database with the schema of a table. SQLite itself tries each row there, with its types, its checks and its unique keys.
 * The rows that pass are also written to a file, into a table that has the columns but none of their expressions. So reading
 * the file runs nothing of the definition.
 */
export class TrialDatabase implements Disposable {
  /** Why SQLite refused the definition of the table. The rows are then tried without its checks. Undefined if it was accepted. */
  readonly definitionFault: string | undefined;
  readonly #database: DatabaseSync;
  /** A connection of its own: the connection of the trial is confined to its own file. */
  readonly #output: DatabaseSync;
  readonly #path: string;
  readonly #insert: StatementSync;
  readonly #insertOutput: StatementSync;
  readonly #columns: readonly string[];
  readonly #uniqueChecks: readonly { readonly names: readonly string[]; readonly find: StatementSync }[];

  private constructor(
    { database, output }: { readonly database: DatabaseSync; readonly output: DatabaseSync },
    path: string,
    table: GeneratedTable,
    columns: readonly string[],
  ) {
    this.#database = database;
    this.#output = output;
    this.#path = path;
    this.#columns = columns.map(keyOf);
    this.definitionFault = createTable(database, table);
    this.#uniqueChecks = table.uniqueKeys.map((key, index) => ({
      names: key.columns.map(({ name }) => keyOf(name)),
      find: takenKeys(database, key, index),
    }));
    this.#insert = database.prepare(insertSql(table.name, columns));
    // A table needs a column.
    const outputColumns = columns.length === 0 ? ['no column'] : columns;
    output.exec(`CREATE TABLE ${quoteIdentifier(table.name)} (${outputColumns.map(quoteIdentifier).join(', ')})`);
    this.#insertOutput = output.prepare(insertSql(table.name, columns));
    for (const file of [database, output]) file.exec('BEGIN');
  }

  static async create(path: string, table: GeneratedTable, columns: readonly string[]): Promise<TrialDatabase> {
    const sqlite = await import('node:sqlite');
    const output = new sqlite.DatabaseSync(path);
    const trial = new sqlite.DatabaseSync(trialFile(path), { enableForeignKeyConstraints: false });
    try {
      const database = confine(trial, { valueBytes: maxValueBytes });
      // The files are discarded if the process ends, so they need not survive a crash.
      for (const file of [database, output]) file.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
      return new TrialDatabase({ database, output }, path, table, columns);
    } catch (thrown) {
      for (const file of [trial, output]) if (file.isOpen) file.close();
      throw thrown;
    }
  }

  /** Writes the row to the file. Returns why it is refused, or undefined. */
  add(row: GrowingRow): RowRefusal | undefined {
    for (const { names, find } of this.#uniqueChecks) {
      const values = names.map(name => row.get(name) ?? null);
      if (values.every(value => value !== null) && find.get(...values)) return { kind: 'keyTaken' };
    }
    const cells = this.#columns.map(name => row.get(name) ?? null);
    try {
      this.#insert.run(...cells);
    } catch (thrown) {
      return { kind: 'refused', message: messageOf(thrown) };
    }
    this.#insertOutput.run(...cells);
    return undefined;
  }

  get sizeBytes(): number {
    const { size } = this.#database
      .prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
      .get() as { size: number };
    return size;
  }

  commit(): void {
    this.#output.exec('COMMIT');
  }

  [Symbol.dispose](): void {
    for (const file of [this.#database, this.#output]) file.close();
    rmSync(trialFile(this.#path), { force: true });
  }
}

/** The file in which the rows are tried, beside the one that stores them. */
export const trialFile = (path: string): string => `${path}.trial`;

/** If a function or collation of the service is missing here, this creates a table with only the columns, and returns why. */
function createTable(database: DatabaseSync, table: GeneratedTable): string | undefined {
  try {
    createObject(database, { kind: 'table', name: table.name, table: table.name, sql: table.definition });
    for (const index of table.uniqueIndexes) createObject(database, { ...index, table: table.name });
    database.prepare(`SELECT * FROM ${quoteIdentifier(table.name)}`);
    database.prepare(
      insertSql(
        table.name,
        table.columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name),
      ),
    );
    return undefined;
  } catch (thrown) {
    // The affinity converts values like the declared type does, and that is untrusted text of the service.
    const columns = table.columns.map(({ name, affinity }) => `${quoteIdentifier(name)} ${affinity}`);
    database.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(table.name)}`);
    database.exec(`CREATE TABLE ${quoteIdentifier(table.name)} (${columns.join(', ')})`);
    return messageOf(thrown);
  }
}

const builtInCollations: ReadonlySet<string> = new Set(['binary', 'nocase', 'rtrim']);

/** Stores the existing keys in a table of their own, with the collations of the key. Returns the statement that looks one up. */
function takenKeys(database: DatabaseSync, key: GeneratedTable['uniqueKeys'][number], index: number): StatementSync {
  const name = quoteIdentifier(`taken keys ${index}`);
  const columns = key.columns.map((_column, nth) => `c${nth}`);
  const compared = key.columns.map(({ collation }, nth) =>
    builtInCollations.has(keyOf(collation)) ? `c${nth} COLLATE ${collation}` : `c${nth}`,
  );
  database.exec(`CREATE TEMP TABLE ${name} (${columns.join(', ')})`);
  database.exec(
    `CREATE INDEX temp.${quoteIdentifier(`index of taken keys ${index}`)} ON ${name} (${compared.join(', ')})`,
  );
  const insert = database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`);
  for (const row of key.takenKeys) if (row.every(value => value !== null)) insert.run(...row);
  return database.prepare(`SELECT 1 FROM ${name} WHERE ${compared.map(column => `${column} = ?`).join(' AND ')}`);
}

function insertSql(table: string, columns: readonly string[]): string {
  const into = `main.${quoteIdentifier(table)}`;
  if (columns.length === 0) return `INSERT INTO ${into} DEFAULT VALUES`;
  const names = columns.map(quoteIdentifier).join(', ');
  return `INSERT INTO ${into} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
}
