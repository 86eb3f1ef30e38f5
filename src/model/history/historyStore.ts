import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { lockDatabase } from '../../base/databaseLock.ts';
import { asCount, asRecord, asString, oneOf } from '../../base/decode.ts';
import { messageOf, misuse } from '../../base/errors.ts';
import {
  boundedEntry,
  type HistoryEntry,
  type HistoryFilter,
  historyKinds,
  historyOutcomes,
  maxSqlLength,
  type NewHistoryEntry,
} from './historyEntry.ts';
import { KeptRows } from './keptRows.ts';

export interface HistoryPage {
  /** Only entries that are older than this one. */
  readonly before?: number | undefined;
  readonly count: number;
  readonly filter?: HistoryFilter | undefined;
}

/** SQLite's result codes for a damaged file, and for one that is no database. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);
/** Another window may hold the file for a moment. */
const busyMs = 5000;
/** Beyond this size, the oldest tenth of the entries is removed. */
const maxFileBytes = 512 * 1024 * 1024;
/** A scan of 100,000 usual entries finds them in memory. */
const cacheKilobytes = 64 * 1024;

const schema = `
  CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, profile TEXT NOT NULL,
    project TEXT NOT NULL, write INTEGER NOT NULL, elapsed REAL NOT NULL, outcome TEXT NOT NULL, rows INTEGER,
    changed INTEGER, code TEXT, message TEXT, agent TEXT, run TEXT, cut INTEGER NOT NULL, sql TEXT NOT NULL, params TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS entry_run ON entry (run) WHERE run IS NOT NULL;
  CREATE INDEX IF NOT EXISTS entry_params ON entry (id) WHERE params IS NOT NULL;
`;

const fileName = 'history.sqlite';

/**
 * The entries of all windows, in one SQLite database. Entries are on disk when `add` returns. A damaged
 * file is renamed, and a new one begins.
 */
export class HistoryStore {
  readonly rows: KeptRows;
  readonly #sqlite: typeof sqliteModule;
  readonly #folder: string;
  readonly #onDamage: (renamedFile: string) => void;
  #open: { readonly database: DatabaseSync; readonly fileId: number } | undefined;

  private constructor(sqlite: typeof sqliteModule, folder: string, onDamage: (renamedFile: string) => void) {
    this.#sqlite = sqlite;
    this.#folder = folder;
    this.#onDamage = onDamage;
    this.rows = new KeptRows(folder);
  }

  /** Rejects with `history_unavailable` if this program has no SQLite. */
  static async create(folder: string, onDamage: (renamedFile: string) => void = () => undefined) {
    try {
      return new HistoryStore(await import('node:sqlite'), folder, onDamage);
    } catch (thrown) {
      throw misuse('history_unavailable', `This program has no SQLite: ${messageOf(thrown)}`);
    }
  }

