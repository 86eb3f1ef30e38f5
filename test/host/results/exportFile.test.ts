import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import type { VirtualFiles } from '../../../src/host/results/exportRows.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { notRenamed, writeVirtualFile } = await import('../../../src/host/results/exportRows.ts');

const file = { scheme: 'memory', path: '/shared/rows.csv' } as vscode.Uri;

/** A virtual file system whose only file is the one to replace. */
class OneVirtualFile implements VirtualFiles {
  readonly files = new Map([['rows.csv', 'old\n']]);
  onCopied: () => void = () => undefined;
  refusesNames = false;

  async copy(source: vscode.Uri, target: vscode.Uri): Promise<void> {
    this.files.set(basename(target.path), await readFile(source.fsPath, 'utf8'));
    this.onCopied();
  }

  delete({ path }: vscode.Uri): Promise<void> {
    this.files.delete(basename(path));
    return Promise.resolve();
  }

  rename(source: vscode.Uri, target: vscode.Uri): Promise<void> {
    // As VS Code does: the target is deleted first.
    this.files.delete(basename(target.path));
    if (this.refusesNames) return Promise.reject(new Error('Names are for good here.'));
    this.files.set(basename(target.path), this.files.get(basename(source.path)) ?? '');
    this.files.delete(basename(source.path));
    return Promise.resolve();
  }
}

async function* newRows(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('new\n');
}

test('a complete file replaces the old one', async () => {
  const memory = new OneVirtualFile();
  await writeVirtualFile(file, newRows, new AbortController().signal, memory);
  assert.deepEqual([...memory.files], [['rows.csv', 'new\n']]);
});

test('an export that is cancelled while it is copied leaves the old file and nothing else', async () => {
  const memory = new OneVirtualFile();
  const controller = new AbortController();
  memory.onCopied = () => controller.abort();
  await assert.rejects(writeVirtualFile(file, newRows, controller.signal, memory), { name: 'AbortError' });
  assert.deepEqual([...memory.files], [['rows.csv', 'old\n']]);
});

test('a copy that fails half way leaves the old file and nothing else', async () => {
  const memory = new OneVirtualFile();
  memory.onCopied = () => {
    throw new Error('The memory is full.');
  };
  await assert.rejects(writeVirtualFile(file, newRows, new AbortController().signal, memory), /The memory is full/);
  assert.deepEqual([...memory.files], [['rows.csv', 'old\n']]);
});

test('a part file that cannot be renamed stays, and the message names it', async () => {
  const memory = new OneVirtualFile();
  memory.refusesNames = true;
  await assert.rejects(writeVirtualFile(file, newRows, new AbortController().signal, memory), {
    code: notRenamed,
    message: /^The rows are in \.rows\.csv\..*\.part\. It could not be renamed: Names are for good here\.$/,
  });
  assert.deepEqual([...memory.files.values()], ['new\n']);
});
