import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { modeWithoutGroup, writeLocalFile } from '../../../src/host/results/localFile.ts';
import { ScratchFolder } from '../../../src/host/results/scratchFolder.ts';
import { OwnedChild } from '../../support/childProcesses.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

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
  const folder = temporaryFolder();
  const file = join(folder, 'rows.csv');
  await writeFile(file, 'old\n');
  await replace(file, new AbortController());
  return [await readdir(folder), await readFile(file, 'utf8')];
}

test('a file replaces another one as a whole', async () => {
  const folder = await afterReplacing((file, { signal }) =>
    writeLocalFile(file, () => pieces(() => undefined), signal),
  );
  assert.deepEqual(folder, [['rows.csv'], 'one\ntwo\n']);
});

test('an export that is cancelled half way leaves the old file and nothing else', async () => {
  const folder = await afterReplacing((file, controller) =>
    assert.rejects(
      writeLocalFile(file, () => pieces(() => controller.abort(halfWay)), controller.signal),
      halfWay,
    ),
  );
  assert.deepEqual(folder, [['rows.csv'], 'old\n']);
});

for (const [writer, contentAt] of [
  ['pieces', () => pieces(fail)],
  ['a file of its own', failWriting],
] as const) {
  test(`an export that fails while it writes ${writer} leaves the old file and nothing else`, async () => {
    const folder = await afterReplacing((file, { signal }) =>
      assert.rejects(writeLocalFile(file, contentAt, signal), halfWay),
    );
    assert.deepEqual(folder, [['rows.csv'], 'old\n']);
  });
}

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;
const newFileMode = 0o666 & ~process.umask();
const { signal } = new AbortController();

for (const mode of [0o600, 0o644, 0o666, 0o444]) {
  test(`a file of mode 0${mode.toString(8)} keeps it when it is replaced, and nobody else reads the part file before`, async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'rows.csv');
    await writeFile(file, 'old\n');
    await chmod(file, mode);
    const modes: number[] = [];
    const content = async function* (path: string): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one\n');
      modes.push(await modeOf(path));
      yield Buffer.from('two\n');
    };
    await writeLocalFile(file, content, signal);
    assert.deepEqual([await readFile(file, 'utf8'), await modeOf(file), modes], ['one\ntwo\n', mode, [0o600]]);
  });
}

test('a new file has the mode that the umask leaves', async () => {
  const file = join(temporaryFolder(), 'rows.csv');
  await writeLocalFile(file, () => pieces(() => undefined), signal);
  assert.equal(await modeOf(file), newFileMode);
});

for (const [mode, modeAfter] of [
  [0o640, 0o600],
  [0o664, 0o644],
  [0o604, 0o600],
  [0o750, 0o700],
  [0o4755, 0o755],
] as const) {
  test(`a file that replaces one of mode 0${mode.toString(8)} becomes 0${modeAfter.toString(8)}`, () => {
    assert.equal(modeWithoutGroup(mode), modeAfter);
  });
}

test('a symbolic link stays, and the file that it leads to is replaced', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'real'));
  await symlink('real', join(folder, 'linked'));
  await symlink('../rows.csv', join(folder, 'real/first.csv'));
  await symlink('linked/first.csv', join(folder, 'second.csv'));
  // The first export makes the file, the other one replaces it.
  for (const text of ['one', 'other']) {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    };
    await writeLocalFile(join(folder, 'second.csv'), content, signal);
    assert.equal(await readFile(join(folder, 'rows.csv'), 'utf8'), text);
  }
  for (const link of ['second.csv', 'real/first.csv']) {
    assert.ok((await lstat(join(folder, link))).isSymbolicLink(), link);
  }
  assert.deepEqual((await readdir(folder)).toSorted(), ['linked', 'real', 'rows.csv', 'second.csv']);
});

test('a symbolic link that leads to itself is not replaced', async () => {
  const file = join(temporaryFolder(), 'rows.csv');
  await symlink('rows.csv', file);
  await assert.rejects(
    writeLocalFile(file, () => pieces(() => undefined), signal),
    { code: 'ELOOP' },
  );
  assert.ok((await lstat(file)).isSymbolicLink());
});

test('only a file is replaced', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'rows.csv'));
  await assert.rejects(
    writeLocalFile(join(folder, 'rows.csv'), () => pieces(() => undefined), signal),
    { code: 'not_a_file' },
  );
  assert.deepEqual(await readdir(folder), ['rows.csv']);
});

/** Another window: it writes half of an export and waits. A timer refers to the wait, or its lock would be garbage. */
async function startExport(context: TestContext, file: string): Promise<OwnedChild<ChildProcess>> {
  const module = join(import.meta.dirname, '../../../src/host/results/localFile.ts');
  const source = `
    import { writeLocalFile } from ${JSON.stringify(module)};
    async function* pieces() {
      yield Buffer.from('half');
      console.log('half');
      for (;;) await new Promise(resolve => setTimeout(resolve, 60_000));
    }
    await writeLocalFile(${JSON.stringify(file)}, pieces, new AbortController().signal);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const owned = new OwnedChild(child);
  context.after(() => owned[Symbol.asyncDispose]());
  await owned.next(child.stdout, 'data');
  return owned;
}

test('the part file of an export whose window was killed is removed by the next window, and no other file is', async context => {
  const folder = temporaryFolder();
  const users = ['rows.csv', '.rows.csv.part', '.mine.12345678-1234-1234-1234-123456789abc.part'];
  for (const name of users) await writeFile(join(folder, name), 'old\n');
  const killed = await startExport(context, join(folder, 'rows.csv'));
  await startExport(context, join(folder, 'other.csv'));
  const next = new ScratchFolder();
  context.after(() => next.remove());
  assert.equal((await readdir(folder)).length, users.length + 2);
  killed.process.kill('SIGKILL');
  await killed.exited;
  await next.path();
  const left = await readdir(folder);
  assert.equal(left.length, users.length + 1);
  assert.deepEqual(
    users.filter(name => !left.includes(name)),
    [],
  );
  assert.ok(
    left.some(name => name.startsWith('.other.csv.')),
    'a running export keeps its file',
  );
});
