import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInExtensionHost } from '../support/workbench/hostSuite.ts';
import { sharedWorkbench } from '../support/workbench/sharedWorkbench.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

test('all suites pass inside one extension host', async () => {
  const { server, browser } = await sharedWorkbench();
  const suite = join(import.meta.dirname, 'suites/all.ts');
  const report = await runInExtensionHost(server, browser, { extension: repositoryRoot, suite });
  assert.deepEqual(report.messages, []);
  assert.equal(report.passed, 9);
});
