import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { asArray, asRecord, asString } from '../../base/decode.ts';
import type { ResultTab } from './resultTab.ts';
import { decodeRecord, encodeParams, encodeRecord, type ResultRecord } from './resultRecord.ts';

const mementoKey = 'sqlProjects.savedResults';
/** Far more than users pin. Beyond it, the oldest records are removed. */
const maxRecords = 50;
/** Longer parameter values are in a file, since VS Code holds all of the workspace's state in memory. */
const maxListedParamsLength = 100_000;

export interface SavedResultsParts {
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** Undefined where no folder is open. Then only the list outlives the window, and its results say that they are gone. */
  readonly folder: string | undefined;
}

/** The results that outlive the window: a list of records in the workspace's state, and the rows in files. */
export class SavedResults {
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #folder: string | undefined;
  /** The results whose parameter values are in a file. They never change. */
  readonly #savedParams = new Set<string>();
  #listChanges: Promise<void> = Promise.resolve();
  /** Apart from the list, which must not wait while many rows are copied to another disk. */
  #fileChanges: Promise<void> = Promise.resolve();

  constructor({ state, folder }: SavedResultsParts) {
    this.#state = state;
    this.#folder = folder;
  }

  async records(): Promise<ResultRecord[]> {
    const records = await Promise.all(this.#list().map(entry => this.#decode(entry)));
    return records.filter(record => record !== undefined);
  }

  /** The file with the rows of a result. */
  rowsFile(id: string): string {
    return join(this.#folder ?? '', `${id}.rows`);
  }

  /**
   * Lists a result with its present state, and saves its rows if it has ended. A result whose rows are not or cannot be
   * saved stays on the list, so that the next window says that they are gone.
   */
  save(result: ResultTab, isInEditor: boolean): Promise<void> {
    const listed = this.#changeList(() => this.#enter(result, isInEditor));
    return this.#changeFiles(async () => {
      await listed;
      if (!this.#isListed(result.id)) return;
      await this.#saveLongParams(result);
      if (!result.isUnderWay && !result.isSaved) await this.#saveRows(result);
    });
  }

  /** Takes a result off the list. Its rows stay as long as the window may show them. */
  unlist({ id }: Pick<ResultTab, 'id'>): Promise<void> {
    return this.#changeList(async () => {
      if (this.#isListed(id)) await this.#update(this.#list().filter(entry => idOf(entry) !== id));
    });
  }

  /** Removes all of a result that would outlive the window. */
  remove(result: Pick<ResultTab, 'id'>): Promise<void> {
    const unlisted = this.unlist(result);
    return this.#changeFiles(async () => {
      await unlisted;
      await this.#removeFiles(result.id);
    });
  }

  /** Removes files that no record leads to, and half-written ones. A window that was killed leaves such files. */
  removeOrphans(): Promise<void> {
    return this.#changeFiles(async () => {
      const folder = this.#folder;
      if (folder === undefined) return;
      for (const name of await readdir(folder).catch(() => [])) {
        const id = name.slice(0, name.indexOf('.'));
        if (!this.#isListed(id) || name.endsWith('.new')) await rm(join(folder, name), { force: true });
      }
    });
  }

  async #enter(result: ResultTab, isInEditor: boolean): Promise<void> {
    const { id } = result;
    const params = encodeParams(result.subject);
    const others = this.#list().filter(entry => idOf(entry) !== id);
    const removed = others.splice(0, Math.max(0, others.length + 1 - maxRecords));
    const listedParams = isLong(params) ? { hasParamsFile: true } : { params };
    await this.#update([...others, { ...encodeRecord(result, isInEditor), ...listedParams }]);
    for (const entry of removed) void this.#changeFiles(() => this.#removeFiles(idOf(entry) ?? ''));
  }

  async #saveLongParams({ id, subject }: ResultTab): Promise<void> {
    if (this.#folder === undefined || this.#savedParams.has(id)) return;
    const params = encodeParams(subject);
    if (!isLong(params)) return;
    await this.#makeFolder();
    await writeFile(this.#paramsFile(id), params, { mode: 0o600 });
    this.#savedParams.add(id);
  }

  async #saveRows(result: ResultTab): Promise<void> {
    const { storage } = result.run;
    if (!storage || this.#folder === undefined) return;
    await this.#makeFolder();
    await storage.save(this.rowsFile(result.id));
    result.isSaved = true;
  }

  async #decode(entry: unknown): Promise<ResultRecord | undefined> {
    const record = asRecord(entry);
    const hasParamsFile = record?.['hasParamsFile'] === true;
    const params = hasParamsFile
      ? await readFile(this.#paramsFile(idOf(entry) ?? ''), 'utf8').catch(() => undefined)
      : asString(record?.['params']);
    return decodeRecord(entry, params);
  }

  #list(): readonly unknown[] {
    return asArray(this.#state.get(mementoKey)) ?? [];
  }

  #isListed(id: string): boolean {
    return this.#list().some(entry => idOf(entry) === id);
  }

  async #update(entries: readonly unknown[]): Promise<void> {
    await this.#state.update(mementoKey, entries);
  }

  #paramsFile(id: string): string {
    return join(this.#folder ?? '', `${id}.params.json`);
  }

  async #makeFolder(): Promise<void> {
    if (this.#folder !== undefined) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  async #removeFiles(id: string): Promise<void> {
    if (this.#folder === undefined || id === '') return;
    const rows = this.rowsFile(id);
    this.#savedParams.delete(id);
    for (const file of [rows, `${rows}.index`, this.#paramsFile(id)]) await rm(file, { force: true });
  }

  /** Changes one after another, so that none overwrites what another wrote. A failed change does not stop the next. */
  #changeList(change: () => Promise<void>): Promise<void> {
    this.#listChanges = this.#listChanges.then(change).catch(() => undefined);
    return this.#listChanges;
  }

  /** The same for files, so that no rows are removed while they are written. */
  #changeFiles(change: () => Promise<void>): Promise<void> {
    this.#fileChanges = this.#fileChanges.then(change).catch(() => undefined);
    return this.#fileChanges;
  }
}

const idOf = (entry: unknown): string | undefined => asString(asRecord(entry)?.['id']);

const isLong = (params: string | undefined): params is string =>
  params !== undefined && params.length > maxListedParamsLength;
