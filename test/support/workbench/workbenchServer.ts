import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installFromFolder } from './installedExtension.ts';
import { startOwned, type OwnedProcess } from './ownedProcess.ts';
import { provisionWorkbench, type Workbench } from './provision.ts';
import { waitUntil } from './waitUntil.ts';
import { workbenchSettings } from './workbenchSettings.ts';

export type UserSettings = Readonly<Record<string, unknown>>;

export interface WorkbenchServerOptions {
  /** Holds everything the server writes: profile, extensions, home folder and log. Kept, so a second start finds it. */
  root: string;
  /** User settings of a new profile. */
  settings?: UserSettings;
  /** For settings of the scope `machine`, which count only where the server's own machine sets them. */
  machineSettings?: UserSettings;
  keybindings?: readonly object[];
  port?: number;
  /** An unpacked extension that every browser opening the workbench gets. */
  extensionFolder?: string;
  /** A packed extension, installed as users install it. */
  vsix?: string;
  /** Which of the extensions that VS Code comes with are there, by their folders; all of them when nothing is said. */
  builtInExtensions?: readonly string[];
  /** True unless a test is about Restricted Mode. */
  trustWorkspaces?: boolean;
}

/** What other processes need to know of a running server; plain JSON. */
export interface WorkbenchAddress {
  baseUrl: string;
  port: number;
  userDataDir: string;
  extensionsDir: string;
  logFile: string;
}

export interface WorkbenchServer extends WorkbenchAddress {
  urlFor(folder: string): string;
  /** Merges into the user settings of all sessions; `undefined` removes one. Open windows follow by themselves. */
  setUserSettings(settings: UserSettings): Promise<void>;
}

export interface StartedWorkbenchServer extends WorkbenchServer {
  stop(): Promise<void>;
}

/** The server at an address, whichever process started it. */
export function workbenchServerAt(address: WorkbenchAddress): WorkbenchServer {
  return {
    ...address,
    urlFor: folder => `${address.baseUrl}/?${new URLSearchParams({ folder })}`,
    setUserSettings: settings => mergeSettings(address.userDataDir, settings),
  };
}

/** A VS Code workbench for any browser on this machine, with a profile of its own and no way to the outside. */
export async function startWorkbenchServer(options: WorkbenchServerOptions): Promise<StartedWorkbenchServer> {
  const { root, extensionFolder, vsix, trustWorkspaces = true } = options;
  const workbench = await provisionWorkbench();
  const [userDataDir, extensionsDir] = [join(root, 'user-data'), join(root, 'extensions')];
  const [home, config, logFile] = [join(root, 'home'), join(root, 'config.yaml'), join(root, 'server.log')];
  for (const folder of [join(userDataDir, 'User'), extensionsDir, home]) await mkdir(folder, { recursive: true });
  const trust = trustWorkspaces ? { 'security.workspace.trust.enabled': false } : {};
  // A profile that is there already belongs to whoever uses it.
  const settingsFile = join(userDataDir, 'User', 'settings.json');
  if (!existsSync(settingsFile))
    await mergeSettings(userDataDir, { ...workbenchSettings, ...trust, ...options.settings });
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
  if (extensionFolder) await installFromFolder(extensionFolder, extensionsDir);
  if (vsix && (await codeServer(['--install-extension', vsix]).exited) !== 0) {
    throw new Error(`Installing ${vsix} failed: ${await tail(logFile)}`);
  }

  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${options.port ?? 0}`, '--disable-telemetry'];
  args.push('--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened');
  // A socket beside the profile can exceed the length of path that the system allows for sockets.
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
  // Inherited, these would tie the server to another editor's window or to the test runner around us.
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

async function mergeSettings(userDataDir: string, settings: UserSettings): Promise<void> {
  const file = join(userDataDir, 'User', 'settings.json');
  const present = await readFile(file, 'utf8').catch(() => '{}');
  const merged = { ...(JSON.parse(present) as UserSettings), ...settings };
  // A window must never read half a file: it would drop all settings for a moment.
  const complete = `${file}.${randomUUID().slice(0, 8)}`;
  await writeFile(complete, JSON.stringify(merged, null, 2));
  await rename(complete, file);
}

/** The last lines of a log, for an error that must explain itself. */
export async function tail(file: string, lines = 40): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '(no log)');
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
