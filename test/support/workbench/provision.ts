import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { nodePackage } from '../npm.ts';
import { installOnce } from './installOnce.ts';
import { startOwned } from './ownedProcess.ts';
import { provisionedFolder } from './workbenchPaths.ts';

export { provisionBrowser } from './provisionBrowser.ts';

export interface Workbench {
  /** The Node.js of code-server and its extension hosts. */
  node: string;
  entry: string;
  /** The folder of VS Code's built-in extensions. */
  extensions: string;
  version: string;
}

export interface ProvisionOptions {
  log?: (line: string) => void;
}

const version = '4.139.1';
const nodeMajor = '24';
const logFile = join(provisionedFolder, 'code-server-install.log');

/** Installs the VS Code workbench as code-server, from the npm registry alone. */
export async function provisionWorkbench({ log = console.error }: ProvisionOptions = {}): Promise<Workbench> {
  requireSupportedPlatform();
  const folder = join(provisionedFolder, 'code-server');
  // Native modules are built for one ABI. A Node.js with another one needs its own installation.
  const stamp = `code-server ${version} ${process.platform}-${process.arch} abi ${process.versions.modules}`;
  await installOnce({
    folder,
    stamp,
    install: async building => {
      log(`Installing code-server ${version} (once, about a minute); details in ${logFile}`);
      await installCodeServer(building);
    },
  });
  const codeServer = join(folder, 'node_modules/code-server');
  return {
    node: process.execPath,
    version,
    entry: join(codeServer, 'out/node/entry.js'),
    extensions: join(codeServer, 'lib/vscode/extensions'),
  };
}

function requireSupportedPlatform(): void {
  if (process.platform === 'win32') {
    throw new Error('code-server does not run on Windows: run this in WSL, or in a container.');
  }
  if (!process.versions.node.startsWith(`${nodeMajor}.`)) {
    throw new Error(`code-server ${version} needs Node ${nodeMajor}, but this is ${process.version}: use \`npm run\`.`);
  }
}

async function installCodeServer(folder: string): Promise<void> {
  await rm(logFile, { force: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const headers = nodeHeaders(folder);
  // Code-server's install script would also build kerberos and sqlite3, which need system libraries and are not used.
  const install = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'];
  await npm([...install, `code-server@${version}`, ...headers.packages], folder);
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  const installs = [vscode, join(vscode, 'extensions')].map(cwd => npm([...install, '--omit=dev'], cwd));
  await Promise.all(installs);
  // The other native modules ship binaries. Without spdlog, output channels of extensions stay empty.
  const natives = ['@vscode/spdlog', '@vscode/native-watchdog'];
  await npm(['rebuild', '--foreground-scripts', ...natives], vscode, { npm_config_nodedir: headers.prefix });
  for (const name of headers.names) await rm(join(folder, 'node_modules', name), { recursive: true });
}

interface Headers {
  prefix: string;
  names: string[];
  packages: string[];
}

/** Finds Node's C++ headers: beside this Node.js, or in the npm package for this platform. */
function nodeHeaders(folder: string): Headers {
  const prefix = dirname(dirname(process.execPath));
  if (existsSync(join(prefix, 'include/node/node_api.h'))) return { prefix, names: [], packages: [] };
  const name = nodePackage();
  return {
    prefix: join(folder, 'node_modules', name),
    names: [name],
    packages: [`${name}@${process.versions.node}`],
  };
}

async function npm(args: string[], cwd: string, extraEnv: NodeJS.ProcessEnv = {}): Promise<void> {
  await mkdir(dirname(logFile), { recursive: true });
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path, ...extraEnv };
  // An outer `npm run` sets these. They would make this npm work on our own package.
  for (const name of ['npm_config_local_prefix', 'npm_config_prefix', 'npm_config_global']) delete env[name];
  const outcome = await startOwned('npm', args, { cwd, env, logFile }).exited;
  if (outcome === 0) return;
  throw new Error(
    `Installing code-server failed: "npm ${args.join(' ')}" ended with ${outcome}. Look at ${logFile}; it needs the ` +
      `npm registry, python3, make and a C++ compiler. Then try again: nothing half-done is left behind.`,
  );
}
