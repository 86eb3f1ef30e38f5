import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asRecord } from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Draft, readDraft } from '../../model/editing/draft.ts';
import { lockFile } from '../../model/lockFile.ts';
import { replaceFile } from '../../model/replaceFile.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';

/** An older request does not count: its window may have ended. */
const requestLifetimeMs = 2000;

/** A file for the unsaved edits of each table. VS Code's own backups lose the last seconds if a window is reloaded or killed. */
export class EditDrafts implements Disposable {
  readonly #folder: string;
  readonly #onUnreadable: (table: string, file: string) => void;
  readonly #locks = new Set<Disposable>();

  /** `onUnreadable` gets a draft that is not of this version, and the file that keeps it. */
  constructor(folder: string, onUnreadable: (table: string, file: string) => void) {
    this.#folder = folder;
    this.#onUnreadable = onUnreadable;
  }

  /** Undefined while another window has the draft. The system unlocks the draft when the window ends, however it ends. */
  async lock(profileId: string, table: string): Promise<Disposable | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const lock = await lockFile(`${this.fileOf(profileId, table)}.lock`);
    if (!lock) return undefined;
    try {
      await rm(this.#requestFile(profileId, table), { force: true });
      await this.#keepUnreadable(profileId, table);
    } catch (thrown) {
      lock.dispose();
      throw thrown;
    }
    this.#locks.add(lock);
    return {
      dispose: () => {
        if (this.#locks.delete(lock)) lock.dispose();
      },
    };
  }

  async request(profileId: string, table: string): Promise<void> {
    await writeFile(this.#requestFile(profileId, table), '');
  }

  /** Whether another window has just requested the draft. A window that waits for it repeats the request. */
  async hasRequest(profileId: string, table: string): Promise<boolean> {
    const request = await stat(this.#requestFile(profileId, table)).catch(() => undefined);
    return request !== undefined && Date.now() - request.mtimeMs < requestLifetimeMs;
  }

  /** `unreadable` if the file is not a draft of this version. `lock` renames such a file. */
  async read(profileId: string, table: string): Promise<Draft | 'unreadable' | undefined> {
    const text = await readFile(this.fileOf(profileId, table), 'utf8').catch((thrown: unknown) => {
      if (asRecord(thrown)?.['code'] !== 'ENOENT') throw thrown;
    });
    if (text === undefined) return undefined;
    const draft = readDraft(text);
    return draft?.profileId === profileId && isSameName(draft.table, table) ? draft : 'unreadable';
  }

  /** Await this before a statement of the save is sent. Otherwise a power failure could have the statement sent twice. */
  async write(draft: Draft): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.fileOf(draft.profileId, draft.table), JSON.stringify(draft));
  }

  /** Renames a draft that cannot be read, such as one of a later version: the next edit would overwrite it. */
  async #keepUnreadable(profileId: string, table: string): Promise<void> {
    if ((await this.read(profileId, table)) !== 'unreadable') return;
    const file = this.fileOf(profileId, table);
    const kept = `${file}.${Date.now()}.unreadable`;
    await rename(file, kept);
    this.#onUnreadable(table, kept);
  }

  async remove(profileId: string, table: string): Promise<void> {
    await rm(this.fileOf(profileId, table), { force: true });
  }

  /** A hash, since names of tables may be long, or differ in ways that a file system ignores. SQLite ignores their case. */
  fileOf(profileId: string, table: string): string {
    const name = createHash('sha256')
      .update(JSON.stringify([profileId, keyOf(table)]))
      .digest('hex');
    return join(this.#folder, `${name}.json`);
  }

  #requestFile(profileId: string, table: string): string {
    return `${this.fileOf(profileId, table)}.request`;
  }

  dispose(): void {
    for (const lock of this.#locks) lock.dispose();
    this.#locks.clear();
  }
}
