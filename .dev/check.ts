// `npm test`: everything that must hold, in one run. The closing line counts the checks and the tests.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { root, runTool, tools } from './command.ts';

interface Tally {
  passed: number;
  failed: number;
}

const tally: Tally = { passed: 0, failed: 0 };

for (const name of Object.keys(tools) as (keyof typeof tools)[]) {
  const ok = runTool(name);
  console.log(`${ok ? '✔' : '✖'} ${name}`);
  tally[ok ? 'passed' : 'failed']++;
}

const workbench = globSync('test/workbench/**/*.test.ts', { cwd: root });
const others = globSync('test/**/*.test.ts', { cwd: root }).filter(file => !workbench.includes(file));
await runTests(others);
// Only the first run of a process sees to its global setup by itself. Without it, each file would start a workbench of its own.
const { globalSetup, globalTeardown } = await import('../test/support/workbench/globalSetup.ts');
await globalSetup();
try {
  await runTests(workbench);
} finally {
  await globalTeardown();
}

console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

/** Runs test files two at a time, which is what the smallest machine has cores for. A skipped test counts as failed. */
async function runTests(files: readonly string[]): Promise<void> {
  const events = run({ files: files.toSorted().map(file => join(root, file)), concurrency: 2 });
  events.on('test:pass', ({ details, skip, todo }) => {
    if (details.type === 'suite') return;
    tally[skip === undefined && todo === undefined ? 'passed' : 'failed']++;
  });
  events.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') tally.failed++;
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  events.compose(spec).on('end', resolve).on('error', reject).pipe(process.stdout, { end: false });
  await promise;
}
