import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CancellationToken, DataTransfer } from 'vscode';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { fileDrops } = await import('../../../src/host/tree/fileDrops.ts');

const profile = { id: 'p', name: 'Shop' } as never;
const node = { kind: 'table', name: 'pets', profile } as const;

async function drop(text: string | undefined, isCancelled = false): Promise<string[]> {
  const imported: string[] = [];
  const drops = fileDrops(async (target, file) => {
    await Promise.resolve();
    imported.push(`${target === node ? 'pets' : 'none'} ${file.toString()}`);
  });
  const item = text === undefined ? undefined : { asString: () => Promise.resolve(text) };
  const dropped = { get: (type: string) => (type === 'text/uri-list' ? item : undefined) } as unknown as DataTransfer;
  await drops.handleDrop?.(node, dropped, { isCancellationRequested: isCancelled } as CancellationToken);
  await new Promise(setImmediate);
  return imported;
}

test('files that are dropped on a table are imported there, one after another', async () => {
  assert.deepEqual(await drop('# a comment\r\nfile:///a.csv\r\n\r\nfile:///b%20c.json\r\n'), [
    'pets file:///a.csv',
    'pets file:///b%20c.json',
  ]);
});

test('a drop without files, and a drop that is cancelled, import nothing', async () => {
  assert.deepEqual(await drop(undefined), []);
  assert.deepEqual(await drop(''), []);
  assert.deepEqual(await drop('file:///a.csv', true), []);
});
