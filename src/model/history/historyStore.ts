import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { asCount, asNumber, asRecord, asString, type Infer, object } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { statementWithoutValues } from '../../sql/text/statementWithoutValues.ts';
import { inTransaction } from '../../base/inTransaction.ts';
import { savedFiles } from '../results/spool/savedSpool.ts';
import {
  decodeHistoryEntry,
  historyColumns,
  type HistoryEntry,
  maxSqlLength,
  type NewHistoryEntry,
} from './historyEntry.ts';
import { historyFile, keptRowsFile, pruneKeptRows } from './historyFiles.ts';

const filterConditions = {
  isFailed: `outcome IN ('failed', 'unknown')`,
  isWrite: 'isWrite = 1',
  isAgent: `kind = 'agent'`,
} as const;

export interface HistoryFilter extends Partial<Readonly<Record<keyof typeof filterConditions, boolean>>> {
  /** Words that the SQL or the error contains, in any case. */
  readonly text?: string | undefined;
  /** Only entries of these projects. */
  readonly profileIds?: readonly string[];
}

/** SQLite's result codes for a damaged file, and for one that is no database. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);
/** Another window may hold the file for a moment. */
const busyMs = 5000;
const maxFileBytes = 512 * 1024 * 1024;
/** A scan of 100,000 usual entries finds them in memory. */
const cacheKilobytes = 64 * 1024;
/** Texts come from services and agents, so their lengths are limited. */
const maxTextLength = 2000;

const setUp = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;
  PRAGMA cache_size = -${cacheKilobytes};
  CREATE TABLE IF NOT EXISTS history (id INTEGER PRIMARY KEY AUTOINCREMENT, ${historyColumns.join(', ')});
  CREATE INDEX IF NOT EXISTS history_run ON history (run) WHERE run IS NOT NULL;
  CREATE INDEX IF NOT EXISTS history_params ON history (id) WHERE params IS NOT NULL;
