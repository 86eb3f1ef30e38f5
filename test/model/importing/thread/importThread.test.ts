import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectSource } from '../../../../src/model/importing/detection.ts';
import type { FileSource } from '../../../../src/model/importing/journal.ts';
import { SourceFile } from '../../../../src/model/importing/sourceFile.ts';
import { firstPlace } from '../../../../src/model/importing/sourceRow.ts';
import { openFileInThread } from '../../../../src/model/importing/thread/importThread.ts';
import { ImportFolder } from '../../../support/importSource.ts';

const entry = new URL('../../../../src/model/importing/thread/main.ts', import.meta.url);
const folder = new ImportFolder();

async function sourceOf(name: string, content: string): Promise<FileSource> {
  const path = await folder.write(name, content);
  await using file = await SourceFile.open(path);
  return { path, name, isCopy: false, fingerprint: await file.fingerprint(), options: await detectSource(file) };
}

const wholeFile = {
  from: firstPlace,
  target: { table: 't', mode: 'insert', columns: [{ source: 0, target: 'a' }], key: [], hasJsonb: true },
  firstRowCount: undefined,
  separatesUnreadable: false,
} as const;

test('a batch comes as the body of its call, and parts of it and its rows can be requested', async () => {
  const source = await sourceOf('rows.csv', 'a\nx\n"y ""z"""\nw\n');
  await using opened = await openFileInThread(source, { entry, signal: new AbortController().signal });
  const read = await opened.batches(wholeFile).next();
  assert.ok(read.done !== true && 'body' in read.value.request);
  const batch = read.value;
  const body = JSON.parse(Buffer.from(read.value.request.body).toString()) as { params: string[] };
  assert.deepEqual(body.params, [`[['x'],['y "z"'],['w']]`]);
  assert.deepEqual((await batch.requestOf({ first: 1, count: 2 })).params, [`[['y "z"'],['w']]`]);
  assert.deepEqual(await batch.rowAt(1), { line: 3, text: '"y ""z"""' });
});

test('a file whose rows do not fit into memory ends with a reason', async () => {
  const source = await sourceOf('large.csv', `a\n${'x'.repeat(3_000_000)}\n`.repeat(20));
  const options = { entry, signal: new AbortController().signal, maxHeapMb: 8 };
  await assert.rejects(
    async () => {
      await using opened = await openFileInThread(source, options);
      for await (const batch of opened.batches(wholeFile)) assert.ok(batch.rowCount > 0);
    },
    { code: 'import_out_of_memory' },
  );
});

test('a cancelled import waits for no rows', async () => {
  const source = await sourceOf('cancelled.csv', 'a\n1\n');
  const cancel = new AbortController();
  await using opened = await openFileInThread(source, { entry, signal: cancel.signal });
  const batches = opened.batches(wholeFile);
  const next = batches.next();
  const reason = new Error('Enough.');
  cancel.abort(reason);
  await assert.rejects(next, reason);
});
