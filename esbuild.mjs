import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

const { values: chosen } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    /** Builds nothing but the service. */
    service: { type: 'boolean', default: false },
    /** Builds nothing but the npm package, in this folder. */
    npm: { type: 'string' },
  },
});

/**
 * undici's index pulls in fetch, WebSocket, caches and mocks. The client uses only an Agent and its request(), so the
 * bundle imports both from the files that define them, and joins them as the index does.
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
    // undici has its HTTP parser twice, with and without SIMD. Every machine that runs this Node.js has SIMD.
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

/**
 * In the extension host, VS Code itself translates the texts of `protocol/`.
 *
 * @type {import('esbuild').Plugin}
 */
const hostTexts = {
  name: 'host-texts',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path: 'l10n', namespace: 'host-texts' }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'host-texts' }, () => ({
      contents: `import { l10n } from 'vscode'; export const { t } = l10n;`,
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
  sourcemap: chosen.watch,
  legalComments: 'none',
  logLevel: chosen.watch ? 'info' : 'warning',
};

/** @type {import('esbuild').BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
};

// Packages that are CommonJS modules call `require` for Node.js's own modules, and ES modules have none.
const requireBanner = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);`;

/** @type {import('esbuild').BuildOptions} */
const split = { splitting: true, chunkNames: 'chunks/[name]-[hash]' };

/**
 * The extension host's part. Each `import()` becomes a file that is loaded on first use, and shared code a file of its
 * own, so that every class exists once.
 *
 * @type {import('esbuild').BuildOptions}
 */
const extension = {
  ...node,
  entryPoints: { extension: 'src/extension.ts' },
  ...split,
  external: ['vscode'],
  plugins: [slimUndici, hostTexts],
  // Its main file is UMD, whose requires esbuild does not follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // undici asks for this name to tell a build without its second, experimental HTTP parser.
  define: { esbuildDetection: '"bundled"' },
  banner: { js: requireBanner },
};

/**
 * The service with the files that it starts.
 *
 * @type {import('esbuild').BuildOptions[]}
 */
const service = [
  {
    ...node,
    entryPoints: { service: 'src/service/cli.ts' },
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    // The service starts these for each project. It expects them beside itself.
    ...node,
    entryPoints: ['src/service/engines/sqlite/sqliteWorker.ts', 'src/service/engines/sqlite/sqliteWatchdog.ts'],
  },
];

/**
 * Processes with the client, and without VS Code.
 *
 * @type {import('esbuild').BuildOptions}
 */
const withClient = {
  ...node,
  plugins: [slimUndici],
  define: { esbuildDetection: '"bundled"' },
  banner: { js: requireBanner },
};

/**
 * The chart is a file of its own, which the grid loads when it is first used. It has copies of what it shares with the grid:
 * with a chunk for both, each grid would load two files.
 *
 * @type {import('esbuild').Plugin}
 */
const separateChart = {
  name: 'separate-chart',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\/chartView\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './chart.js', external: true } : undefined,
    );
  },
};

/**
 * uPlot formats numbers in the language of the browser, and fails at once if Intl does not know it, as `en-US@posix`. The chart
 * formats its numbers itself.
 *
 * @type {import('esbuild').Plugin}
 */
const uplotLanguage = {
  name: 'uplot-language',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /uPlot\.esm\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('nav.language', `'en'`),
    }));
  },
};

/**
 * The files in the worker of the diagram, for their licences.
 *
 * @type {Set<string>}
 */
const workerInputs = new Set();

/**
 * A webview can start a worker only from a text that its page has.
 *
 * @type {import('esbuild').Plugin}
 */
