import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageExtension } from '../.dev/package.ts';

const dist = join(import.meta.dirname, '../dist');

/** Budgets in bytes, the one place where they stand. */
const budgets: readonly (readonly [name: string, files: readonly string[], bytes: number])[] = [
  ['the extension', ['extension.cjs', 'client.cjs'], 350_000],
  ['the language client', ['languageClient.cjs'], 450_000],
  ['the language server', ['languageServer.cjs'], 250_000],
  ['what is read for results', ['resultsPanel.cjs'], 60_000],
  ['what is read with the first run', ['running.cjs'], 220_000],
  ['what is read with the first export', ['exportRows.cjs'], 20_000],
  ['what is read with the first table that is browsed', ['tableEditors.cjs'], 80_000],
  ['what is read for local services', ['localProjects.cjs'], 30_000],
  ['what is read with SQL documents', ['sqlDocuments.cjs'], 30_000],
  ['what is read with the first statement that is run', ['resultRuns.cjs'], 30_000],
  ['the thread that works through rows', ['rowsThread.cjs'], 50_000],
  ['the local service', ['service.mjs', 'sqliteWorker.mjs', 'sqliteWatchdog.mjs'], 115_000],
  ['the grid', ['webview/grid.js', 'webview/grid.css'], 350_000],
  ['the settings page', ['webview/settings.js', 'webview/settings.css'], 250_000],
];
const vsixBudget = 4_000_000;

for (const [name, files, bytes] of budgets) {
  test(`${name} stays within ${bytes} bytes`, () => {
    const size = files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);
    assert.ok(size <= bytes, `${files.join(' and ')} have ${size} bytes`);
  });
}

test('what a window loads at its start is a tenth of that', () => {
  assert.ok(statSync(join(dist, 'extension.cjs')).size <= 70_000);
});

test(`the VSIX stays within ${vsixBudget} bytes`, async () => {
  const { size } = statSync(await packageExtension());
  assert.ok(size <= vsixBudget, `the VSIX has ${size} bytes`);
});
