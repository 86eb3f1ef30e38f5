import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes('--watch');

/**
 * What becomes a file of its own, to be read when it is first needed and not with the window: the HTTP client with the
 * first project that is opened, the language client and what surrounds SQL documents with the first of them, running and
 * with it the parser when something is run, runs and their spools with it, what shows results with the first of them,
 * the management of projects when somebody manages them, what concerns this machine's own service when the projects are
 * listed, editors of tables with the first table that is browsed, and the export of rows with the first of them.
 */
const lazyEntries = {
  client: 'src/client/index.ts',
  exportRows: 'src/host/results/exportRows.ts',
  languageClient: 'src/host/language/languageClient.ts',
  localProjects: 'src/host/local/localProjects.ts',
  resultRuns: 'src/model/results/resultRuns.ts',
  management: 'src/host/management/management.ts',
  resultsPanel: 'src/host/results/openResultsPanel.ts',
  running: 'src/host/running/running.ts',
  sqlDocuments: 'src/host/documents/sqlDocuments.ts',
  tableEditors: 'src/host/browsing/tableEditors.ts',
};

/** @type {import('esbuild').Plugin} */
const lazyImports = {
  name: 'lazy-imports',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
      const found = Object.entries(lazyEntries).find(([, entry]) => entry === file);
      if (!found) throw new Error(`${file} is imported dynamically, but esbuild.mjs makes no file of it.`);
      return { path: `./${found[0]}.cjs`, external: true };
    });
  },
};

/**
 * undici's index pulls in fetch, WebSocket, caches and mocks. The client uses an Agent and its request() and nothing
 * else, so the bundle takes them from where they are defined, and joins them as the index does.
 */
const undiciParts = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import request from 'undici/lib/api/api-request.js';
  Dispatcher.prototype.request = request;
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
`;

/** @type {import('esbuild').Plugin} */
const slimUndici = {
  name: 'slim-undici',
  setup(pluginBuild) {
    // Its HTTP parser comes twice, with and without SIMD. Wherever this Node.js runs in VS Code there is SIMD.
    pluginBuild.onResolve({ filter: /llhttp\/llhttp-wasm\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, '../llhttp/llhttp_simd-wasm.js'),
    }));
    pluginBuild.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'slim-undici' }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'slim-undici' }, () => ({
      contents: undiciParts,
      resolveDir: root,
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  metafile: true,
  sourcemap: watch,
  legalComments: 'none',
  logLevel: watch ? 'info' : 'warning',
};

/** @type {import('esbuild').BuildOptions} */
const node = { ...common, platform: 'node', target: 'node24' };

/** @type {import('esbuild').BuildOptions} */
const commonJs = { format: 'cjs', outdir: 'dist', outExtension: { '.js': '.cjs' }, external: ['vscode'] };

// undici asks for this name to tell a build without its second, experimental HTTP parser.
const define = { esbuildDetection: '"bundled"' };

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  {
    ...node,
    entryPoints: { extension: 'src/extension.ts' },
    ...commonJs,
    plugins: [lazyImports],
  },
  {
    ...node,
    entryPoints: { ...lazyEntries, languageServer: 'src/language/server.ts' },
    ...commonJs,
    plugins: [lazyImports, slimUndici],
    define,
    // Its main file is UMD, whose requires esbuild does not follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  },
  {
    // The thread that sorts, searches and writes rows starts with the first of them that is asked for.
    ...node,
    entryPoints: { rowsThread: 'src/model/results/thread/rowsThread.ts' },
    ...commonJs,
  },
  {
    ...node,
    entryPoints: { service: 'src/service/cli.ts' },
    format: 'esm',
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    // What the service starts for each project lies beside it (src/service/engines/sqlite/entries.ts).
    ...node,
    entryPoints: ['src/service/engines/sqlite/sqliteWorker.ts', 'src/service/engines/sqlite/sqliteWatchdog.ts'],
    format: 'esm',
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
  },
  {
    // The client as a package of its own brings nothing along: npm installs what it depends on.
    ...node,
    entryPoints: { client: 'src/client/index.ts' },
    format: 'esm',
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    packages: 'external',
  },
  {
    ...common,
    entryPoints: { grid: 'webview/grid/main.ts', settings: 'webview/settings/main.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'chrome148',
    outdir: 'dist/webview',
  },
];

if (watch) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await rm(join(root, 'dist'), { recursive: true, force: true });
  const results = await Promise.all(bundles.map(build));
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  await writeFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), await noticesOf(inputs));
  await writeClientTypes();
}

/** @typedef {{ name: string, version: string, license?: string, author?: string | { name?: string } }} Manifest */

/**
 * The licences of everything that went into the bundles, which ask to be passed on with it.
 *
 * @param {readonly string[]} inputs
 */
async function noticesOf(inputs) {
  const folders = new Set(inputs.map(input => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? ''));
  folders.delete('');
  const notices = [...folders].toSorted().map(async folder => {
    const file = (await readdir(join(root, folder))).find(name => /^licen[cs]e/i.test(name));
    const manifest = await readFile(join(root, folder, 'package.json'), 'utf8');
    const { name, version, license, author } = /** @type {Manifest} */ (JSON.parse(manifest));
    if (!file && !license) throw new Error(`${folder} is bundled and says nothing of its licence.`);
    // Some packages name their licence and leave its text out.
    const text = file
      ? await readFile(join(root, folder, file), 'utf8')
      : `Licence: ${license}. ${typeof author === 'string' ? author : (author?.name ?? '')}`;
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(notices)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** The types of `sql-project-explorer/client`: its own layer and the two below it, as the compiler declares them. */
async function writeClientTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b', 'src/client'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of the client cannot be made. The compiler says why above.');
  for (const layer of ['base', 'wire', 'client']) {
    await cp(join(root, '.cache/types/src', layer), join(root, 'dist/types', layer), { recursive: true });
  }
}
