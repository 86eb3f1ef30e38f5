import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ScratchFolder } from '../../../src/host/results/scratchFolder.ts';

test('a window has a scratch folder of its own, which is removed with it', async () => {
  const scratch = new ScratchFolder();
  const path = await scratch.path();
  assert.ok(existsSync(path));
  assert.equal(await scratch.path(), path);
  await scratch.remove();
  assert.ok(!existsSync(path));
});

test('a scratch folder that the system removed is made again', async () => {
  const scratch = new ScratchFolder();
  const path = await scratch.path();
  await rm(path, { recursive: true });
  assert.equal(await scratch.path(), path);
  assert.ok(existsSync(path));
  await scratch.remove();
});

test('the scratch folder of a killed window is removed by the next window, and that of a running window is not', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const orphan = join(tmpdir(), `sql-projects-${dead}-orphan`);
  mkdirSync(orphan);
  await writeFile(join(orphan, 'some.rows'), '{}');
  const living = new ScratchFolder();
  const used = await living.path();
  const next = new ScratchFolder();
  await next.path();
  assert.ok(!existsSync(orphan), basename(orphan));
  assert.ok(existsSync(used));
  await living.remove();
  await next.remove();
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
