import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeScratchFolder, partName, removeWithFolder } from './scratchFolder.ts';

/** Pieces of a file, or the end of work that writes the file by itself. */
export type FileContent = AsyncIterable<Uint8Array> | Promise<void>;
export type WriteContent = (path: string) => FileContent;

/**
 * Writes a file, or replaces it. The content goes into a part file beside it first: a failure leaves an existing file as it
 * was, and nothing that looks complete.
 */
export async function writeLocalFile(file: string, contentAt: WriteContent, signal: AbortSignal): Promise<void> {
  const part = join(dirname(file), partName(basename(file), randomUUID()));
  // An export does not need it, so it works without a temporary folder as well.
  const scratch = await makeScratchFolder().catch(() => undefined);
  try {
    if (scratch !== undefined) await removeWithFolder(scratch, part).catch(() => undefined);
    await writePart(part, contentAt, signal);
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

export async function writePart(path: string, contentAt: WriteContent, signal: AbortSignal): Promise<void> {
  const content = contentAt(path);
  if (content instanceof Promise) await content;
  else await writePieces(path, content, signal);
  signal.throwIfAborted();
}

async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
}
