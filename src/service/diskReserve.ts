import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { isDiskFull } from './faults.ts';

/** SQLite writes each page that a deletion changes into its log: this is the log of 500 pages, with its index. */
const sizeBytes = 2 * 1024 * 1024;
/** The reserve is made only on a disk with this many times as much space: it must not fill the disk itself. */
const plenty = 4;
/** How often a service without its reserve looks for space. */
const checkMs = 60_000;

/**
 * Disk space that the service holds back in a file. On a full disk SQLite needs space even to delete. The reserve is
 * released for that, and made again when the disk has plenty of space.
 */
export class DiskReserve implements Disposable {
  readonly #file: string;
  readonly #clock: Clock;
  #isKept = false;
  #cancelCheck = (): void => {};

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Makes the reserve, now or as soon as the disk has the space for it. */
  keep(): void {
    this.#isKept = true;
    if (!this.#make()) this.#keepLater();
  }

  /** Runs work that makes room in the end. If the disk has no space for it, releases the reserve and runs it again. */
  spend<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      if (!isDiskFull(thrown) || !this.#release()) throw thrown;
      return work();
    }
  }

  /** Does the same with work that takes time. */
  async spendOn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!isDiskFull(thrown) || !this.#release()) throw thrown;
      return work();
    }
  }

  dispose(): void {
    this.#isKept = false;
    this.#cancelCheck();
  }

  #make(): boolean {
    try {
      if (this.#sizeBytes() === sizeBytes) return true;
      const { bavail, bsize } = statfsSync(dirname(this.#file));
      if (bavail * bsize < plenty * sizeBytes) return false;
      // Zeros would take no space on a file system that compresses.
      writeFileSync(this.#file, randomBytes(sizeBytes), { mode: 0o600 });
      return true;
    } catch {
      // A quota may be used up on a disk with space.
      this.#remove();
      return false;
    }
  }

  /** Returns false if there is nothing to release. */
  #release(): boolean {
    if (this.#sizeBytes() === 0) return false;
    this.#remove();
    if (this.#isKept) this.#keepLater();
    return true;
  }

  #keepLater(): void {
    this.#cancelCheck();
    this.#cancelCheck = this.#clock.after(checkMs, () => this.keep());
  }

  #sizeBytes(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  #remove(): void {
    rmSync(this.#file, { force: true });
  }
}
