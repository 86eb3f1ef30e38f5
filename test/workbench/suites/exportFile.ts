import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile as writeText } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeFile } from '../../../src/host/results/exportFile.ts';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, run } = hostTests();
export { run };

const halfWay = new Error('Half way.');
const fail = (): never => {
  throw halfWay;
};

/** As SQLite does it, which writes its file itself. */
const failWriting = async (path: string): Promise<void> => {
  await writeText(path, 'half');
  fail();
};

/** Two pieces, and something that happens between them. */
async function* pieces(between: () => void): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one\n');
  between();
  yield Buffer.from('two\n');
}

/** What a folder with a file holds once another one was written in its place. */
async function heldAfter(write: (file: vscode.Uri, signal: AbortController) => Promise<void>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'export-file-'));
  const file = join(folder, 'rows.csv');
  await writeText(file, 'old\n');
  try {
    await write(vscode.Uri.file(file), new AbortController());
    return [await readdir(folder), await readFile(file, 'utf8')];
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a file is written whole in the place of another one', async () => {
  const held = await heldAfter((file, { signal }) => writeFile(file, () => pieces(() => undefined), signal));
  assert.deepEqual(held, [['rows.csv'], 'one\ntwo\n']);
});

test('one that is given up half way leaves the old file and nothing else', async () => {
  const held = await heldAfter((file, controller) =>
    assert.rejects(
      writeFile(file, () => pieces(() => controller.abort(halfWay)), controller.signal),
      halfWay,
    ),
  );
  assert.deepEqual(held, [['rows.csv'], 'old\n']);
});

test('so does one that fails half way, and one that somebody else writes', async () => {
  for (const contentAt of [() => pieces(fail), failWriting]) {
    const held = await heldAfter((file, { signal }) => assert.rejects(writeFile(file, contentAt, signal), halfWay));
    assert.deepEqual(held, [['rows.csv'], 'old\n']);
  }
});
