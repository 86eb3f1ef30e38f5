import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, delay } from '../../base/clock.ts';
import { asRecord } from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Draft, readDraft } from '../../model/editing/draft.ts';
import { lockFile } from '../../model/lockFile.ts';
import { replaceFile } from '../../model/replaceFile.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';

/** How often the window with the draft checks for a request of another one. */
const watchMs = 250;
/** How often, and how long, a window requests a draft that another one has. */
const requestMs = 100;
const maxRequestMs = 3000;
/** An older request does not count: its window may have ended. */
const requestLifetimeMs = 2000;

interface DraftOptions {
  readonly profileId: string;
  readonly table: string;
  readonly clock: Clock;
  /** Called when another window requests the draft, and again until the draft is released. */
  readonly onRequest: () => Promise<void>;
}

/** A file for the unsaved edits of each table. VS Code's own backups lose the last seconds if a window is reloaded or killed. */
export class EditDrafts implements Disposable {
  readonly folder: string;
  readonly onUnreadable: (table: string, file: string) => void;
  readonly locks = new Set<Disposable>();

  /** `onUnreadable` gets a draft that is not of this version, and the file that keeps it. */
  constructor(folder: string, onUnreadable: (table: string, file: string) => void) {
    this.folder = folder;
    this.onUnreadable = onUnreadable;
  }

  /** A hash, since names of tables may be long, or differ in ways that a file system ignores. SQLite ignores their case. */
  fileOf(profileId: string, table: string): string {
    const name = createHash('sha256')
      .update(JSON.stringify([profileId, keyOf(table)]))
      .digest('hex');
    return join(this.folder, `${name}.json`);
  }

  dispose(): void {
    for (const lock of this.locks) lock.dispose();
    this.locks.clear();
  }
}

/** The draft of a table. It is released on request: a server may keep the process of a window for hours after its browser was killed. */
export class TableDraft implements Disposable {
  readonly #drafts: EditDrafts;
  readonly #options: DraftOptions;
  readonly #file: string;
  readonly #closing = new AbortController();
  #lock: Disposable | undefined;
  #cancelWatch: (() => void) | undefined;

  constructor(drafts: EditDrafts, options: DraftOptions) {
    this.#drafts = drafts;
    this.#options = options;
    this.#file = drafts.fileOf(options.profileId, options.table);
  }

  get isClaimed(): boolean {
    return this.#lock !== undefined;
  }

  /** Requests the draft if another window has it. False if that window does not release the draft. */
  async claim(): Promise<boolean> {
    const { clock } = this.#options;
    const end = clock.now() + maxRequestMs;
    while (!(await this.claimIfFree())) {
      if (clock.now() >= end) return false;
      await this.request();
      await delay(clock, requestMs, this.#closing.signal);
    }
    return true;
  }

  async claimIfFree(): Promise<boolean> {
    this.#lock ??= await this.#lockFile();
    if (this.#lock) this.#watch();
    return this.isClaimed;
  }

  async request(): Promise<void> {
    await writeFile(this.#requestFile, '');
  }

  /** `unreadable` if the file is not a draft of this version. Claiming renames such a file. */
  async read(): Promise<Draft | 'unreadable' | undefined> {
    const { profileId, table } = this.#options;
    const text = await readFile(this.#file, 'utf8').catch((thrown: unknown) => {
      if (asRecord(thrown)?.['code'] !== 'ENOENT') throw thrown;
    });
    if (text === undefined) return undefined;
    const draft = readDraft(text);
    return draft?.profileId === profileId && isSameName(draft.table, table) ? draft : 'unreadable';
  }

  /** Await this before a statement of the save is sent. Otherwise a power failure could have the statement sent twice. */
  async write(draft: Omit<Draft, 'version' | 'profileId' | 'table'>): Promise<void> {
    const { profileId, table } = this.#options;
    await mkdir(this.#drafts.folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.#file, JSON.stringify({ version: 1, profileId, table, ...draft }));
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  release(): void {
    this.#cancelWatch?.();
    this.#lock?.dispose();
    this.#lock = undefined;
  }

  dispose(): void {
    this.#closing.abort();
    this.release();
  }

  get #requestFile(): string {
    return `${this.#file}.request`;
  }

  /** Undefined while another window has the draft. The system unlocks the draft when the window ends, however it ends. */
  async #lockFile(): Promise<Disposable | undefined> {
    const { folder, locks } = this.#drafts;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await lockFile(`${this.#file}.lock`);
    if (!lock) return undefined;
    try {
      await rm(this.#requestFile, { force: true });
      await this.#keepUnreadable();
    } catch (thrown) {
      lock.dispose();
      throw thrown;
    }
    locks.add(lock);
    return {
      dispose: () => {
        if (locks.delete(lock)) lock.dispose();
      },
    };
  }

  /** Renames a draft that cannot be read, such as one of a later version: the next edit would overwrite it. */
  async #keepUnreadable(): Promise<void> {
    if ((await this.read()) !== 'unreadable') return;
    const kept = `${this.#file}.${Date.now()}.unreadable`;
    await rename(this.#file, kept);
    this.#drafts.onUnreadable(this.#options.table, kept);
  }

  #watch(): void {
    this.#cancelWatch?.();
    this.#cancelWatch = this.#options.clock.after(watchMs, () => void this.#releaseIfRequested());
  }

  /** A window that waits for the draft repeats its request. */
  async #releaseIfRequested(): Promise<void> {
    const request = await stat(this.#requestFile).catch(() => undefined);
    if (request && Date.now() - request.mtimeMs < requestLifetimeMs) await this.#options.onRequest();
    if (this.isClaimed) this.#watch();
  }
}
