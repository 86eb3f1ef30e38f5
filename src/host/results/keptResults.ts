import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { asArray } from '../../base/shape.ts';
import type { KeptResult } from './keptResult.ts';
import { decodeRecord, encodeRecord, type KeptRecord } from './keptRecord.ts';

const memento = 'sqlProjects.keptResults';
/** More than anybody pins; of those beyond, the oldest are forgotten. */
const mostRecords = 50;

/** The results that outlive the window: their rows in files of the workspace's own, and a list of them. */
export class KeptResults {
  readonly #state: vscode.Memento;
  /** Undefined where no folder is open: then nothing outlives the window but the list, which says that it is gone. */
  readonly #folder: string | undefined;
  #listing: Promise<void> = Promise.resolve();
  /** Apart from the list, which is not to wait for rows: it takes long to copy many of them to another disk. */
  #filing: Promise<void> = Promise.resolve();

  constructor({ workspaceState, storageUri }: vscode.ExtensionContext) {
    this.#state = workspaceState;
    this.#folder = storageUri && join(storageUri.fsPath, 'results');
  }

  get records(): KeptRecord[] {
    return (asArray(this.#state.get(memento)) ?? []).flatMap(entry => decodeRecord(entry) ?? []);
  }

  /** Where the rows of a result are kept. */
  fileOf(id: string): string {
    return join(this.#folder ?? '', `${id}.rows`);
  }

  /**
   * Keeps a result as it is by now. One that has not ended is kept once it has. It stands on the list before its rows are kept,
   * and when they cannot be, so that the next window says that it is gone.
   */
  keep(result: KeptResult, isInEditor: boolean): Promise<void> {
    const listed = this.#list(() => this.#enter(result, isInEditor));
    return this.#file(async () => {
      await listed;
      if (!result.isUnderWay && !result.isKept && this.#isListed(result.id)) await this.#keepRows(result);
    });
  }

  /** Takes a result off the list. Its rows stay as long as somebody may look at them. */
  unlist({ id }: Pick<KeptResult, 'id'>): Promise<void> {
    return this.#list(() => this.#drop(id));
  }

  /** Lets go of all that would outlive the window. */
  forget(result: Pick<KeptResult, 'id' | 'isKept'>): Promise<void> {
    const unlisted = this.unlist(result);
    return this.#file(async () => {
      await unlisted;
      if (result.isKept) await this.#remove(result.id);
    });
  }

  /** Removes rows that nothing leads to any more, as a window leaves them that is killed. */
  tidyUp(): Promise<void> {
    return this.#file(async () => {
      const known = new Set(this.records.map(({ id }) => id));
      for (const name of this.#folder === undefined ? [] : await readdir(this.#folder).catch(() => [])) {
        const id = name.slice(0, name.indexOf('.'));
        if (!known.has(id)) await this.#remove(id);
      }
    });
  }

  async #enter(result: KeptResult, isInEditor: boolean): Promise<void> {
    const others = this.#encoded(id => id !== result.id);
    const left = others.splice(0, Math.max(0, others.length + 1 - mostRecords));
    await this.#state.update(memento, [...others, encodeRecord(result, isInEditor)]);
    for (const record of left) void this.#file(() => this.#remove(decodeRecord(record)?.id ?? ''));
  }

  async #keepRows(result: KeptResult): Promise<void> {
    const { storage } = result.run;
    if (!storage || this.#folder === undefined) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await storage.save(this.fileOf(result.id));
    result.isKept = true;
  }

  async #drop(id: string): Promise<void> {
    if (!this.#isListed(id)) return;
    await this.#state.update(
      memento,
      this.#encoded(other => other !== id),
    );
  }

  #isListed(id: string): boolean {
    return this.records.some(record => record.id === id);
  }

  #encoded(isWanted: (id: string) => boolean): unknown[] {
    const entries = asArray(this.#state.get(memento)) ?? [];
    return entries.filter(entry => {
      const record = decodeRecord(entry);
      return record && isWanted(record.id);
    });
  }

  async #remove(id: string): Promise<void> {
    if (this.#folder === undefined || id === '') return;
    for (const name of [this.fileOf(id), `${this.fileOf(id)}.index`]) await rm(name, { force: true });
  }

  /** One after another, so that the list never loses what another change wrote. A fault keeps nothing, and ends nothing. */
  #list(change: () => Promise<void>): Promise<void> {
    this.#listing = this.#listing.then(change).catch(() => undefined);
    return this.#listing;
  }

  /** The same for files, so that no rows are removed while they are written. */
  #file(change: () => Promise<void>): Promise<void> {
    this.#filing = this.#filing.then(change).catch(() => undefined);
    return this.#filing;
  }
}
