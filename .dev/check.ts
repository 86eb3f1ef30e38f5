/**
 * `npm test`: the checks and the tests of ten minutes, in one run. `npm run test:all` adds the files of `onlyInTestAll.ts` and the
 * other seeds of random tests. The closing line counts the checks and the tests.
 * With `-- PATTERN…`, both build and run the test files whose path contains one of the patterns.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool, tools } from './command.ts';
import { groupsOf, isWindowFile } from './testRun/groups.ts';
import { isOnlyInTestAll } from './testRun/onlyInTestAll.ts';
import { TestRun } from './testRun/testRun.ts';

// Otherwise each process of a test compiles the same code again.
process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache/compiled');

/** Far more than downloads and builds take on a slow machine. */
const setupLimitMs = 30 * 60_000;

const all = '--all';
const runsAll = process.argv.includes(all);
// Random tests read it.
if (runsAll) process.env['TEST_ALL'] = '1';
const patterns = process.argv.slice(2).flatMap(argument => (argument === all ? [] : [argument.toLowerCase()]));
const checks = patterns.length > 0 ? (['build'] as const) : (Object.keys(tools) as (keyof typeof tools)[]);
const isChosen = (file: string): boolean =>
  patterns.length > 0
    ? patterns.some(pattern => file.toLowerCase().includes(pattern))
    : runsAll || !isOnlyInTestAll(file);
const files = globSync('test/**/*.test.ts', { cwd: root }).filter(isChosen);
if (files.length === 0) {
  console.error(`No test file has ${patterns.join(' or ')} in its path. Give a part of a path below test/.`);
  process.exit(1);
}

// A test file is in a process group of its own, which a Ctrl+C does not reach. The exit ends all of them.
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.on(signal, () => process.exit(128 + number));
}

const command = runsAll ? 'npm run test:all' : 'npm test';
const testRun = new TestRun({ root, command, print: line => console.log(line) });
const { tally } = testRun;
const failedChecks: string[] = [];
for (const name of checks) {
  const isOk = runTool(name);
  console.log(`${isOk ? '✔' : '✖'} ${name}`);
  tally[isOk ? 'passed' : 'failed']++;
  if (!isOk) failedChecks.push(name);
}

const windowFiles = files.filter(isWindowFile);
await testRun.run(groupsOf(files.filter(file => !isWindowFile(file))));
if (windowFiles.length > 0) {
  // One VS Code server for all files; each would start its own without it.
  const { globalSetup, globalTeardown } = await import('../test/support/workbench/globalSetup.ts');
  const setupLimit = setTimeout(() => {
    console.error(
      `VS Code was not installed and started within ${setupLimitMs / 60_000} minutes. Run the tests again.`,
    );
    process.exit(1);
  }, setupLimitMs);
  try {
    await globalSetup();
    clearTimeout(setupLimit);
    await testRun.run(groupsOf(windowFiles));
  } catch (thrown) {
    console.error(thrown);
    tally.failed++;
  } finally {
    await globalTeardown();
  }
}

testRun.printSlowest();
testRun.printFailures();
for (const name of failedChecks) console.log(`✖ ${name} (see the beginning of this log, or run \`npm run ${name}\`)`);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);
