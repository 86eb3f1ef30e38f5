import { DatabaseSync } from 'node:sqlite';
import { StatementGuard } from './worker/statementGuard.ts';

const attach = `ATTACH ':memory:' AS other`;

/** Throws if SQLite does not keep a project within its database. Older versions of Node.js ignore some limits. */
export function requireSafeSqlite(): void {
  const database = new DatabaseSync(':memory:');
  try {
    const guard = new StatementGuard(database);
    requireBounds(database, run => guard.trust(run));
  } finally {
    database.close();
  }
}

/** Tries statements that must fail: first with the authorizer, then in `trust`, where only the other limits hold. */
export function requireBounds(database: DatabaseSync, trust: (run: () => void) => void): void {
  requireRefusal(database, 'its authorizer', 'PRAGMA user_version = 1');
  requireRefusal(database, 'its limits of length', 'SELECT length(zeroblob(100000000))');
  trust(() => {
    requireRefusal(database, 'its limit of attached databases', attach);
    database.exec('PRAGMA writable_schema = ON');
    requireRefusal(database, 'its defensive mode', `INSERT INTO sqlite_schema (type) VALUES ('table')`);
  });
}

function requireRefusal(database: DatabaseSync, bound: string, sql: string): void {
  try {
    database.prepare(sql).all();
  } catch {
    return;
  }
  const version = `Node.js ${process.versions.node}`;
  throw new Error(
    `SQLite in ${version} ignores ${bound}, so projects cannot be kept apart. Use Node.js 24.15 or newer.`,
  );
}