  /** Removes the oldest entries beyond `maxEntries`. */
  add(entries: readonly NewHistoryEntry[], maxEntries: number): void {
    const rows = entries.map(valuesOf);
    this.#use(database => {
      const insert = database.prepare(insertStatement);
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const row of rows) insert.run(...row);
        this.#prune(database, maxEntries);
        database.exec('COMMIT');
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK');
      }
    });
  }

  /** The newest entries that fit, the newest first. */
  page({ before, count, filter = {} }: HistoryPage): HistoryEntry[] {
    const { text = '', profileId, isFailed = false, isWrite = false, isAgent = false } = filter;
    // A long word is rare, so most entries are compared with one word only.
    const words = text
      .split(/\s+/)
      .filter(word => word !== '')
      .toSorted((one, other) => other.length - one.length);
    const conditions = words.map(() => String.raw`(sql LIKE ? ESCAPE '\' OR message LIKE ? ESCAPE '\')`);
    const values: SQLInputValue[] = words.flatMap(word => [likePattern(word), likePattern(word)]);
    const addCondition = (condition: string, value: SQLInputValue): void => {
      conditions.unshift(condition);
      values.unshift(value);
    };
    if (isFailed) conditions.unshift(`outcome IN ('failed', 'unknown')`);
    if (isWrite) conditions.unshift('write = 1');
    if (isAgent) conditions.unshift(`kind = 'agent'`);
    if (profileId !== undefined) addCondition('profile = ?', profileId);
    if (before !== undefined) addCondition('id < ?', before);
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const found = this.#use(database =>
      database.prepare(`SELECT * FROM entry ${where} ORDER BY id DESC LIMIT ?`).all(...values, count),
    );
    const keptRuns = found.some(row => row['run'] !== null) ? this.rows.names() : new Set<string>();
    return found.flatMap(row => entryOf(row, keptRuns) ?? []);
  }

  /** The projects of all entries, by their last names. */
  projects(): { readonly profileId: string; readonly project: string }[] {
    const sql = 'SELECT profile, project, max(id) FROM entry GROUP BY profile ORDER BY project';
    return this.#use(database => database.prepare(sql).all()).map(row => ({
      profileId: asString(row['profile']) ?? '',
      project: asString(row['project']) ?? '',
    }));
  }

  remove(id: number): void {
    const [row] = this.#use(database => database.prepare('DELETE FROM entry WHERE id = ? RETURNING run').all(id));
    const run = asString(row?.['run']);
    if (run !== undefined) this.rows.remove(run);
  }

  clear(): void {
    this.#use(database => database.exec('DELETE FROM entry'));
    // Nothing of the statements stays in free pages.
    this.#use(database => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
    for (const name of this.rows.names()) this.rows.remove(name);
  }

  /** Removes the parameter values of all entries. */
  dropValues(): void {
    this.#use(database => {
      const { changes } = database.prepare('UPDATE entry SET params = NULL WHERE params IS NOT NULL').run();
      if (changes > 0) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  /** Changes whenever another connection has written. */
  version(): number {
    const row = this.#use(database => database.prepare('PRAGMA data_version').get());
    return (asCount(row?.['data_version']) ?? 0) + (this.#open?.fileId ?? 0);
  }

  /** Removes rows that no entry leads to. The entry of a run that has just ended may not be written yet. */
  removeOrphans(): void {
    for (const name of this.rows.oldNames()) {
      const found = this.#use(database => database.prepare('SELECT 1 FROM entry WHERE run = ?').get(name));
      if (!found) this.rows.remove(name);
    }
  }

  close(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }

  #prune(database: DatabaseSync, maxEntries: number): void {
    const numberOf = (sql: string): number => asCount(Object.values(database.prepare(sql).get() ?? {})[0]) ?? 0;
    const ids = numberOf('SELECT (SELECT max(id) FROM entry) - (SELECT min(id) FROM entry) + 1');
    const removeBeyond = (count: number): unknown =>
      database
        .prepare('DELETE FROM entry WHERE id <= (SELECT id FROM entry ORDER BY id DESC LIMIT 1 OFFSET ?)')
        .run(count);
    if (ids > maxEntries) removeBeyond(maxEntries);
    const pages = numberOf('PRAGMA page_count') - numberOf('PRAGMA freelist_count');
    if (pages * numberOf('PRAGMA page_size') > maxFileBytes) {
      removeBeyond(Math.floor(numberOf('SELECT count(*) FROM entry') * 0.9));
    }
  }

  /** Runs `work` on the database. If the file turns out to be damaged, it is replaced, and `work` runs once more. */
  #use<T>(work: (database: DatabaseSync) => T): T {
    try {
      return work(this.#database());
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      this.#replaceDamaged();
      return work(this.#database());
    }
  }

  /** Opens the file again if it was renamed or deleted: entries of an unlinked file would be lost. */
  #database(): DatabaseSync {
    const file = join(this.#folder, fileName);
    const fileId = statSync(file, { throwIfNoEntry: false })?.ino;
    if (this.#open && this.#open.fileId !== fileId) this.close();
    if (this.#open) return this.#open.database;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // SQLite gives its other files the permissions of this one.
    closeSync(openSync(file, 'a', 0o600));
    const database = new this.#sqlite.DatabaseSync(file, { timeout: busyMs });
    try {
      database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
        PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${cacheKilobytes}; ${schema}`);
    } catch (thrown) {
      database.close();
      throw thrown;
    }
    this.#open = { database, fileId: statSync(file).ino };
    return database;
  }

  /** Under a lock, so that of two windows that find the damage, the second one does not rename the new file. */
  #replaceDamaged(): void {
    this.close();
    const lock = lockDatabase(new this.#sqlite.DatabaseSync(join(this.#folder, 'repair.lock'), { timeout: busyMs }));
    try {
      if (!this.#isDamaged()) return;
      const file = join(this.#folder, fileName);
      const renamed = join(this.#folder, `history.damaged-${Date.now()}.sqlite`);
      renameSync(file, renamed);
      for (const ending of ['-wal', '-shm']) {
        if (statSync(`${file}${ending}`, { throwIfNoEntry: false }))
          renameSync(`${file}${ending}`, `${renamed}${ending}`);
      }
      this.#onDamage(renamed);
    } finally {
      this.close();
      lock?.dispose();
    }
  }

  #isDamaged(): boolean {
    try {
      const row = this.#database().prepare('PRAGMA quick_check(1)').get();
      return Object.values(row ?? {})[0] !== 'ok';
    } catch (thrown) {
      if (isDamage(thrown)) return true;
      throw thrown;
    } finally {
      this.close();
    }
  }
}

const insertStatement = `INSERT INTO entry (at, kind, profile, project, write, elapsed, outcome, rows, changed, code, message,
  agent, run, cut, sql, params) VALUES (${Array.from({ length: 16 }, () => '?').join(', ')})`;

function valuesOf(entry: NewHistoryEntry): (string | number | null)[] {
  const {
    at,
    kind,
    profileId,
    project,
    isWrite,
    elapsedMs,
    outcome,
    sql,
    params = null,
    ...rest
  } = boundedEntry(entry);
  const { rowCount = null, changedRows = null, code = null, message = null, agent = null, run = null } = rest;
  const isCut = Number(sql.length > maxSqlLength);
  const result = [outcome, rowCount, changedRows, code, message, agent, run];
  return [
    at,
    kind,
    profileId,
    project,
    Number(isWrite),
    elapsedMs,
    ...result,
    isCut,
    sql.slice(0, maxSqlLength),
    params,
  ];
}

const isDamage = (thrown: unknown): boolean => {
  const code = asRecord(thrown)?.['errcode'];
  // The lowest byte of an extended code is the code.
  return typeof code === 'number' && damageCodes.has(code & 0xff);
};

const likePattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const decodeKind = oneOf(historyKinds);
const decodeOutcome = oneOf(historyOutcomes);

/** Undefined for an entry of a newer version with a kind or outcome that this one does not know. */
function entryOf(row: Record<string, SQLOutputValue>, keptRuns: ReadonlySet<string>): HistoryEntry | undefined {
  const kind = decodeKind(row['kind']);
  const outcome = decodeOutcome(row['outcome']);
  if (!kind || !outcome) return undefined;
  const text = (name: string): string => asString(row[name]) ?? '';
  const run = asString(row['run']);
  return {
    id: Number(row['id']),
    at: Number(row['at']),
    kind,
    profileId: text('profile'),
    project: text('project'),
    sql: text('sql'),
    params: asString(row['params']),
    isWrite: row['write'] === 1,
    elapsedMs: Number(row['elapsed']),
    rowCount: asCount(row['rows']),
    changedRows: asCount(row['changed']),
    outcome,
    code: asString(row['code']),
    message: asString(row['message']),
    agent: asString(row['agent']),
    run,
    isCut: row['cut'] === 1,
    hasRows: run !== undefined && keptRuns.has(run),
  };
}
