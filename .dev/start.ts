// `npm start`: builds, starts the local service with its sample project, and opens VS Code on it: the tree, an SQL file, and
// the rows of its first statement.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleStatements } from '../src/host/local/sampleStatements.ts';
import { ServiceProcess } from '../test/support/serviceProcess.ts';
import { startWorkbenchServer } from '../test/support/workbench/workbenchServer.ts';
import { root, runTool } from './command.ts';

const { values: options } = parseArgs({
  options: {
    /** Print the workbench's address instead of opening anything. */
    'no-open': { type: 'boolean', default: false },
    /** Take what was built before. */
    'no-build': { type: 'boolean', default: false },
    /** Where the sample project and the profiles are kept. */
    folder: { type: 'string', default: join(root, '.workbench', 'start') },
  },
});
const open = !options['no-open'];
/** The oldest VS Code that has the Node.js the extension needs; package.json says the same. */
const oldestCode = [1, 124];
const home = options.folder;
const sample = join(home, 'sample');
/** A second extension. It shows the sample when the window opens. */
const sampleOpener = join(root, '.dev/sampleOpener');

const cleanUp: (() => Promise<void>)[] = [];
let stopping = false;
async function stop(status: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const end of cleanUp.toReversed()) await end().catch((thrown: unknown) => console.error(thrown));
  process.exit(status);
}
// Not once(): while a listener remains, the signal does not end this process before everything else has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// npm hands SIGTERM to the shell between it and this process, which ends without handing it on.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && void stop(0), 250).unref();

try {
  await start();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  await stop(1);
}

async function start(): Promise<void> {
  if (!options['no-build'] && !runTool('build')) throw new Error('The build failed. Its own message is above.');
  await mkdir(sample, { recursive: true });
  await writeNew(join(sample, 'shop.sql'), sampleStatements);
  // The opener deletes this file, and shows the sample.
  await writeFile(join(home, 'show-sample'), '');
  const service = await ServiceProcess.start('built', { folder: join(home, 'service') });
  cleanUp.push(() => service.stop());
  const settings = { 'sqlProjects.localService.folder': service.folder };
  if (open && hasCode()) await openInCode(settings);
  else await openInBrowser(settings);
}

/** The user's own VS Code, with a profile of its own, so that the user's profile is not touched. */
async function openInCode(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const profile = join(home, 'code');
  await mkdir(join(profile, 'User'), { recursive: true });
  const trusted = { ...settings, 'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none' };
  await writeNew(join(profile, 'User', 'settings.json'), JSON.stringify(trusted, null, 2));
  const extensions = [root, sampleOpener].flatMap(folder => ['--extensionDevelopmentPath', folder]);
  const code = spawn('code', ['--new-window', '--wait', '--user-data-dir', profile, ...extensions, sample], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  code.once('error', (thrown: unknown) => {
    console.error(`VS Code could not be started: ${String(thrown)}`);
    void stop(1);
  });
  cleanUp.push(async () => {
    code.kill();
    await endEditor(profile);
  });
  console.log('VS Code is open on the sample project. Close its window, or press Ctrl-C, to end.');
  code.once('exit', () => void stop(0));
}

/** The command `code` only waits for the editor, which it starts detached. The editor's process is found by its profile. */
async function endEditor(profile: string): Promise<void> {
  const pid = Number(await readFile(join(profile, 'code.lock'), 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 0) return;
  try {
    process.kill(pid);
  } catch {
    // It has ended by itself, as it does when its window is closed.
  }
}

/** A file that the person has changed stays. */
async function writeNew(file: string, content: string): Promise<void> {
  if (!existsSync(file)) await writeFile(file, content);
}

async function openInBrowser(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const server = await startWorkbenchServer({
    root: join(home, 'workbench'),
    settings,
    machineSettings: settings,
    extensionFolder: root,
    helperFolder: sampleOpener,
  });
  cleanUp.push(() => server.stop());
  const url = server.urlFor(sample);
  console.log(`ready ${url}`);
  if (open) openUrl(url);
}

function hasCode(): boolean {
  const { stdout, status } = spawnSync('code', ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) return false;
  const [major = 0, minor = 0] = stdout.split('.').map(Number);
  const isNewEnough = major > (oldestCode[0] ?? 0) || (major === oldestCode[0] && minor >= (oldestCode[1] ?? 0));
  if (!isNewEnough)
    console.log(
      `VS Code ${stdout.split('\n')[0]} is older than ${oldestCode.join('.')}; using the workbench from npm.`,
    );
  return isNewEnough;
}

/** The address is printed too: some machines have no program that opens one. */
function openUrl(url: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
