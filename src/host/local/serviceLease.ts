import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { asProjectError, ProjectError } from '../../base/errors.ts';
import { decodeKeeperFile, keeperFileName } from '../../wire/keeper.ts';
import { KeeperLink } from './keeperLink.ts';
import { type KeeperFiles, startKeeper } from './startKeeper.ts';

/** A keeper may end between being found and being asked; this often in a row it does not. */
const mostAttempts = 4;

/** This window's claim on the local service, which all windows share: it runs from the first use to the last window's end. */
export class ServiceLease implements Disposable {
  readonly #files: KeeperFiles;
  #link: KeeperLink | undefined;
  #asking: Promise<string> | undefined;
  #disposed = false;

  constructor(files: KeeperFiles) {
    this.#files = files;
  }

  /** Has the service running, whatever became of it, and gives its address. */
  running(): Promise<string> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  dispose(): void {
    this.#disposed = true;
    this.#link?.dispose();
  }

  async #ask(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await (await this.#linked(attempt > 1)).need();
        if ('baseUrl' in answer) return answer.baseUrl;
        throw new ProjectError('transport', answer.code, answer.message);
      } catch (thrown) {
        if (this.#disposed || asProjectError(thrown)?.code !== 'keeper_lost' || attempt === mostAttempts) throw thrown;
      }
    }
  }

  async #linked(startAnew: boolean): Promise<KeeperLink> {
    if (this.#link?.isOpen) return this.#link;
    const link = (startAnew ? undefined : await this.#find()) ?? (await this.#start());
    if (this.#disposed) link.dispose();
    this.#link = link;
    return link;
  }

  /** The keeper that another window started. Its file may have outlived it. */
  async #find(): Promise<KeeperLink | undefined> {
    const text = await readFile(join(this.#files.folder, keeperFileName), 'utf8').catch(() => '');
    const file = decodeKeeperFile(text);
    return file && KeeperLink.open(file).catch(() => undefined);
  }

  async #start(): Promise<KeeperLink> {
    await startKeeper(this.#files);
    const link = await this.#find();
    if (link) return link;
    throw new ProjectError('transport', 'keeper_lost', 'The process that keeps the local service running is gone.');
  }
}
