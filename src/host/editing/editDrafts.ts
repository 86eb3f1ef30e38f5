import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDatabase } from '../../base/databaseLock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Draft, draftText, readDraft } from '../../model/editing/draft.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';

/** After this time, the window that requested the draft may have ended. */
const requestLifetimeMs = 2000;

/** Keeps the draft of a table to one window. Disposing gives it to others. */
export type DraftClaim = Disposable;

/**
 * The drafts of unsaved edits, a file for each table. VS Code's own backups lose the edits of the last seconds when a window
 * is reloaded or killed.
 */
export class EditDrafts implements Disposable {
  readonly #folder: string;
  readonly #locks = new Set<Disposable>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined while another window has the draft. The system ends a claim with its window, however that ends. */
  async claim(profileId: string, table: string): Promise<DraftClaim | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { DatabaseSync } = await import('node:sqlite');
    // The empty file stays: another window may be about to lock it.
    const lock = lockDatabase(new DatabaseSync(`${this.fileOf(profileId, table)}.lock`));
    if (!lock) return undefined;
    await rm(this.#requestFile(profileId, table), { force: true });
    this.#locks.add(lock);
    return {
      dispose: () => {
        if (this.#locks.delete(lock)) lock.dispose();
      },
    };
  }

  /** Requests the draft from the window that has it. */
  async ask(profileId: string, table: string): Promise<void> {
    await writeFile(this.#requestFile(profileId, table), '');
  }

  /** Whether another window has just requested the draft. A window that waits for it repeats the request. */
  async hasRequest(profileId: string, table: string): Promise<boolean> {
    const request = await stat(this.#requestFile(profileId, table)).catch(() => undefined);
    return request !== undefined && Date.now() - request.mtimeMs < requestLifetimeMs;
  }

  async read(profileId: string, table: string): Promise<Draft | undefined> {
    const text = await readFile(this.fileOf(profileId, table), 'utf8').catch(() => undefined);
    const draft = text === undefined ? undefined : readDraft(text);
    return draft?.profileId === profileId && isSameName(draft.table, table) ? draft : undefined;
  }

  /** Replaces the file as a whole, so that a killed window leaves the old draft or the new one. */
  async write(draft: Draft): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(draft.profileId, draft.table);
    const part = `${file}.${randomUUID()}.part`;
    try {
      // Only the user may read it: it has values of the table.
      await writeFile(part, draftText(draft), { mode: 0o600 });
      await rename(part, file);
    } finally {
      await rm(part, { force: true });
    }
  }

  async remove(profileId: string, table: string): Promise<void> {
    await rm(this.fileOf(profileId, table), { force: true });
  }

  /** Names of tables may be long, or differ in ways that a file system does not see. SQLite ignores their case. */
  fileOf(profileId: string, table: string): string {
    const name = createHash('sha256')
      .update(JSON.stringify([profileId, keyOf(table)]))
      .digest('hex');
    return join(this.#folder, `${name}.json`);
  }

  #requestFile(profileId: string, table: string): string {
    return `${this.fileOf(profileId, table)}.request`;
  }

  /** Gives all drafts to other windows. */
  dispose(): void {
    for (const lock of this.#locks) lock.dispose();
    this.#locks.clear();
  }
}
