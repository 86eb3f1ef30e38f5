import { lockDatabase } from '../base/databaseLock.ts';
import type { Disposable } from '../base/disposable.ts';

/**
 * Locks a file for this window. Undefined while another window has the lock. The system releases it however the window ends.
 * The empty file stays: another window may be about to lock it, and a third one would lock a new file of that name.
 */
export async function lockFile(file: string | URL): Promise<Disposable | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  return lockDatabase(new DatabaseSync(file));
}
