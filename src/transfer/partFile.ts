import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { asString, nullable, object, parseJson } from '../base/decode.ts';
import { messageOf, misuse } from '../base/errors.ts';
import { inTransaction } from '../base/inTransaction.ts';
import { maxValueBytes } from '../model/importing/readers/sqliteReader.ts';
import { type SourceValue, firstPlace, type Place, RawText } from '../model/importing/sourceRow.ts';
import { decodePlace } from '../model/importing/journal.ts';
import { syncFolder } from '../model/replaceFile.ts';
import { confine, createObject } from '../sql/running/confine.ts';
import { quoteIdentifier } from '../sql/text/quoting.ts';
import type { Sequence } from '../model/catalog/catalogQueries.ts';
import { cannotMove, type MovedSchema, objectsAfterRows, ownPrefix, schemaText } from './movedSchema.ts';
import type { MovedTable } from './movedTable.ts';
import { RowHash } from './rowHash.ts';

/** An incomplete file has this table with the state of the download. */
const stateTable = `${ownPrefix}download`;
const version = 1;

type Cells = readonly SourceValue[];

/** How far the rows of a table have come. */
interface TableState {
  readonly place: Place;
  /** Covers the rows before the place. */
  readonly hash: RowHash;
  readonly isDone: boolean;
}

const decodeDownload = object({ source: asString, schema: asString });
const decodeStored = object({ place: decodePlace });

/** The file that a download fills. State and rows are committed together, so a download continues after any fault. */
export class PartFile implements Disposable {
  readonly database: DatabaseSync;
  readonly #file: string;
  readonly #path: string;

  private constructor(database: DatabaseSync, file: string) {
    this.database = database;
    this.#file = file;
    this.#path = partPath(file);
  }

