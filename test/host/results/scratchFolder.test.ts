import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { ScratchFolder } from '../../../src/host/results/scratchFolder.ts';

test('a window has a scratch folder of its own, which is removed with it', async () => {
  const scratch = new ScratchFolder();
  const path = await scratch.path();
  assert.ok(existsSync(path));
  assert.equal(await scratch.path(), path);
  await scratch.remove();
  assert.ok(!existsSync(path));
});

interface OtherWindow {
  readonly folder: string;
  /** Asks for the folder again, as the next run does. */
  use(): Promise<string>;
  kill(): Promise<void>;
}

/** A process with a scratch folder. It ends with the test. */
async function openWindow(context: TestContext): Promise<OtherWindow> {
  const module = join(import.meta.dirname, '../../../src/host/results/scratchFolder.ts');
  const source = `
    import { ScratchFolder } from ${JSON.stringify(module)};
    // A lock that nothing refers to ends with the next garbage collection.
    globalThis.scratch = new ScratchFolder();
    process.stdin.on('data', async () => console.log(await scratch.path()));`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  context.after(kill);
  const lines = createInterface(child.stdout);
  const use = async (): Promise<string> => {
    child.stdin.write('use');
    const [folder] = (await once(lines, 'line')) as [string];
    await writeFile(join(folder, 'some.rows'), '{}');
    return folder;
  };
  return { folder: await use(), use, kill };
}

/** Gives a folder the name that a window with this process ID could have made. */
async function renameFor(context: TestContext, { folder }: OtherWindow, processId: number): Promise<string> {
  const renamed = await mkdtemp(join(tmpdir(), `sql-projects-${processId}-`));
  context.after(() => rm(renamed, { recursive: true, force: true }));
  await rename(folder, renamed);
  return renamed;
}

async function openNextWindow(context: TestContext): Promise<ScratchFolder> {
  const scratch = new ScratchFolder();
  context.after(() => scratch.remove());
  await scratch.path();
  return scratch;
}

test('the next window removes the folder of a killed one, whose process ID another process has now', async context => {
  const killed = await openWindow(context);
  await killed.kill();
  const folder = await renameFor(context, killed, process.pid);
  await openNextWindow(context);
  assert.ok(!existsSync(folder));
});

test('a window that lives keeps its rows, even if its process ID means nothing here', async context => {
  const { pid: unused } = spawnSync(process.execPath, ['--version']);
  const living = await openWindow(context);
  const folder = await renameFor(context, living, unused);
  await openNextWindow(context);
  assert.ok(existsSync(join(folder, 'some.rows')));
  await living.kill();
  await openNextWindow(context);
  assert.ok(!existsSync(folder));
});

test('a folder that its window is about to lock stays', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'sql-projects-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'lock.sqlite'), '');
  await openNextWindow(context);
  assert.ok(existsSync(folder));
});

test('a scratch folder that the system removed is made and locked again', async context => {
  const other = await openWindow(context);
  await rm(other.folder, { recursive: true });
  assert.equal(await other.use(), other.folder);
  await openNextWindow(context);
  assert.ok(existsSync(other.folder));
  await other.kill();
  await openNextWindow(context);
  assert.ok(!existsSync(other.folder));
});

test('a scratch folder that could not be made is tried again with the next run', async () => {
  const scratch = new ScratchFolder();
  const tmpdirBefore = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(import.meta.dirname, 'nowhere');
  try {
    await assert.rejects(scratch.path(), { code: 'ENOENT' });
  } finally {
    if (tmpdirBefore === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = tmpdirBefore;
  }
  assert.ok(existsSync(await scratch.path()));
  await scratch.remove();
});
