import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';

/** How long a measurement is used again: a folder may have many files. */
const freshMs = 10_000;

export interface Space {
  readonly usedBytes: number;
  readonly freeBytes: number;
}

/** Measures the files of a data folder, and the free space of its disk. */
export class FolderSpace {
  readonly #folder: string;
  readonly #clock: Clock;
  #lastMeasurement: { readonly at: number; readonly space: Promise<Space> } | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async measure(): Promise<Space> {
    const now = this.#clock.now();
    const age = now - (this.#lastMeasurement?.at ?? -Infinity);
    if (!this.#lastMeasurement || age >= freshMs || age < 0)
      this.#lastMeasurement = { at: now, space: this.#measure() };
    return this.#lastMeasurement.space;
  }

  async #measure(): Promise<Space> {
    const { bavail, bsize } = await statfs(this.#folder);
    let usedBytes = 0;
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) usedBytes += await sizeOf(join(entry.parentPath, entry.name));
    }
    return { usedBytes, freeBytes: bavail * bsize };
  }
}

/** A file may be removed at any time. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
