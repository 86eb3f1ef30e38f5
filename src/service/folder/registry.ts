import { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '../../base/clock.ts';
import { inTransaction } from '../../base/inTransaction.ts';
import { decodeKey, type KeyRecord, type NewKey } from '../../wire/adminAnswers.ts';
import { decodeProject, type ProjectRecord } from '../../wire/answers.ts';
import type { KeyScope } from '../../wire/keyScope.ts';
import type { ProjectPair } from '../../wire/projectAnswers.ts';
import { isDiskFull, onDisk } from '../faults.ts';
import {
  expiryOf,
  hashKey,
  hourOf,
  keyIdOf,
  type KeyOwner,
  newKey,
  randomKeyPart,
  storedScope,
  timestamp,
} from './keys.ts';

/** The file's user_version. Each change of the layout needs another number. */
const layoutVersion = 5;
const layout = `
  CREATE TABLE projects (
    project_id TEXT PRIMARY KEY, holder_id TEXT NOT NULL, project_name TEXT NOT NULL,
    UNIQUE (holder_id, project_name)
  ) STRICT;
  CREATE TABLE keys (
    hash BLOB PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects, issued_to TEXT NOT NULL, issued_at TEXT NOT NULL,
    revoked_at TEXT, scope TEXT NOT NULL, expires_at TEXT, last_used_at TEXT
  ) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value ANY) STRICT;`;

/** The same as `keyIdOf`. */
const keyIdSql = 'lower(hex(substr(hash, 1, 6)))';

/** The projects, and the keys that open them. Only the hash of a key is stored. */
export class Registry {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #ownerOfKey;

  constructor(file: string, clock: Clock = systemClock) {
    this.#database = openWithLog(file);
    this.#clock = clock;
    onDisk(() => this.#makeTables());
    this.#ownerOfKey = this.#database.prepare(
      `SELECT projects.*, scope, last_used_at FROM keys JOIN projects USING (project_id)
       WHERE hash = ? AND revoked_at IS NULL AND coalesce(expires_at > ?, 1)`,
    );
  }

  projects(): ProjectRecord[] {
    return this.#database.prepare('SELECT * FROM projects ORDER BY project_name, holder_id').all().map(decodeProject);
  }

  project(projectId: string): ProjectRecord | undefined {
    const row = this.#database.prepare('SELECT * FROM projects WHERE project_id = ?').get(projectId);
    return row && decodeProject(row);
  }

  projectOfPair({ holderId, projectName }: ProjectPair): ProjectRecord | undefined {
    const sql = 'SELECT * FROM projects WHERE holder_id = ? AND project_name = ?';
    const row = this.#database.prepare(sql).get(holderId, projectName);
    return row && decodeProject(row);
  }

  addProject(project: ProjectRecord): ProjectRecord {
    const { projectId, holderId, projectName } = project;
    const sql = 'INSERT INTO projects VALUES (?, ?, ?)';
    onDisk(() => this.#database.prepare(sql).run(projectId, holderId, projectName));
    return project;
  }

  /** Makes a key. It cannot be read again. */
  issueKey(projectId: string, issuedTo: string, scope: KeyScope, expiresInSeconds?: number): NewKey {
    const apiKey = newKey();
    const hash = hashKey(apiKey);
    const expiresAt = expiryOf(this.#clock.now(), expiresInSeconds) ?? null;
    const sql = `INSERT INTO keys VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), NULL, ?, ?, NULL)`;
    onDisk(() => this.#database.prepare(sql).run(hash, projectId, issuedTo, scope, expiresAt));
    return { keyId: keyIdOf(hash), apiKey };
  }

  /** All keys, or those of one project, including revoked ones. */
  keys(projectId?: string): KeyRecord[] {
    const sql = `SELECT *, ${keyIdSql} AS key_id FROM keys WHERE project_id = coalesce(?, project_id) ORDER BY project_id, issued_at, rowid`;
    return this.#database
      .prepare(sql)
      .all(projectId ?? null)
      .map(decodeKey);
  }

  /** Revokes a key and returns its record; undefined if no key has that id. */
  revokeKey(keyId: string): KeyRecord | undefined {
    const sql = `UPDATE keys SET revoked_at = coalesce(revoked_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
      WHERE ${keyIdSql} = ? RETURNING *, ${keyIdSql} AS key_id`;
    const row = onDisk(() => this.#database.prepare(sql).get(keyId));
    return row && decodeKey(row);
  }

  revokeKeysOf(projectId: string): void {
    const sql = `UPDATE keys SET revoked_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE project_id = ? AND revoked_at IS NULL`;
    onDisk(() => this.#database.prepare(sql).run(projectId));
  }

  removeProject(projectId: string): void {
    onDisk(() =>
      inTransaction(this.#database, () => {
        this.#database.prepare('DELETE FROM keys WHERE project_id = ?').run(projectId);
        this.#database.prepare('DELETE FROM projects WHERE project_id = ?').run(projectId);
      }),
    );
  }

  /** Undefined if the key is not valid. The lookup is by hash, so its time reveals nothing about keys. */
  ownerOf(key: string): KeyOwner | undefined {
    const hash = hashKey(key);
    const row = this.#ownerOfKey.get(hash, timestamp(this.#clock.now()));
    if (row) this.#noteUse(hash, row['last_used_at']);
    return row && { project: decodeProject(row), keyId: keyIdOf(hash), scope: storedScope(row['scope']) };
  }

  /** A disk that is full or fails must not refuse calls that only read. */
  #noteUse(hash: Buffer, lastUsedAt: unknown): void {
    const hour = hourOf(this.#clock.now());
    if (hour === lastUsedAt) return;
    try {
      this.#database.prepare('UPDATE keys SET last_used_at = ? WHERE hash = ?').run(hour, hash);
    } catch {
      // The next call tries again.
    }
  }

  /** The last port of the service. Clients bind keys to an address, so the service takes the same port again. */
  lastPort(): number | undefined {
    const port = this.#database.prepare(`SELECT value FROM facts WHERE name = 'port'`).get()?.['value'];
    return typeof port === 'number' ? port : undefined;
  }

  rememberPort(port: number): void {
    if (port === this.lastPort()) return;
    onDisk(() => this.#database.prepare(`INSERT OR REPLACE INTO facts VALUES ('port', ?)`).run(BigInt(port)));
  }

  /** The secret that seals backups. It never leaves the data folder. */
  backupSecret(): string {
    const sql = `INSERT INTO facts VALUES ('backup_secret', ?) ON CONFLICT DO UPDATE SET value = value RETURNING value`;
    return String(onDisk(() => this.#database.prepare(sql).get(randomKeyPart()))?.['value']);
  }

  close(): void {
    this.#database.close();
  }

  #makeTables(): void {
    const version = this.#database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version === layoutVersion) return;
    if (version !== 0) throw new Error('Another version of this program has made the data folder. Use that version.');
    this.#database.exec(`BEGIN; ${layout} PRAGMA user_version = ${layoutVersion}; COMMIT`);
  }
}

function openWithLog(file: string): DatabaseSync {
  try {
    return openDatabase(file, 'NORMAL');
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown;
    // A full disk has no room for the index of the log, which connections share. An exclusive connection keeps it in memory.
    return openDatabase(file, 'EXCLUSIVE');
  }
}

function openDatabase(file: string, locking: 'NORMAL' | 'EXCLUSIVE'): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    onDisk(() =>
      database.exec(`PRAGMA locking_mode = ${locking}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`),
    );
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}
