import type { Connection } from './connection.ts';
import type { OnceRecords } from './onceRecords.ts';
import type { GivenAnswer } from './recordsFile.ts';

/** Where the answers of calls with keys stood once, among the tenant's own tables. */
const formerTable = 'sqlite_stat_calls';

/** Leaves nothing of them in the file's free pages. */
export const dropFormerRecords = `PRAGMA secure_delete = ON; DROP TABLE IF EXISTS ${formerTable}; PRAGMA secure_delete = OFF`;

/** Takes the answers over from a database that still has them in a table, which then is gone. */
export function takeOverFormerRecords(connection: Connection, records: OnceRecords): void {
  connection.attempt(() =>
    connection.trusted(database => {
      if (!database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(formerTable)) return;
      database.exec('BEGIN IMMEDIATE');
      try {
        const found = database.prepare(
          `SELECT key, fingerprint, answered_at AS answeredAt, row_count AS rowCount, columns, rows FROM ${formerTable}`,
        );
        records.keepAll(found.iterate() as Iterable<unknown> as Iterable<GivenAnswer>);
        database.exec(`${dropFormerRecords}; COMMIT`);
      } catch (thrown) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw thrown;
      }
    }),
  );
}
