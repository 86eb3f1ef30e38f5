import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Disposable } from '../base/disposable.ts';
import { asRecord } from '../base/shape.ts';

const busy = 5;

/**
 * Holds a data folder for this process alone, or gives undefined when another one has it. It is SQLite's lock on an empty
 * database, which the system takes back when the process ends, however it ends.
 */
export function lockFolder(folder: string): Disposable | undefined {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (asRecord(thrown)?.['errcode'] === busy) return undefined;
    throw thrown;
  }
  return { dispose: () => database.close() };
}
