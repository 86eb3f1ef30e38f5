import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { confine, createObject } from '../../sql/running/confine.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { SourceValue } from '../importing/sourceRow.ts';
import type { GeneratedTable } from './generatedTable.ts';
import type { GrowingRow } from './slots.ts';

export type RowRefusal =
  /** A row that the table has already has its key. */
  { readonly kind: 'keyTaken' } | { readonly kind: 'refused'; readonly message: string };

/** Longer texts and BLOBs fail. An expression of a definition could fill the memory with one. */
const maxValueBytes = 16 * 1024 * 1024;

export interface TrialDatabase extends Disposable {
  /** Why SQLite refused the definition of the table. The rows are then tried without its checks. Undefined if it was accepted. */
  readonly definitionFault: string | undefined;
  /** Writes the row to the file. Returns why it is refused, or undefined. */
  add(row: GrowingRow): RowRefusal | undefined;
  sizeBytes(): number;
  commit(): void;
}

/**
 * A database with the schema of a table. SQLite itself tries each row there, with its types, its checks and its unique keys.
 * The rows that pass are also written to a file, into a table that has the columns but none of their expressions. So reading
 * the file runs nothing of the definition.
 */
export async function openTrial(
  path: string,
  table: GeneratedTable,
  columns: readonly string[],
): Promise<TrialDatabase> {
  const sqlite = await import('node:sqlite');
  // A connection of its own: the connection of the trial is confined to its own file.
  const output = new sqlite.DatabaseSync(path);
  const trial = new sqlite.DatabaseSync(trialFile(path), { enableForeignKeyConstraints: false });
  const close = (): void => {
    for (const file of [trial, output]) if (file.isOpen) file.close();
  };
  try {
    const database = confine(trial, { valueBytes: maxValueBytes });
    // The files are discarded if the process ends, so they need not survive a crash.
    for (const file of [database, output]) file.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    const definitionFault = createTable(database, table);
    const uniqueChecks = table.uniqueKeys.map((key, index) => ({
      names: key.columns.map(({ name }) => keyOf(name)),
      find: takenKeys(database, key, index),
    }));
    const keys = columns.map(keyOf);
    const insert = database.prepare(insertSql(table.name, columns));
    // A table needs a column.
    const outputColumns = columns.length === 0 ? ['no column'] : columns;
    output.exec(`CREATE TABLE ${quoteIdentifier(table.name)} (${outputColumns.map(quoteIdentifier).join(', ')})`);
    const insertOutput = output.prepare(insertSql(table.name, columns));
    const size = database.prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size');
    for (const file of [database, output]) file.exec('BEGIN');
    return {
      definitionFault,
      add: row => {
        const valueOf = (name: string): SourceValue => row.get(name) ?? null;
        for (const { names, find } of uniqueChecks) {
          const values = names.map(valueOf);
          if (values.every(value => value !== null) && find.get(...values)) return { kind: 'keyTaken' };
        }
        const cells = keys.map(valueOf);
        try {
          insert.run(...cells);
        } catch (thrown) {
          return { kind: 'refused', message: messageOf(thrown) };
        }
        insertOutput.run(...cells);
        return undefined;
      },
      sizeBytes: () => Number(size.get()!['size']),
      commit: () => output.exec('COMMIT'),
      [Symbol.dispose]: () => {
        close();
        rmSync(trialFile(path), { force: true });
      },
    };
  } catch (thrown) {
    close();
    throw thrown;
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
