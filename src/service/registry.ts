import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { ProjectRecord } from '../wire/answers.ts';

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export const newKey = (): string => `sqlp_${randomBytes(32).toString('base64url')}`;

/** Which projects there are, and which keys open them. Of a key only its hash is kept. */
export class Registry {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS projects (
        project_id TEXT PRIMARY KEY, holder_id TEXT NOT NULL, project_name TEXT NOT NULL,
        UNIQUE (holder_id, project_name)
      ) STRICT;
      CREATE TABLE IF NOT EXISTS keys (
        hash BLOB PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects, issued_to TEXT NOT NULL, issued_at TEXT NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value ANY) STRICT;`);
  }

  projects(): ProjectRecord[] {
    return this.#database.prepare('SELECT * FROM projects ORDER BY project_name').all().map(toProject);
  }

  project(projectId: string): ProjectRecord | undefined {
    const found = this.#database.prepare('SELECT * FROM projects WHERE project_id = ?').get(projectId);
    return found && toProject(found);
  }

  addProject(holderId: string, projectName: string): ProjectRecord {
    const project = { projectId: randomUUID(), holderId, projectName };
    this.#database.prepare('INSERT INTO projects VALUES (?, ?, ?)').run(project.projectId, holderId, projectName);
    return project;
  }

  issueKey(projectId: string, issuedTo: string): string {
    const key = newKey();
    this.#database.prepare(`INSERT INTO keys VALUES (?, ?, ?, datetime('now'))`).run(hashKey(key), projectId, issuedTo);
    return key;
  }

  /** The project that a key opens. Keys are looked up by their hash, so that timing tells nothing about them. */
  projectOfKey(key: string): ProjectRecord | undefined {
    const found = this.#database
      .prepare('SELECT projects.* FROM keys JOIN projects USING (project_id) WHERE hash = ?')
      .get(hashKey(key));
    return found && toProject(found);
  }

  /** Where the service listened last. Keys are bound to an address, so it comes back to the same one if it can. */
  lastPort(): number | undefined {
    const port = this.#database.prepare(`SELECT value FROM facts WHERE name = 'port'`).get()?.['value'];
    return typeof port === 'number' ? port : undefined;
  }

  rememberPort(port: number): void {
    this.#database.prepare(`INSERT OR REPLACE INTO facts VALUES ('port', ?)`).run(BigInt(port));
  }

  close(): void {
    this.#database.close();
  }
}

function toProject(row: Readonly<Record<string, unknown>>): ProjectRecord {
  return {
    projectId: String(row['project_id']),
    holderId: String(row['holder_id']),
    projectName: String(row['project_name']),
  };
}
