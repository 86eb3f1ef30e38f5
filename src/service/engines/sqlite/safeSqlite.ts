import { DatabaseSync } from 'node:sqlite';
import { Guard } from './worker/guard.ts';

const attach = `ATTACH ':memory:' AS other`;

/** Refuses to go on where SQLite does not keep a tenant within bounds. Older versions of Node.js ignore some of them silently. */
export function requireSafeSqlite(): void {
  const database = new DatabaseSync(':memory:');
  try {
    const guard = new Guard(database);
    requireBounds(database, run => guard.trust(run));
  } finally {
    database.close();
  }
}

/** Tries what a tenant must not get through with: all of it, and without the authorizer what lies beneath that. */
export function requireBounds(database: DatabaseSync, trust: (run: () => void) => void): void {
  requireRefusal(database, 'its authorizer', 'PRAGMA user_version = 1');
  requireRefusal(database, 'its limits of length', 'SELECT length(zeroblob(100000000))');
  trust(() => {
    requireRefusal(database, 'its limit of attached databases', attach);
    database.exec('PRAGMA writable_schema = ON');
    requireRefusal(database, 'its defensive mode', `INSERT INTO sqlite_schema (type) VALUES ('table')`);
  });
}

function requireRefusal(database: DatabaseSync, what: string, sql: string): void {
  try {
    database.prepare(sql).all();
  } catch {
    return;
  }
  const version = `Node.js ${process.versions.node}`;
  throw new Error(`SQLite in ${version} ignores ${what}, so projects could not be kept apart. Use 24.15 or newer.`);
}
