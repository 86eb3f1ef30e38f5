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
await runTests({ files: others });
await runTests({ files: workbench, globalSetupPath: join(root, 'test/support/workbench/globalSetup.ts') });

console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

/** Runs test files two at a time, which is what the smallest machine has cores for. A skipped test counts as failed. */
async function runTests({ files, globalSetupPath }: { files: string[]; globalSetupPath?: string }): Promise<void> {
  const events = run({
    files: files.toSorted().map(file => join(root, file)),
    concurrency: 2,
    ...(globalSetupPath ? { globalSetupPath } : {}),
  });
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
