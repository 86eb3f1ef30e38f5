import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf, ProjectError } from '../../base/errors.ts';
import { type WriteContent, writeLocalFile, writePrivatePart } from './localFile.ts';
import { partName, ScratchFolder } from './scratchFolder.ts';

/** The code of an error: all rows are in the part file, which could not be renamed. */
export const notRenamed = 'export_not_named';

/** Writes or replaces a file. A failure leaves no incomplete file. */
export async function writeFile(file: vscode.Uri, contentAt: WriteContent, signal: AbortSignal): Promise<void> {
  if (file.scheme === 'file') await writeLocalFile(file.fsPath, contentAt, signal);
  else await writeVirtualFile(file, contentAt, signal, vscode.workspace.fs);
}

export type VirtualFiles = Pick<vscode.FileSystem, 'copy' | 'delete' | 'rename'>;

/** A virtual file system needs a complete local file to copy. */
export async function writeVirtualFile(
  file: vscode.Uri,
  contentAt: WriteContent,
  signal: AbortSignal,
  files: VirtualFiles,
): Promise<void> {
  const scratch = new ScratchFolder();
  const name = partName(basename(file.path), randomUUID());
  const part = vscode.Uri.joinPath(file, '..', name);
  try {
    const local = join(await scratch.path(), name);
    await writePrivatePart(local, contentAt, signal);
    await files.copy(vscode.Uri.file(local), part);
    signal.throwIfAborted();
  } catch (thrown) {
    await files.delete(part).then(undefined, () => undefined);
    throw thrown;
  } finally {
    await scratch.remove();
  }
  await renamePart(part, file, files);
}

/** Keeps the part on a failure. VS Code deletes the old file before it renames the part, so the part may hold the only rows. */
async function renamePart(part: vscode.Uri, file: vscode.Uri, files: VirtualFiles): Promise<void> {
  try {
    await files.rename(part, file, { overwrite: true });
  } catch (cause) {
    const reason = messageOf(cause);
    const message = vscode.l10n.t('The rows are in {0}. It could not be renamed: {1}', basename(part.path), reason);
    throw new ProjectError('misuse', notRenamed, message, { cause });
  }
}
