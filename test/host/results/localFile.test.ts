import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLocalFile } from '../../../src/host/results/localFile.ts';
import { ScratchFolder } from '../../../src/host/results/scratchFolder.ts';

const halfWay = new Error('Half way.');
const fail = (): never => {
  throw halfWay;
};

/** SQLite writes its file by itself. */
const failWriting = async (path: string): Promise<void> => {
  await writeFile(path, 'half');
  fail();
};

async function* pieces(between: () => void): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one\n');
  between();
  yield Buffer.from('two\n');
}

/** The names and the content in a folder whose file was replaced. */
async function afterReplacing(replace: (file: string, controller: AbortController) => Promise<void>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'export-file-'));
  const file = join(folder, 'rows.csv');
  await writeFile(file, 'old\n');
  try {
    await replace(file, new AbortController());
    return [await readdir(folder), await readFile(file, 'utf8')];
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a file replaces another one as a whole', async () => {
  const found = await afterReplacing((file, { signal }) => writeLocalFile(file, () => pieces(() => undefined), signal));
  assert.deepEqual(found, [['rows.csv'], 'one\ntwo\n']);
});

test('an export that is cancelled half way leaves the old file and nothing else', async () => {
  const found = await afterReplacing((file, controller) =>
    assert.rejects(
      writeLocalFile(file, () => pieces(() => controller.abort(halfWay)), controller.signal),
      halfWay,
    ),
  );
  assert.deepEqual(found, [['rows.csv'], 'old\n']);
});

for (const [writer, contentAt] of [
  ['pieces', () => pieces(fail)],
  ['a file of its own', failWriting],
] as const) {
  test(`an export that fails while it writes ${writer} leaves the old file and nothing else`, async () => {
    const found = await afterReplacing((file, { signal }) =>
      assert.rejects(writeLocalFile(file, contentAt, signal), halfWay),
    );
    assert.deepEqual(found, [['rows.csv'], 'old\n']);
  });
}

/** Another window: it writes half of an export and waits. */
async function startExport(file: string): Promise<ChildProcess> {
  const module = join(import.meta.dirname, '../../../src/host/results/localFile.ts');
  const source = `
    import { writeLocalFile } from ${JSON.stringify(module)};
    async function* pieces() {
      yield Buffer.from('half');
      console.log('half');
      await new Promise(resolve => setTimeout(resolve, 60_000));
    }
    await writeLocalFile(${JSON.stringify(file)}, pieces, new AbortController().signal);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('the part file of an export whose window was killed is removed by the next window, and no other file is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'export-file-'));
  const users = ['rows.csv', '.rows.csv.part', '.mine.12345678-1234-1234-1234-123456789abc.part'];
  for (const name of users) await writeFile(join(folder, name), 'old\n');
  const killed = await startExport(join(folder, 'rows.csv'));
  const other = await startExport(join(folder, 'other.csv'));
  const next = new ScratchFolder();
  try {
    assert.equal((await readdir(folder)).length, users.length + 2);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await next.path();
    const left = await readdir(folder);
    assert.equal(left.length, users.length + 1);
    assert.deepEqual(
      users.filter(name => !left.includes(name)),
      [],
    );
    assert.ok(
      left.some(name => name.startsWith('.other.csv.')),
      'an export that goes on keeps its file',
    );
  } finally {
    killed.kill('SIGKILL');
    other.kill('SIGKILL');
    if (other.exitCode === null && other.signalCode === null) await once(other, 'exit');
    await next.remove();
    await rm(folder, { recursive: true });
  }
});
