import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageExtension } from '../.dev/package.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';

const root = join(import.meta.dirname, '..');

/** One file that esbuild wrote, by its path from the root. */
interface Output {
  readonly bytes: number;
  /** The source file that another file imports dynamically, or that a process or page starts with. */
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

const outputs = JSON.parse(readFileSync(join(root, 'dist/outputs.json'), 'utf8')) as Readonly<Record<string, Output>>;
const extensionFile = 'dist/extension.mjs';

/** All files that Node.js reads to import a file: it, and what it imports statically. */
function filesLoadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === 'import-statement' && path in outputs) filesLoadedWith(path, loaded);
  }
  return loaded;
}

const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(join(root, file)).size, 0);

/** Budgets in bytes. Each file of the extension host's part counts all that it loads and a window has not loaded yet. */
const lazyBudgets: readonly (readonly [name: string, entryPoint: string, bytes: number])[] = [
  ['the HTTP client', 'src/client/index.ts', 311_000],
  ['the language client', 'src/host/language/languageClient.ts', 450_000],
  ['the results panel', 'src/host/results/resultsPanel.ts', 84_800],
  ['running', 'src/host/running/running.ts', 237_000],
  ['query plans', 'src/host/running/explainStatement.ts', 173_000],
  ['exporting rows', 'src/host/results/exportRows.ts', 22_500],
  ['designing tables', 'src/host/designing/tableDesigners.ts', 299_500],
  ['importing rows', 'src/host/importing/imports.ts', 240_100],
  ['browsing tables', 'src/host/browsing/tableEditors.ts', 215_000],
  ['local services', 'src/host/local/localProjects.ts', 30_000],
  ['managing projects', 'src/host/management/management.ts', 50_000],
  ['the surroundings of SQL documents', 'src/host/documents/sqlDocuments.ts', 33_400],
  ['the tools for agents', 'src/host/agents/agents.ts', 200_000],
  ['result runs', 'src/model/results/statementRun.ts', 36_700],
  ['writing Parquet files', 'src/model/results/thread/parquet/parquetFile.ts', 70_000],
];

/** Files that are loaded alone. */
const fileBudgets: readonly (readonly [name: string, files: readonly string[], bytes: number])[] = [
  ['the rows thread', ['rowsThread.mjs'], 75_500],
  ['the history thread', ['historyThread.mjs'], 11_300],
  ['the import thread', ['importThread.mjs'], 32_400],
  ['the generator of rows', ['generator.mjs'], 160_000],
  ['the local service', ['service.mjs', 'sqliteWorker.mjs', 'sqliteWatchdog.mjs'], 195_000],
  ['the commands that move projects', ['transfer.mjs'], 372_000],
  ['the Worker of the service', ['serviceWorker.mjs'], 90_000],
  ['the grid', ['webview/grid.js', 'webview/grid.css'], 350_000],
  ['the chart', ['webview/chart.js'], 90_000],
  ['the settings page', ['webview/settings.js', 'webview/settings.css'], 250_000],
  ['the table designer', ['webview/designer.js', 'webview/designer.css'], 70_000],
  ['the diagram', ['webview/diagram.js'], 110_000],
];
const activationBudget = 97_700;
const activationFileBudget = 44;
const vsixBudget = 3_000_000;

const loadedAtActivation = filesLoadedWith(extensionFile);

test(`activation loads at most ${activationBudget} bytes from ${activationFileBudget} files`, () => {
  assert.ok(sizeOf(loadedAtActivation) <= activationBudget, `${sizeOf(loadedAtActivation)} bytes`);
  assert.ok(loadedAtActivation.size <= activationFileBudget, `${loadedAtActivation.size} files`);
});

for (const [name, entryPoint, bytes] of lazyBudgets) {
  test(`${name} stays within ${bytes} bytes`, () => {
    const chunk = Object.keys(outputs).find(
      file => outputs[file]?.entryPoint === entryPoint && file.startsWith('dist/chunks/'),
    );
    assert.ok(chunk, `${entryPoint} is a chunk of its own`);
    const size = sizeOf(filesLoadedWith(chunk).difference(loadedAtActivation));
    assert.ok(size <= bytes, `${size} bytes`);
  });
}

const languageServerBudget = 600_000;

test(`the language server starts with at most ${languageServerBudget} bytes, without SQLite`, () => {
  const size = sizeOf(filesLoadedWith('dist/languageServer.mjs'));
  assert.ok(size <= languageServerBudget, `${size} bytes`);
});

const agentServerBudget = 80_000;

test(`the server for agents starts with at most ${agentServerBudget} bytes, without the client and the parser`, () => {
  const size = sizeOf(filesLoadedWith('dist/mcp.mjs'));
  assert.ok(size <= agentServerBudget, `${size} bytes`);
});

for (const [name, files, bytes] of fileBudgets) {
  test(`${name} stays within ${bytes} bytes`, () => {
    const size = sizeOf(files.reduce((loaded, file) => filesLoadedWith(`dist/${file}`, loaded), new Set<string>()));
    assert.ok(size <= bytes, `${files.join(' and ')} have ${size} bytes`);
  });
}

test(`the VSIX stays within ${vsixBudget} bytes`, async () => {
  const folder = temporaryFolder();
  const { size } = statSync(await packageExtension(join(folder, 'extension.vsix')));
  assert.ok(size <= vsixBudget, `the VSIX has ${size} bytes`);
});
