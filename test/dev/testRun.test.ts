import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isOnlyInTestAll, onlyInTestAll } from '../../.dev/testRun/onlyInTestAll.ts';
import { TestRun } from '../../.dev/testRun/testRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

const planted = join(import.meta.dirname, '../support/planted');

interface PlantedRun {
  readonly printed: string;
  readonly tally: { readonly passed: number; readonly failed: number };
  /** Which of the files have a child that still runs. */
  readonly withChild: () => string[];
}

/** Runs groups of planted test files whose tests start a child. */
async function runPlanted(groups: readonly (readonly string[])[]): Promise<PlantedRun> {
  const folder = temporaryFolder();
  try {
    process.env['PLANTED_FOLDER'] = folder;
    const lines: string[] = [];
    const testRun = new TestRun({
      root: planted,
      command: 'npm test',
      print: line => lines.push(line),
      // The child of hanging.ts and both reports of failing.ts must come before, on a slow machine as well.
      limitMs: 5000,
      graceMs: 3000,
    });
    await testRun.run(groups);
    const pids = new Map(
      (await readdir(folder)).map(file => [file, Number(readFileSync(join(folder, file), 'utf8'))] as const),
    );
    return {
      printed: lines.join('\n'),
      tally: testRun.tally,
      withChild: () => [...pids].filter(([, pid]) => isRunning(pid)).map(([file]) => file),
    };
  } finally {
    delete process.env['PLANTED_FOLDER'];
  }
}

/** Whether a process runs. One that has ended may wait for its parent to notice. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('each name on the list of what only `npm run test:all` runs is that of a test file, or of a folder of them', () => {
  const files = globSync('test/**/*.test.ts', { cwd: repositoryRoot });
  const unknown = onlyInTestAll.filter(entry => !files.some(file => isOnlyInTestAll(file, [entry])));
  assert.deepEqual(unknown, []);
  assert.deepEqual(onlyInTestAll, [...new Set(onlyInTestAll)]);
  const short = files.filter(file => !isOnlyInTestAll(file));
  assert.ok(short.length > files.length / 2, `${short.length} of ${files.length}`);
});

test('a run reports a test that fails and one that hangs, and ends with the processes that both have started', async () => {
  const { printed, tally, withChild } = await runPlanted([['failing.ts'], ['hanging.ts', 'passing.ts']]);
  assert.match(printed, /^The first failure, in (\w+\.ts):\n {2}✖ [^✖]*\n {2}Run the file again: npm test -- \1$/m);
  assert.match(printed, /^✖ failing\.ts .*\n {2}✖ a test\u2028that fails\n[^]*planted/m);
  assert.match(printed, /Its tests ended, but its process did not/);
  assert.match(
    printed,
    /^✖ hanging\.ts [^✔]* {2}✖ It did not end within its time limit\. The test that started last is 'a test that hangs'\./m,
  );
  assert.match(printed, /^✔ passing\.ts /m);
  assert.equal(tally.passed, 1);
  assert.ok(tally.failed >= 3);
  await waitUntil(() => withChild().length === 0, { what: () => `children of ${withChild().join(' and ')} still run` });
});

test('the files after one that ends their process run in another process', async () => {
  const lines: string[] = [];
  const testRun = new TestRun({ root: planted, command: 'npm test', print: line => lines.push(line) });
  await testRun.run([['passing.ts', 'ending.ts', 'passing.ts']]);
  const printed = lines.join('\n');
  assert.match(
    printed,
    /^✔ passing\.ts .*\n[^]*\n✖ ending\.ts .*\n {2}✖ Its process ended with 3\.\n✔ passing\.ts .*$/,
  );
  assert.deepEqual(testRun.tally, { passed: 2, failed: 1 });
});

test('a fault that comes after the end of its test is reported with the name of the test', async () => {
  const lines: string[] = [];
  const testRun = new TestRun({ root: planted, command: 'npm test', print: line => lines.push(line) });
  await testRun.run([['late.ts']]);
  assert.match(
    lines.join('\n'),
    /^✖ late\.ts .*\n {2}✖ after the end of a test\n.*a test that leaves a fault behind.*planted late/m,
  );
  assert.deepEqual(testRun.tally, { passed: 2, failed: 1 });
});

test('the failures are printed again at the end, without the files that passed', async () => {
  const lines: string[] = [];
  const testRun = new TestRun({ root: planted, command: 'npm test', print: line => lines.push(line) });
  await testRun.run([['passing.ts', 'ending.ts']]);
  lines.length = 0;
  testRun.printFailures();
  assert.match(lines.join('\n'), /^What failed:\n✖ ending\.ts .*\n {2}✖ Its process ended with 3\.$/);
});