const diagramWorker = {
  name: 'diagram-worker',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^diagram-worker$/ }, () => ({ path: 'worker', namespace: 'diagram-worker' }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'diagram-worker' }, async () => {
      const entry = 'webview/diagram/layout/worker.ts';
      const { outputFiles, metafile } = await build({
        ...page,
        entryPoints: [entry],
        format: 'iife',
        sourcemap: false,
        write: false,
      });
      const inputs = Object.keys(metafile?.inputs ?? {});
      inputs.forEach(input => workerInputs.add(input));
      const watchFiles = inputs.map(file => join(root, file));
      return { contents: outputFiles?.[0]?.text ?? '', loader: 'text', watchFiles };
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
const page = {
  ...common,
  format: 'esm',
  platform: 'browser',
  target: 'chrome148',
  outdir: 'dist/webview',
};

/** @type {import('esbuild').BuildOptions} */
const transfer = {
  // The commands that move projects start it. It has the client, and shares nothing with the extension.
  ...withClient,
  entryPoints: { transfer: 'src/transfer/main.ts' },
};

/** @type {import('esbuild').BuildOptions} */
const serviceWorker = {
  // The whole service as a Worker, for a platform of Durable Objects.
  ...common,
  entryPoints: { serviceWorker: 'src/service/workers/hosted/worker.ts' },
  format: 'esm',
  target: 'es2024',
  external: ['cloudflare:workers', 'node:*'],
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  extension,
  {
    // SQLite is a chunk of its own, because the first diagnosis loads it. The server for agents shares it and the parser.
    ...withClient,
    ...split,
    entryPoints: { languageServer: 'src/language/server.ts', mcp: 'src/mcp/serve.ts' },
  },
  {
    // The thread that sorts, searches and writes rows starts with the first row query. The writer of Parquet files is a chunk of its own.
    ...node,
    ...split,
    entryPoints: { rowsThread: 'src/model/results/thread/main.ts' },
  },
  {
    // It starts with the first run.
    ...node,
    entryPoints: { historyThread: 'src/model/history/thread/main.ts' },
  },
  {
    // It starts when a file is imported.
    ...node,
    entryPoints: { importThread: 'src/model/importing/thread/main.ts' },
  },
  {
    // It starts when rows are generated.
    ...node,
    entryPoints: { generator: 'src/model/generating/process/main.ts' },
  },
  ...service,
  transfer,
  serviceWorker,
  {
    ...page,
    entryPoints: {
      grid: 'webview/grid/main.ts',
      settings: 'webview/settings/main.ts',
      designer: 'webview/designer/main.ts',
      diagram: 'webview/diagram/main.ts',
    },
    plugins: [separateChart, diagramWorker],
  },
  {
    ...page,
    entryPoints: { chart: 'webview/grid/chart/chartView.ts' },
    // The grid has its styles.
    loader: { '.css': 'empty' },
    plugins: [uplotLanguage],
  },
];

/**
 * The npm package. Its client is for people to read, and leaves its dependencies to npm. The service has no file of the
 * extension beside it.
 *
 * @param {string} folder
 * @returns {import('esbuild').BuildOptions[]}
 */
function npmPackage(folder) {
  const mcp = { ...withClient, ...split, entryPoints: { mcp: 'src/mcp/serve.ts' } };
  return [
    {
      ...node,
      entryPoints: { client: 'src/client/index.ts' },
      // The oldest Node.js that undici runs on.
      target: 'node22.19',
      packages: 'external',
      minify: false,
      sourcemap: true,
      outdir: folder,
      outExtension: {},
    },
    ...[...service, transfer, mcp].map(options => Object.assign({}, options, { outdir: join(folder, 'service') })),
    Object.assign({}, serviceWorker, { outdir: join(folder, 'worker') }),
  ];
}

if (chosen.watch) {
  for (const options of bundles) await (await context(options)).watch();
} else if (chosen.npm === undefined) {
  const folder = join(root, 'dist');
  await rm(folder, { recursive: true, force: true });
  const results = await buildAll(chosen.service ? service : bundles, folder);
  if (!chosen.service) await writeOtherFiles(results, folder);
} else {
  await buildAll(npmPackage(chosen.npm), chosen.npm);
  await copySqlite(join(chosen.npm, 'service'));
}

/**
 * @param {readonly import('esbuild').BuildOptions[]} options
 * @param {string} folder
 */
async function buildAll(options, folder) {
  const results = await Promise.all(options.map(build));
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await noticesOf([...inputs, ...workerInputs]));
  return results;
}

/**
 * Writes what the extension needs besides its bundles.
 *
 * @param {readonly import('esbuild').BuildResult[]} results
 * @param {string} folder
 */
async function writeOtherFiles(results, folder) {
  // The names of the chunks contain hashes, so the test of their sizes needs to know which file is which.
  const outputs = results.flatMap(({ metafile }) => Object.entries(metafile?.outputs ?? {}));
  await writeFile(join(folder, 'outputs.json'), JSON.stringify(Object.fromEntries(outputs)));
  await copySqlite(folder);
}

/** @param {string} folder */
async function copySqlite(folder) {
  await cp(join(root, 'node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'), join(folder, 'sqlite3.wasm'));
}

/** @typedef {{ name: string, version: string, license?: string, author?: string | { name?: string } }} Manifest */

/**
 * Collects the licences of everything in the bundles, since they must be distributed with it.
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
    if (!file && !license) throw new Error(`${folder} is bundled, but names no licence.`);
    // Some packages name their licence without its text.
    const text = file
      ? await readFile(join(root, folder, file), 'utf8')
      : `Licence: ${license}. ${typeof author === 'string' ? author : (author?.name ?? '')}`;
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(notices)).join(`\n${'-'.repeat(80)}\n\n`);
}
