import { rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes('--watch');

/**
 * What becomes a file of its own, to be read when it is first needed and not with the window: the HTTP client with the
 * first project that is opened, the language client with the first SQL document.
 */
const lazyEntries = { client: 'src/client/index.ts', languageClient: 'src/host/language/languageClient.ts' };

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
    plugins: [slimUndici],
    define,
  },
  {
    ...node,
    entryPoints: { service: 'src/service/cli.ts' },
    format: 'esm',
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
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
  await Promise.all(bundles.map(build));
}
