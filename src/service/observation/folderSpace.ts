import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { atMostEvery, type Clock } from '../../base/clock.ts';

/** How long a measurement is used again: a folder may have many files. */
const freshMs = 10_000;

export interface Space {
  readonly usedBytes: number;
  readonly freeBytes: number;
}

/** Returns a function that measures the files of a data folder, and the free space of its disk. */
export const folderSpace = (folder: string, clock: Clock): (() => Promise<Space>) =>
  atMostEvery(freshMs, clock, async () => {
    const { bavail, bsize } = await statfs(folder);
    let usedBytes = 0;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) usedBytes += await sizeOf(join(entry.parentPath, entry.name));
    }
    return { usedBytes, freeBytes: bavail * bsize };
  });

/** A file may be removed at any time. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
