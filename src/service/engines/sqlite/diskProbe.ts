import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { diskFault, diskState } from '../../faults.ts';

/** More than SQLite needs to open a project and commit a small write. */
const probeBytes = 64 * 1024;

/** Only a write shows whether the disk takes data: a quota may be used up on a disk with space. */
export class DiskProbe {
  readonly #file: string;
  #runningProbe: Promise<string | undefined> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Why nothing can be written at present. Simultaneous calls share one write. */
  async readOnlyReason(): Promise<string | undefined> {
    this.#runningProbe ??= this.#write().finally(() => (this.#runningProbe = undefined));
    return this.#runningProbe;
  }

  async #write(): Promise<string | undefined> {
    try {
      await writeFile(this.#file, randomBytes(probeBytes), { flush: true });
      return undefined;
    } catch (thrown) {
      if (!diskFault(thrown)) throw thrown;
      return diskState;
    } finally {
      await rm(this.#file, { force: true });
    }
  }
}
