import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnedProcess, startOwned } from './ownedProcess.ts';
import { provisionWorkbench, type Workbench } from './provision.ts';
import { waitUntil } from './waitUntil.ts';
import { workbenchSettings } from './workbenchSettings.ts';
import { pathToFileURL } from 'node:url';

interface Manifest {
  publisher?: string;
  name?: string;
  version?: string;
}

/**
 * Registers unpacked extensions in place, as "Developer: Install Extension from Location…" does. Every window has them, and
 * a reload runs the newest build. Uninstalling one leaves its folder alone.
 */
async function installFromFolders(folders: readonly string[], extensionsDir: string): Promise<void> {
  const entries = await Promise.all(folders.map(entryOf));
  await writeFile(join(extensionsDir, 'extensions.json'), JSON.stringify(entries));
}

async function entryOf(folder: string): Promise<object> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { publisher, name, version } = manifest;
  if (!publisher || !name || !version) {
    throw new Error(`${join(folder, 'package.json')} is no extension's: it lacks a publisher, name or version.`);
  }
  return {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, scheme: 'file', path: pathToFileURL(folder).pathname },
    metadata: { source: 'resource', installedTimestamp: 0, pinned: true },
  };
}

export type UserSettings = Readonly<Record<string, unknown>>;

export interface WorkbenchServerOptions {
  /** Profile, extensions, home folder and log of the server. A second start finds them. */
  root: string;
  /** User settings of a new profile. */
  settings?: UserSettings;
  /** Settings of the scope `machine`. They count only in the server's own machine settings. */
  machineSettings?: UserSettings;
  keybindings?: readonly object[];
  port?: number;
  /** An unpacked extension for every window of this server. */
  extensionFolder?: string;
  /** A second unpacked extension, which drives the first one. */
  helperFolder?: string;
  /** A packed extension, installed as users install it. */
  vsix?: string;
  /** Folder names of the built-in extensions to load. All of them by default. */
  builtInExtensions?: readonly string[];
  /** True unless a test is about Restricted Mode. */
  trustWorkspaces?: boolean;
}

/** How other processes reach a running server. Plain JSON. */
export interface WorkbenchAddress {
  baseUrl: string;
  port: number;
  userDataDir: string;
  extensionsDir: string;
  logFile: string;
}

export interface WorkbenchServer extends WorkbenchAddress {
  urlFor(folder: string): string;
}

export interface StartedWorkbenchServer extends WorkbenchServer {
  stop(): Promise<void>;
}

/** Connects to a server that another process may have started. */
export function workbenchServerAt(address: WorkbenchAddress): WorkbenchServer {
  return {
    ...address,
    urlFor: folder => `${address.baseUrl}/?${new URLSearchParams({ folder })}`,
  };
}

