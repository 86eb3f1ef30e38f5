import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestRun } from '../../.dev/testRun/testRun.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const planted = join(import.meta.dirname, '../support/planted');

interface PlantedRun {
  readonly printed: string;
  readonly tally: { readonly passed: number; readonly failed: number };
  readonly isChildRunning: () => boolean;
}

/** Runs a planted test file. Its time is up when its child runs, or never. */
async function runPlanted(
  name: string,
  { limit }: { readonly limit: 'when its child runs' | 'never' },
): Promise<PlantedRun> {
  const folder = await mkdtemp(join(tmpdir(), 'planted-'));
  try {
    const pidFile = join(folder, 'pid');
    process.env['PLANTED_PID_FILE'] = pidFile;
    const lines: string[] = [];
    const childRuns = (): Promise<unknown> => waitUntil(() => existsSync(pidFile), { what: 'the child does not run' });
    const testRun = new TestRun({
      root: planted,
      print: line => lines.push(line),
      limit: limit === 'never' ? () => new Promise(() => {}) : childRuns,
      graceMs: 100,
    });
    await testRun.run([[name]]);
    const pid = Number(await readFile(pidFile, 'utf8'));
    return { printed: lines.join('\n'), tally: testRun.tally, isChildRunning: () => isRunning(pid) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a failed test ends with the process that it started, and the run tells both', async () => {
  const { printed, tally, isChildRunning } = await runPlanted('failing.ts', { limit: 'never' });
  assert.match(printed, /✖ a test\u2028that fails\n[^]*planted/);
  assert.match(printed, /Its tests ended, but its process did not/);
  assert.deepEqual(tally, { passed: 0, failed: 2 });
  await waitUntil(() => !isChildRunning(), { what: 'the child still runs' });
});

test('a test that hangs is ended at the time limit of its file, with the process that it started', async () => {
  const { printed, tally, isChildRunning } = await runPlanted('hanging.ts', { limit: 'when its child runs' });
  assert.match(printed, /✖ It did not end within its time limit\./);
  assert.equal(tally.failed >= 1, true);
  await waitUntil(() => !isChildRunning(), { what: 'the child still runs' });
});

test('the files behind one that ends their process run in another process', async () => {
  const lines: string[] = [];
  const testRun = new TestRun({ root: planted, print: line => lines.push(line) });
  await testRun.run([['passing.ts', 'ending.ts', 'passing.ts']]);
  const printed = lines.join('\n');
  assert.match(printed, /^✔ passing\.ts .*\n✖ ending\.ts .*\n {2}✖ Its process ended with 3\.\n✔ passing\.ts .*$/);
  assert.deepEqual(testRun.tally, { passed: 2, failed: 1 });
});

test('the failures are printed again at the end, without the files that passed', async () => {
  const lines: string[] = [];
  const testRun = new TestRun({ root: planted, print: line => lines.push(line) });
  await testRun.run([['passing.ts', 'ending.ts']]);
  lines.length = 0;
  testRun.printFailures();
  assert.match(lines.join('\n'), /^What failed:\n✖ ending\.ts .*\n {2}✖ Its process ended with 3\.$/);
});
