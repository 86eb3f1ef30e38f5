import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes('--watch');

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
  sourcemap: watch,
  legalComments: 'none',
  logLevel: watch ? 'info' : 'warning',
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

/**
 * The extension host's part. Each `import()` becomes a file that is loaded on first use, and shared code a file of its
 * own, so that every class exists once.
 *
 * @type {import('esbuild').BuildOptions}
 */
const extension = {
  ...node,
  entryPoints: { extension: 'src/extension.ts' },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  plugins: [slimUndici, hostTexts],
  // Its main file is UMD, whose requires esbuild does not follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // undici asks for this name to tell a build without its second, experimental HTTP parser.
  define: { esbuildDetection: '"bundled"' },
  banner: { js: requireBanner },
};

/**
 * The service with the files that it starts. `node esbuild.mjs --service` builds nothing else.
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

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  extension,
  {
    // SQLite is a chunk of its own, because the first diagnosis loads it. The server for agents shares it and the parser.
    ...node,
    entryPoints: { languageServer: 'src/language/server.ts', mcp: 'src/mcp/serve.ts' },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [slimUndici],
    define: { esbuildDetection: '"bundled"' },
    banner: { js: requireBanner },
  },
  {
    // The thread that sorts, searches and writes rows starts with the first row query.
    ...node,
    entryPoints: { rowsThread: 'src/model/results/thread/main.ts' },
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
  {
    // The commands that move projects start it. It has the client, and shares nothing with the extension.
    ...node,
    entryPoints: { transfer: 'src/transfer/main.ts' },
    plugins: [slimUndici],
    define: { esbuildDetection: '"bundled"' },
    banner: { js: requireBanner },
  },
  {
    // The whole service as a Worker, for a platform of Durable Objects.
    ...common,
    entryPoints: { serviceWorker: 'src/service/workers/hosted/worker.ts' },
    format: 'esm',
    target: 'es2024',
    external: ['cloudflare:workers', 'node:*'],
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
  },
  {
    // The client package bundles no dependencies: npm installs them.
    ...node,
    entryPoints: { client: 'src/client/index.ts' },
    packages: 'external',
  },
  {
    ...common,
    entryPoints: {
      grid: 'webview/grid/main.ts',
      settings: 'webview/settings/main.ts',
      designer: 'webview/designer/main.ts',
    },
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
  const isServiceOnly = process.argv.includes('--service');
  const results = await Promise.all((isServiceOnly ? service : bundles).map(build));
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  await writeFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), await noticesOf(inputs));
  if (!isServiceOnly) await writeOtherFiles(results);
}

/**
 * Writes what the extension and the client need besides their bundles.
 *
 * @param {readonly import('esbuild').BuildResult[]} results
 */
async function writeOtherFiles(results) {
  // The names of the chunks contain hashes, so the test of their sizes needs to know which file is which.
  const outputs = results.flatMap(({ metafile }) => Object.entries(metafile?.outputs ?? {}));
  await writeFile(join(root, 'dist/outputs.json'), JSON.stringify(Object.fromEntries(outputs)));
  await cp(join(root, 'node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'), join(root, 'dist/sqlite3.wasm'));
  await writeClientTypes();
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

/** Copies the declarations of `sql-project-explorer/client`: its own layer and the two below it. */
async function writeClientTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b', 'src/client'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The compiler could not declare the client. Its messages are above.');
  for (const layer of ['base', 'wire', 'client']) {
    await cp(join(root, '.cache/types/src', layer), join(root, 'dist/types', layer), { recursive: true });
  }
}
