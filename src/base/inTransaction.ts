/** The part of a `DatabaseSync` that a transaction needs. */
interface TransactionDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
}

/** Does work that writes. If it fails, the database stays as it was. */
export function inTransaction(database: TransactionDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}
