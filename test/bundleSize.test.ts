import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageExtension } from '../.dev/package.ts';

const dist = join(import.meta.dirname, '../dist');

/** Budgets in bytes, the one place where they stand. What is loaded only when it is needed has a line of its own. */
const budgets: Readonly<Record<string, number>> = {
  'extension.cjs': 350_000,
  'languageClient.cjs': 450_000,
  'languageServer.cjs': 250_000,
  'service.mjs': 100_000,
  'webview/grid.js': 350_000,
  'webview/settings.js': 250_000,
};
const vsixBudget = 4_000_000;

for (const [file, budget] of Object.entries(budgets)) {
  test(`${file} stays within ${budget} bytes`, () => {
    const { size } = statSync(join(dist, file));
    assert.ok(size <= budget, `${file} has ${size} bytes`);
  });
}

test(`the VSIX stays within ${vsixBudget} bytes`, async () => {
  const { size } = statSync(await packageExtension());
  assert.ok(size <= vsixBudget, `the VSIX has ${size} bytes`);
});