`;
const pruning = 'DELETE FROM history WHERE id <= (SELECT max(id) FROM history) - $maxEntries';
/** Removes the oldest tenth of the entries if the file is too large. */
const shrinking = `
  DELETE FROM history WHERE id <= (SELECT min(id) FROM history) * 0.9 + (SELECT max(id) FROM history) * 0.1 AND (
    SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
  ) > ${maxFileBytes}`;
const placeholders = historyColumns.map(name => `$${name}`).join(', ');
const insertion = `INSERT INTO history (${historyColumns.join(', ')}) VALUES (${placeholders})`;

const maxFormLength = 500;
/** SQLite takes the SQL from the row of the only maximum: it is that of the slowest run. */
const insightsQuery = `
  SELECT statement_form(sql) AS statement, count(*) AS runs, sum(elapsedMs) AS totalMs, max(elapsedMs) AS slowestMs,
    sum(coalesce(rowCount, changedRows, 0)) AS rows, sql
  FROM history
  WHERE profileId = $profileId AND outcome IN ('done', 'limited') AND kind IN ('statement', 'script', 'rerun', 'agent')
  GROUP BY 1 ORDER BY totalMs DESC LIMIT $count`;

const decodeInsight = object({
  /** Without values. */
  statement: asString,
  runs: asCount,
  totalMs: asNumber,
  slowestMs: asNumber,
  rows: asCount,
  /** The statement of the slowest run. */
  sql: asString,
});
type StatementInsight = Infer<typeof decodeInsight>;

/**
 * The entries of all windows, in one SQLite database. Entries are on disk when `add` returns. A damaged file is renamed, and a
 * new one begins. The call that finds the damage is done, and fails with `history_damaged`.
 */
export class HistoryStore {
  readonly #folder: string;
  #database: DatabaseSync | undefined;
  /** The inode of the open file. */
  #fileId: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes the oldest entries beyond `maxEntries`. */
  add({ entries, maxEntries }: { readonly entries: readonly NewHistoryEntry[]; readonly maxEntries: number }): void {
    this.#use(database => {
      const insert = database.prepare(insertion);
      inTransaction(database, () => {
        for (const entry of entries) insert.run(rowOf(entry));
        database.prepare(pruning).run({ maxEntries });
        database.prepare(shrinking).run();
      });
    });
  }

  /** The newest entries that fit, the newest first. Entries have a `run` only if its rows are there. */
  page({ count, filter = {} }: { readonly count: number; readonly filter?: HistoryFilter }): HistoryEntry[] {
    const { text = '', profileIds } = filter;
    const set = (Object.keys(filterConditions) as (keyof typeof filterConditions)[]).filter(name => filter[name]);
    const conditions = ['TRUE', ...set.map(name => filterConditions[name])];
    const values: Record<string, SQLInputValue> = { count };
    if (profileIds) {
      conditions.push('profileId IN (SELECT value FROM json_each($profileIds))');
      values['profileIds'] = JSON.stringify(profileIds);
    }
    // A long word is rare, so most entries are compared with one word only.
    const words = text.split(/\s+/).filter(word => word !== '');
    for (const [index, word] of words.toSorted((one, other) => other.length - one.length).entries()) {
      conditions.push(String.raw`(sql LIKE $word${index} ESCAPE '\' OR message LIKE $word${index} ESCAPE '\')`);
      values[`word${index}`] = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    }
    const statement = `SELECT * FROM history WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $count`;
    const found = this.#use(database => database.prepare(statement).all(values));
    const hasRows = (run: string): boolean =>
      savedFiles(keptRowsFile(this.#folder, run)).every(file => existsSync(file));
    return found.flatMap(row => {
      const entry = decodeHistoryEntry(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
      // Another version may write kinds and outcomes that this one does not know.
      return entry ? [{ ...entry, run: entry.run !== undefined && hasRows(entry.run) ? entry.run : undefined }] : [];
    });
  }

  /** The statements of a project that took most of the time. Statements with other values count as one. */
  insights({ profileId, count }: { readonly profileId: string; readonly count: number }): StatementInsight[] {
    const found = this.#use(database => database.prepare(insightsQuery).all({ profileId, count }));
    return found.map(row => decodeInsight(row)).filter(insight => insight !== undefined);
  }

  remove(id: number): void {
    this.#use(database => database.prepare('DELETE FROM history WHERE id = ?').run(id));
    this.pruneRows(Infinity);
  }

  clear(): void {
    this.#use(database => database.exec('DELETE FROM history'));
    // Nothing of the statements stays in free pages.
    this.#use(database => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
    this.pruneRows(Infinity);
  }

  /** Removes the parameter values of all entries. */
  dropValues(): void {
    this.#use(database => {
      const { changes } = database.prepare('UPDATE history SET params = NULL WHERE params IS NOT NULL').run();
      if (changes > 0) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  /** Removes the rows of deleted entries, and the oldest rows beyond the budget. */
  pruneRows(maxBytes: number): void {
    this.#use(database => {
      const find = database.prepare('SELECT 1 FROM history WHERE run = ?');
      pruneKeptRows(this.#folder, maxBytes, run => find.get(run) !== undefined);
    });
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  /** Runs `work` on the database. If the file turns out to be damaged, `work` runs on a new one, and the error says so. */
  #use<T>(work: (database: DatabaseSync) => T): T {
    try {
      return work(this.#open());
    } catch (thrown) {
      this.close();
      if (!isDamage(thrown)) throw thrown;
      const renamed = this.#renameDamaged();
      const result = work(this.#open());
      if (renamed === undefined) return result;
      throw misuse('history_damaged', renamed);
    }
  }

  /** Opens the file again if it was renamed or deleted: entries of an unlinked file would be lost. */
  #open(): DatabaseSync {
    const file = historyFile(this.#folder);
    if (this.#fileId !== fileIdOf(file)) this.close();
    if (this.#database) return this.#database;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // SQLite gives its other files the permissions of this one.
    closeSync(openSync(file, 'a', 0o600));
    this.#fileId = fileIdOf(file);
    this.#database = new DatabaseSync(file, { timeout: busyMs });
    this.#database.exec(setUp);
    this.#database.function('statement_form', { deterministic: true }, sql =>
      statementWithoutValues(String(sql), maxFormLength),
    );
    return this.#database;
  }

  /** The new name. Undefined if another window has found the damage too, and renamed the file already. */
  #renameDamaged(): string | undefined {
    const file = historyFile(this.#folder);
    if (this.#fileId !== fileIdOf(file)) return undefined;
    const renamed = join(this.#folder, `history.damaged-${Date.now()}.sqlite`);
    for (const ending of ['', '-wal', '-shm']) {
      if (existsSync(file + ending)) renameSync(file + ending, renamed + ending);
    }
    return renamed;
  }
}

const fileIdOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

function rowOf(entry: NewHistoryEntry): Record<string, SQLInputValue> {
  const values = historyColumns.map(name => {
    const value = entry[name] ?? null;
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'string') return value;
    return value.slice(0, name === 'sql' || name === 'params' ? maxSqlLength + 1 : maxTextLength);
  });
  return Object.fromEntries(historyColumns.map((name, index) => [name, values[index]!]));
}

const isDamage = (thrown: unknown): boolean => {
  const code = asRecord(thrown)?.['errcode'];
  // The lowest byte of an extended code is the code.
  return typeof code === 'number' && damageCodes.has(code & 0xff);
};