/** Starts a VS Code workbench for browsers on this machine, with its own profile and no outside network. */
export async function startWorkbenchServer(options: WorkbenchServerOptions): Promise<StartedWorkbenchServer> {
  const { root, extensionFolder, helperFolder, vsix, trustWorkspaces = true } = options;
  const workbench = await provisionWorkbench();
  const userDataDir = join(root, 'user-data');
  const extensionsDir = join(root, 'extensions');
  const home = join(root, 'home');
  const config = join(root, 'config.yaml');
  const logFile = join(root, 'server.log');
  for (const folder of [join(userDataDir, 'User'), extensionsDir, home]) await mkdir(folder, { recursive: true });
  // An existing profile belongs to its user.
  if (!existsSync(userSettingsFile(userDataDir))) await writeUserSettings(userDataDir, options);
  await mkdir(join(userDataDir, 'Machine'), { recursive: true });
  await writeFile(join(userDataDir, 'Machine', 'settings.json'), JSON.stringify(options.machineSettings ?? {}));
  if (options.keybindings) {
    await writeFile(join(userDataDir, 'User', 'keybindings.json'), JSON.stringify(options.keybindings));
  }
  await writeFile(config, '{}\n');
  await writeFile(logFile, '');

  const builtIns =
    options.builtInExtensions && (await gather(join(root, 'built-in'), workbench, options.builtInExtensions));
  const common = ['--config', config, '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir];
  if (builtIns) common.push('--builtin-extensions-dir', builtIns);
  const codeServer = (args: string[]): OwnedProcess =>
    startOwned(workbench.node, [workbench.entry, ...common, ...args], { cwd: root, env: serverEnv(home), logFile });
  const folders = [extensionFolder, helperFolder].filter(folder => folder !== undefined);
  if (folders.length > 0) await installFromFolders(folders, extensionsDir);
  if (vsix && (await codeServer(['--install-extension', vsix]).exited) !== 0) {
    throw new Error(`Installing ${vsix} failed: ${await tail(logFile)}`);
  }

  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${options.port ?? 0}`, '--disable-telemetry'];
  args.push('--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened');
  // The path of a socket beside the profile can be too long for the system.
  const socket = join(tmpdir(), `workbench-${randomUUID().slice(0, 8)}.sock`);
  args.push('--session-socket', socket);
  if (trustWorkspaces) args.push('--disable-workspace-trust');
  const server = codeServer(args);
  try {
    const port = await listening(server, logFile);
    const baseUrl = `http://127.0.0.1:${port}`;
    const address = { baseUrl, port, userDataDir, extensionsDir, logFile };
    return {
      ...workbenchServerAt(address),
      stop: async () => {
        await server.stop();
        await rm(socket, { force: true });
      },
    };
  } catch (error) {
    await server.stop();
    throw new Error(`The workbench did not start. Its log ends with:\n${await tail(logFile)}`, { cause: error });
  }
}

async function gather(folder: string, { extensions }: Workbench, names: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of names) await symlink(join(extensions, name), join(folder, name));
  return folder;
}

function serverEnv(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home };
  env['XDG_CONFIG_HOME'] = join(home, '.config');
  env['XDG_DATA_HOME'] = join(home, '.local/share');
  env['EXTENSIONS_GALLERY'] = JSON.stringify({ serviceUrl: '' });
  // These variables would tie the server to another editor's window or to the test runner.
  for (const name of Object.keys(env))
    if (/^(VSCODE_|NODE_TEST|NODE_OPTIONS$|PORT$|PASSWORD$)/.test(name)) delete env[name];
  return env;
}

async function listening(server: OwnedProcess, logFile: string): Promise<number> {
  const port = await waitUntil(
    async () => {
      if (server.outcome() !== null) throw new Error(`code-server ended with ${server.outcome()}.`);
      return Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(await readFile(logFile, 'utf8'))?.[1]);
    },
    { what: 'code-server does not say that it listens' },
  );
  const healthy = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      answer => answer.ok,
      () => false,
    );
  await waitUntil(healthy, { what: `code-server is not healthy on port ${port}` });
  return port;
}

const userSettingsFile = (userDataDir: string): string => join(userDataDir, 'User', 'settings.json');

/** Replaces the user settings by those of a new profile. Open windows follow. */
async function writeUserSettings(
  userDataDir: string,
  { settings, trustWorkspaces = true }: Pick<WorkbenchServerOptions, 'settings' | 'trustWorkspaces'>,
): Promise<void> {
  const trust = trustWorkspaces ? { 'security.workspace.trust.enabled': false } : {};
  const file = userSettingsFile(userDataDir);
  // A window that reads half a file drops all settings for a moment.
  const complete = `${file}.${randomUUID().slice(0, 8)}`;
  await writeFile(complete, JSON.stringify({ ...workbenchSettings, ...trust, ...settings }, null, 2));
  await rename(complete, file);
}

/** Reads the last lines of a log, for an error message. */
export async function tail(file: string, lines = 40): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '(no log)');
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