  static open(file: string): PartFile {
    // Rows are written unchecked: the project checked its constraints when it stored them.
    const database = openConfined(partPath(file));
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA ignore_check_constraints = ON; BEGIN EXCLUSIVE; COMMIT');
    } catch (cause) {
      database.close();
      const message = `The file ${partPath(file)} is in use, or it is not a database. End the other download, or delete the file.`;
      throw Object.assign(misuse('part_in_use', message), { cause });
    }
    return new PartFile(database, file);
  }

  /** Begins a download, or continues that of the file. Returns false if the schema has changed since. */
  begin(source: string, schema: MovedSchema): boolean {
    const text = schemaText(schema);
    const objectCount = this.database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()!['n'];
    if (objectCount !== 0) {
      const download = decodeDownload(parseJson(this.#storedState('')));
      if (download?.source !== source) {
        const message = `The file ${this.#path} is not the beginning of this download. Delete it to start again.`;
        throw misuse('other_part', message);
      }
      return download.schema === text;
    }
    inTransaction(this.database, () => {
      this.database.exec(
        `CREATE TABLE ${stateTable} (name TEXT PRIMARY KEY, state TEXT, hash TEXT, rows INT, done INT)`,
      );
      this.#store('', JSON.stringify({ version, source, schema: text }), new RowHash(), false);
      for (const table of schema.tables) createObject(this.database, table);
    });
    return true;
  }

  stateOf({ name }: MovedTable): TableState {
    const row = this.database
      .prepare(`SELECT state, hash, rows, done FROM ${stateTable} WHERE name = ?`)
      .get(`t${name}`);
    if (!row) return { place: firstPlace, hash: new RowHash(), isDone: false };
    const stored = decodeStored(parseJson(String(row['state'])));
    if (!stored) throw misuse('other_part', `The file ${this.#path} cannot be read. Delete it to start again.`);
    const hash = new RowHash({ text: String(row['hash']), rowCount: Number(row['rows']) });
    return { place: stored.place, hash, isDone: row['done'] === 1 };
  }

  write(table: MovedTable, rows: readonly Cells[], { place, hash, isDone }: TableState): void {
    inTransaction(this.database, () => {
      insertRows(this.database, table, rows);
      this.#store(`t${table.name}`, JSON.stringify({ place }), hash, isDone);
    });
  }

  /** Creates the objects that come after the rows, once. */
  writeObjects(schema: MovedSchema): void {
    if (this.#storedState('objects') !== '') return;
    inTransaction(this.database, () => {
      for (const { name, isIndexOfOther } of schema.tables) {
        if (isIndexOfOther) this.database.exec(rebuildSql(name));
      }
      this.#setSequences(schema.sequences);
      for (const moved of objectsAfterRows(schema)) createObject(this.database, moved);
      this.#store('objects', '{}', new RowHash(), true);
    });
  }

  /** Gives the complete file its name. */
  async finish(): Promise<void> {
    this.database.exec(`DROP TABLE ${stateTable}`);
    this.database.close();
    if (existsSync(this.#file)) throw fileExists(this.#file);
    await rename(this.#path, this.#file);
    await syncFolder(dirname(this.#file));
  }

  /** Removes the file. Call it when the project has changed. */
  async discard(): Promise<void> {
    this.database.close();
    await rm(this.#path, { force: true });
    await rm(`${this.#path}-journal`, { force: true });
  }

  [Symbol.dispose](): void {
    if (this.database.isOpen) this.database.close();
  }

  #setSequences(sequences: readonly Sequence[]): void {
    if (!this.database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`).get()) return;
    this.database.exec('DELETE FROM sqlite_sequence');
    const insert = this.database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
    for (const { table, number } of sequences) insert.run(table, number);
  }

  #storedState(name: string): string {
    const isThere = this.database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(stateTable);
    const row = isThere && this.database.prepare(`SELECT state FROM ${stateTable} WHERE name = ?`).get(name);
    return nullable(asString)(row?.['state']) ?? '';
  }

  #store(name: string, state: string, hash: RowHash, isDone: boolean): void {
    this.database
      .prepare(`INSERT OR REPLACE INTO ${stateTable} VALUES (?, ?, ?, ?, ?)`)
      .run(name, state, hash.text, hash.rowCount, isDone ? 1 : 0);
  }
}

function insertRows(database: DatabaseSync, { name, columns }: MovedTable, rows: readonly Cells[]): void {
  const names = columns.map(quoteIdentifier).join(', ');
  const statementFor = (cells: Cells): StatementSync => {
    const values = columns.map((_, place) => (cells[place] instanceof RawText ? 'CAST(? AS TEXT)' : '?'));
    return database.prepare(`INSERT INTO ${quoteIdentifier(name)} (${names}) VALUES (${values.join(', ')})`);
  };
  const plain = statementFor([]);
  for (const cells of rows) {
    const statement = cells.some(cell => cell instanceof RawText) ? statementFor(cells) : plain;
    statement.run(...(cells as readonly SQLInputValue[]));
  }
}

/** Opens a confined database, because the definitions come from the service. */
function openConfined(path: string): DatabaseSync {
  const options = { enableForeignKeyConstraints: false, enableDoubleQuotedStringLiterals: true };
  return confine(new DatabaseSync(path, options), { valueBytes: maxValueBytes });
}

/** Tries all statements on an empty database, so that SQLite refuses them before any row is read. */
export function requireCreatable(schema: MovedSchema): void {
  using database = openConfined(':memory:');
  const refusals = [...schema.tables, ...objectsAfterRows(schema)].flatMap(moved => {
    try {
      createObject(database, moved);
      return [];
    } catch (thrown) {
      return [`${moved.name}: ${messageOf(thrown)}`];
    }
  });
  if (refusals.length > 0) throw cannotMove(refusals);
}

const partPath = (file: string): string => `${file}.part`;

/** Builds an FTS5 index from the rows of its table. */
export const rebuildSql = (name: string): string =>
  `INSERT INTO ${quoteIdentifier(name)} (${quoteIdentifier(name)}) VALUES ('rebuild')`;

export const fileExists = (file: string) => misuse('file_exists', `The file ${file} already exists. Name a new file.`);
