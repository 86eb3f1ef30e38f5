import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';

type Content = AsyncIterable<Uint8Array> | Promise<void>;

/**
 * Writes a file in the place of one that may be there. It is written under another name first, so that whatever goes
 * wrong leaves no part of it and the old one as it was.
 */
export async function writeFile(
  file: vscode.Uri,
  contentAt: (path: string) => Content,
  signal: AbortSignal,
): Promise<void> {
  const isLocal = file.scheme === 'file';
  const folder = isLocal ? dirname(file.fsPath) : tmpdir();
  const part = join(folder, `.${basename(file.path)}.${randomUUID()}.part`);
  try {
    const content = contentAt(part);
    if (content instanceof Promise) await content;
    else await writeAll(part, content, signal);
    signal.throwIfAborted();
    if (isLocal) await rename(part, file.fsPath);
    else await vscode.workspace.fs.copy(vscode.Uri.file(part), file, { overwrite: true });
  } finally {
    await rm(part, { force: true });
  }
}

async function writeAll(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    for await (const piece of content) {
      signal.throwIfAborted();
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
}
