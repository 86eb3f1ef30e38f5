import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { asArray, asRecord, asString } from '../../base/decode.ts';
import { savedFiles } from '../../model/results/spool/savedSpool.ts';
import { paramsEnding, savedResultsKey } from '../../model/savedValues.ts';
import type { ResultTab } from './resultTab.ts';
import { decodeRecord, encodeParams, encodeRecord, type ResultRecord } from './resultRecord.ts';

/** Far more than users pin. Beyond it, the oldest records are removed. */
const maxRecords = 50;
/** Longer parameter values are in a file, since VS Code holds all of the workspace's state in memory. */
const maxListedParamsLength = 100_000;

interface SavedResultsParts {
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** Undefined where no folder is open. Then only the list outlives the window, and its results say that they are gone. */
  readonly folder: string | undefined;
  readonly savesValues: () => boolean;
}

/** The results that outlive the window: a list of records in the workspace's state, and the rows in files. */
export class SavedResults {
  readonly #parts: SavedResultsParts;
  #listChanges: Promise<void> = Promise.resolve();
  /** A queue of its own: the list must not wait while many rows are copied to another disk. */
  #fileChanges: Promise<void> = Promise.resolve();

  constructor(parts: SavedResultsParts) {
    this.#parts = parts;
  }

  async records(): Promise<ResultRecord[]> {
    const records = await Promise.all(this.#list().map(entry => this.#decode(entry)));
    return records.filter(record => record !== undefined);
  }

  rowsFile(id: string): string {
    return join(this.#parts.folder ?? '', `${id}.rows`);
  }

  /**
   * Lists a result. Saves the rows of an ended run. A result without rows stays listed: the next window says that they are gone.
   */
  save(result: ResultTab, isInEditor: boolean): Promise<void> {
    // A project of the run is tried again, so its rows change.
    if (result.isUnderWay) result.isSaved = false;
    const listed = this.#changeList(() => this.#enter(result, isInEditor));
    return this.#changeFiles(async () => {
      await listed;
      if (!this.#isListed(result.id)) return;
      await this.#saveLongParams(result);
      if (!result.isUnderWay && !result.isSaved) await this.#saveRows(result);
    });
  }

  /** The rows stay as long as the window may show them. */
  unlist({ id }: Pick<ResultTab, 'id'>): Promise<void> {
    return this.#changeList(async () => {
      const others = this.#list().filter(entry => idOf(entry) !== id);
      if (this.#isListed(id)) await this.#parts.state.update(savedResultsKey, others);
    });
  }

  /** Removes everything of a result that would outlive the window. */
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
      const folder = this.#parts.folder;
      if (folder === undefined) return;
      for (const name of await readdir(folder).catch(() => [])) {
        const id = name.slice(0, name.indexOf('.'));
        const isForbidden = name.endsWith(paramsEnding) && !this.#parts.savesValues();
        if (!this.#isListed(id) || isForbidden || name.endsWith('.new')) await rm(join(folder, name), { force: true });
      }
    });
  }

  async #enter(result: ResultTab, isInEditor: boolean): Promise<void> {
    const { id } = result;
    const params = this.#savedParams(result);
    const others = this.#list().filter(entry => idOf(entry) !== id);
    const removedRecords = others.splice(0, Math.max(0, others.length + 1 - maxRecords));
    const listedParams = isLong(params) ? { hasParamsFile: true } : { params };
    const entries = [...others, { ...encodeRecord(result, isInEditor), ...listedParams }];
    await this.#parts.state.update(savedResultsKey, entries);
    for (const entry of removedRecords) void this.#changeFiles(() => this.#removeFiles(idOf(entry) ?? ''));
  }

  async #saveLongParams(result: ResultTab): Promise<void> {
    const params = this.#savedParams(result);
    if (this.#parts.folder === undefined || !isLong(params)) return;
    await this.#makeFolder();
    await writeFile(this.#paramsFile(result.id), params, { mode: 0o600 });
  }

  #savedParams({ subject }: ResultTab): string | undefined {
    return subject.params && this.#parts.savesValues() ? encodeParams(subject.params) : undefined;
  }

  async #saveRows(result: ResultTab): Promise<void> {
    const { storage } = result.run;
    if (!storage || this.#parts.folder === undefined) return;
    await this.#makeFolder();
    await storage.save(this.rowsFile(result.id));
    result.isSaved = !result.isUnderWay;
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
    return asArray(this.#parts.state.get(savedResultsKey)) ?? [];
  }

  #isListed(id: string): boolean {
    return this.#list().some(entry => idOf(entry) === id);
  }

  #paramsFile(id: string): string {
    return join(this.#parts.folder ?? '', `${id}${paramsEnding}`);
  }

  async #makeFolder(): Promise<void> {
    if (this.#parts.folder !== undefined) await mkdir(this.#parts.folder, { recursive: true, mode: 0o700 });
  }

  async #removeFiles(id: string): Promise<void> {
    if (this.#parts.folder === undefined || id === '') return;
    for (const file of [...savedFiles(this.rowsFile(id)), this.#paramsFile(id)]) await rm(file, { force: true });
  }

  /** Changes run one after another, so that none overwrites what another wrote. A failed change does not stop the next. */
  #changeList(change: () => Promise<void>): Promise<void> {
    this.#listChanges = this.#listChanges.then(change).catch(() => undefined);
    return this.#listChanges;
  }

  /** As with the list: no rows are removed while they are written. */
  #changeFiles(change: () => Promise<void>): Promise<void> {
    this.#fileChanges = this.#fileChanges.then(change).catch(() => undefined);
    return this.#fileChanges;
  }
}

const idOf = (entry: unknown): string | undefined => asString(asRecord(entry)?.['id']);

const isLong = (params: string | undefined): params is string =>
  params !== undefined && params.length > maxListedParamsLength;
