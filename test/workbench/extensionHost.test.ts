import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInExtensionHost } from '../support/workbench/hostSuite.ts';
import { sharedWorkbench } from '../support/workbench/sharedWorkbench.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

for (const [name, count] of [
  ['activation', 4],
  ['closedDocuments', 3],
  ['faults', 2],
] as const) {
  test(`the suite ${name} passes inside the extension host`, async () => {
    const { server, browser } = await sharedWorkbench();
    const suite = join(import.meta.dirname, `suites/${name}.ts`);
    const report = await runInExtensionHost(server, browser, { extension: repositoryRoot, suite });
    assert.deepEqual(report.messages, []);
    assert.equal(report.passed, count);
  });
}
