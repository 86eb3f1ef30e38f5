import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDatabase } from '../../base/databaseLock.ts';

/** Keeps an import to one window. The system ends the lock with the window, even after a crash. */
export class ImportLock implements AsyncDisposable {
  readonly #file: string;
  readonly #unlock: () => void;

  private constructor(file: string, unlock: () => void) {
    this.#file = file;
    this.#unlock = unlock;
  }

  /** Undefined while another window has the import. */
  static async take(folder: string, id: string): Promise<ImportLock | undefined> {
    const file = join(folder, `${id}.lock`);
    const { DatabaseSync } = await import('node:sqlite');
    const lock = lockDatabase(new DatabaseSync(file));
    return lock && new ImportLock(file, () => lock.dispose());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlock();
    await rm(this.#file, { force: true });
  }
}
