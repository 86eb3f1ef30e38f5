import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf, ProjectError } from '../../base/errors.ts';
import { makeScratchFolder } from './scratchFolder.ts';

type Content = AsyncIterable<Uint8Array> | Promise<void>;

/** The rows are whole, under another name than they were to have. */
export const notNamed = 'export_not_named';

/**
 * Writes a file in the place of one that may be there. It is written under another name beside it first, so that whatever
 * goes wrong leaves nothing that looks like the whole of it, and the old one as it was.
 */
export async function writeFile(
  file: vscode.Uri,
  contentAt: (path: string) => Content,
  signal: AbortSignal,
): Promise<void> {
  const name = `.${basename(file.path)}.${randomUUID()}.part`;
  if (file.scheme !== 'file') return writeElsewhere(file, name, contentAt, signal);
  const part = join(dirname(file.fsPath), name);
  try {
    await writePart(part, contentAt, signal);
    await rename(part, file.fsPath);
  } finally {
    await rm(part, { force: true });
  }
}

/** What is no file of a disk takes files as wholes, from a disk. */
async function writeElsewhere(
  file: vscode.Uri,
  name: string,
  contentAt: (path: string) => Content,
  signal: AbortSignal,
): Promise<void> {
  const folder = await makeScratchFolder();
  const beside = vscode.Uri.joinPath(file, '..', name);
  try {
    const part = join(folder, name);
    await writePart(part, contentAt, signal);
    await vscode.workspace.fs.copy(vscode.Uri.file(part), beside);
    signal.throwIfAborted();
  } catch (thrown) {
    await vscode.workspace.fs.delete(beside).then(undefined, () => undefined);
    throw thrown;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await giveName(beside, file);
}

/** VS Code removes what has the name before it gives it to another, so that these may be the only rows then: they stay. */
async function giveName(written: vscode.Uri, file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.rename(written, file, { overwrite: true });
  } catch (cause) {
    const reason = messageOf(cause);
    const sentence = vscode.l10n.t('The rows are in {0}. It could not be renamed: {1}', basename(written.path), reason);
    throw new ProjectError('misuse', notNamed, sentence, { cause });
  }
}

async function writePart(path: string, contentAt: (path: string) => Content, signal: AbortSignal): Promise<void> {
  const content = contentAt(path);
  if (content instanceof Promise) await content;
  else await writeAll(path, content, signal);
  signal.throwIfAborted();
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
