import type { Stats } from 'node:fs';
import { chmod, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { asRecord } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { syncFolder } from '../../model/replaceFile.ts';
import { partName, removeWithFolder, ScratchFolder } from './scratchFolder.ts';

/** The bytes of a file in pieces. A promise settles when the work has written the file by itself. */
export type FileContent = AsyncIterable<Uint8Array> | Promise<void>;
/** `mode` is for work that creates the file by itself. */
export type WriteContent = (path: string, mode: number) => FileContent;

/** The user's umask restricts it further. */
const newFileMode = 0o666;
/** Only this user may read a part file. At the end it gets the mode of the file that it replaces. */
const privateMode = 0o600;

/**
 * Writes or replaces a file. The content goes into a part file beside it first, so a failure leaves an existing file as it was. A
 * symbolic link stays: the file that it leads to is replaced.
 */
export async function writeLocalFile(file: string, contentAt: WriteContent, signal: AbortSignal): Promise<void> {
  const target = await linkedFile(file);
  const part = join(dirname(target), partName(basename(target)));
  const scratch = new ScratchFolder();
  try {
    // If this window is killed, another one removes the part file. The export goes on if the temporary folder cannot be used.
    await scratch
      .path()
      .then(folder => removeWithFolder(folder, part))
      .catch(() => undefined);
    const mode = (await replacedFile(target)) ? privateMode : newFileMode;
    await writePart(part, contentAt, mode, signal);
    const replaced = await replacedFile(target);
    // Some file systems have no modes. The part file then stays as it is.
    if (replaced) await chmod(part, modeWithoutGroup(replaced.mode)).catch(() => undefined);
    await rename(part, target);
    await syncFolder(dirname(target));
  } finally {
    await rm(part, { force: true });
    await scratch.remove().catch(() => undefined);
  }
}

export const writePrivatePart = (path: string, contentAt: WriteContent, signal: AbortSignal): Promise<void> =>
  writePart(path, contentAt, privateMode, signal);

async function writePart(path: string, contentAt: WriteContent, mode: number, signal: AbortSignal): Promise<void> {
  // Work that is cancelled ends its content, too.
  const content = contentAt(path, mode);
  if (content instanceof Promise) await content;
  else await writeFile(path, content, { flag: 'wx', mode });
  signal.throwIfAborted();
  // After a power failure, the renamed file must not be empty.
  await using handle = await open(path, 'r+');
  await handle.sync();
}

/** Follows symbolic links. The last file need not exist yet. */
async function linkedFile(file: string): Promise<string> {
  const real = await realpath(file).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ELOOP') throw thrown;
    return undefined;
  });
  if (real !== undefined) return real;
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : linkedFile(resolve(await realpath(dirname(file)), link));
}

/** Undefined when there is no file to replace. A pipe, a device or a folder is never replaced. */
async function replacedFile(target: string): Promise<Stats | undefined> {
  const stats = await stat(target).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
    return undefined;
  });
  if (stats?.isFile() === false) throw misuse('not_a_file', `${target} is not a file.`);
  return stats;
}

/** The new file may belong to another group. The group and all others get only the rights that both had before. */
export function modeWithoutGroup(mode: number): number {
  const shared = (mode >> 3) & mode & 0o007;
  return (mode & 0o700) | (shared << 3) | shared;
}

const codeOf = (thrown: unknown): unknown => asRecord(thrown)?.['code'];
