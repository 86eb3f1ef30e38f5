import { DatabaseSync } from 'node:sqlite';
import { Guard } from './worker/guard.ts';

/** What must fail on a guarded connection, whatever the build of SQLite, or projects could not be kept apart. */
const trials: readonly (readonly [what: string, sql: string])[] = [
  ['its authorizer', `PRAGMA journal_mode = DELETE`],
  ['its limits', `SELECT length(zeroblob(100000000))`],
  ['its limit of attached databases', `ATTACH ':memory:' AS other`],
];

/** Refuses to go on where SQLite does not keep a tenant within bounds. Older versions of Node.js ignore some of them silently. */
export function requireSafeSqlite(): void {
  const database = new DatabaseSync(':memory:');
  try {
    const guard = new Guard(database);
    for (const [what, sql] of trials) requireRefusal(database, what, sql);
    // The authorizer refuses the rest, so what lies beneath it is tried without.
    guard.trust(() => {
      requireRefusal(database, 'its limits', `ATTACH ':memory:' AS other`);
      database.exec('PRAGMA writable_schema = ON');
      requireRefusal(database, 'its defensive mode', `INSERT INTO sqlite_schema (type) VALUES ('table')`);
    });
  } finally {
    database.close();
  }
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
