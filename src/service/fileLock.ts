import { DatabaseSync } from 'node:sqlite';
import type { Disposable } from '../base/disposable.ts';
import { asRecord } from '../base/shape.ts';

/** SQLite's result code for a lock that another connection has. */
const busy = 5;

/**
 * Locks a file for this process. Gives undefined when another process has it and keeps it for `waitMs`. The lock is
 * SQLite's own, on an empty database: the system releases it when the process ends, however it ends.
 */
export function lockFile(file: string, waitMs = 0): Disposable | undefined {
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (asRecord(thrown)?.['errcode'] === busy) return undefined;
    throw thrown;
  }
  return { dispose: () => database.close() };
}
