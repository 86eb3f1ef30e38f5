import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type OwnProfile, startOwnWorkbench } from './ownWorkbench.ts';
import { openWorkbench, type WorkbenchSession } from './session.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import { type SharedWorkbench, sharedWorkbench } from './sharedWorkbench.ts';
import { putToRest } from './windowAtRest.ts';
import { defaultViewport, type WorkbenchPageOptions } from './workbenchPage.ts';
import { resultsFolder } from './workbenchPaths.ts';
import { tail, writeUserSettings } from './workbenchServer.ts';
import { afterAllFiles } from '../afterAllFiles.ts';
import { testLimitMs } from '../hangLimits.ts';

export interface WorkbenchTestOptions {
  /** Files of the test's folder: path to content. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** Settings of the folder. Tests that run at the same time share the user settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** A second unpacked extension, loaded in development mode. The window is the test's own. */
  developmentExtension?: string;
  /** A server for tests of user settings. Tests in a row that differ in the settings alone share its window. */
  ownProfile?: OwnProfile;
  /** Opens a window for this test alone, and with `ownProfile` a server. */
  ownWindow?: boolean;
  viewport?: WorkbenchPageOptions['viewport'];
  timeoutMs?: number;
}

/**
 * A test in a workbench. A request to another machine fails it too. The tests of a process share one window, because
 * opening one takes longer than most tests. Each test starts with its own files and settings and nothing open. A failed
 * test closes the window. The window's memory stays: keys by address and project, the project of a file, the last values
 * of a statement.
 */
export function workbenchTest(
  name: string,
  options: WorkbenchTestOptions,
  body: (session: WorkbenchSession) => Promise<void>,
): void {
  void test(name, async () => {
    const kind = kindOf(options);
    const shared = windows.find(window => kind !== undefined && window.kind === kind);
    if (!shared) await makeRoom();
    const opened = shared ?? (await openWindow(options, kind));
    windows = [...windows.filter(window => window !== opened), opened];
    await using atEnd = new AsyncDisposableStack();
    atEnd.defer(() => closeWindows(window => window === opened));
    await check(name, options, opened.session, async session => {
      if (shared) await furnish(name, options, session);
      await body(session);
      if (kind !== undefined) await putToRest(session);
    });
    if (kind !== undefined) atEnd.move();
  });
}

interface OpenWindow extends AsyncDisposable {
  readonly kind: string | undefined;
  readonly session: WorkbenchSession;
}

/** The open windows, the last used one last. */
let windows: readonly OpenWindow[] = [];

/** Windows take memory. Few tests need another kind than the usual one. */
async function makeRoom(): Promise<void> {
  if (windows.length < 2) return;
  const longestUnused = windows.find(({ kind }) => kind !== usualKind);
  await closeWindows(window => window === longestUnused);
}

async function closeWindows(areToClose: (window: OpenWindow) => boolean): Promise<void> {
  const closing = windows.filter(areToClose);
  windows = windows.filter(window => !areToClose(window));
  for (const window of closing) await window[Symbol.asyncDispose]();
}

/** Tests of one kind share a window. A test without a kind has its own. */
function kindOf({ developmentExtension, ownProfile, ownWindow = false }: WorkbenchTestOptions): string | undefined {
  if (ownWindow || developmentExtension !== undefined) return undefined;
  return JSON.stringify([ownProfile !== undefined, ownProfile?.machineSettings, ownProfile?.trustWorkspaces]);
}

const usualKind = kindOf({});

async function openWindow(options: WorkbenchTestOptions, kind: string | undefined): Promise<OpenWindow> {
  const { developmentExtension, viewport } = options;
  await using stack = new AsyncDisposableStack();
  const { server, browser } = await workbenchFor(options, stack);
  // After the browser, so that the window closes before it.
  afterAllFiles(() => closeWindows(() => true));
  const folder = await mkdtemp(join(tmpdir(), 'workbench-test-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  await fill(folder, options);
  const session = await openWorkbench(browser, server, {
    folder,
    ...(developmentExtension && { developmentExtension }),
    ...(viewport && { viewport }),
  });
  stack.defer(() => session.close());
  const opened = stack.move();
  return { kind, session, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function check(
  name: string,
  { timeoutMs = testLimitMs }: WorkbenchTestOptions,
  session: WorkbenchSession,
  body: (session: WorkbenchSession) => Promise<void>,
): Promise<void> {
  try {
    await within(timeoutMs, body(session));
    assert.deepEqual(session.externalRequests, [], 'The page asked other machines.');
  } catch (error) {
    const kept = await keepEvidence(name, session);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\nTo look at: ${kept.join(', ')}`, { cause: error });
  }
}

async function workbenchFor(
  { ownProfile }: WorkbenchTestOptions,
  stack: AsyncDisposableStack,
): Promise<SharedWorkbench> {
  if (!ownProfile) return sharedWorkbench();
  return { ...stack.use(await startOwnWorkbench(ownProfile)), browser: await sharedBrowser() };
}

async function fill(folder: string, { files = {}, settings }: WorkbenchTestOptions): Promise<void> {
  const all = settings ? { ...files, '.vscode/settings.json': JSON.stringify(settings) } : files;
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Fills the folder of a window at rest for the next test and waits until the window has read it. */
async function furnish(
  name: string,
  { files, settings, ownProfile, viewport = defaultViewport }: WorkbenchTestOptions,
  session: WorkbenchSession,
): Promise<void> {
  const { folder, page, server } = session;
  await page.setViewportSize(viewport);
  // A hidden view would keep its old content.
  await session.openView('SQL Projects');
  const former = await projectsOf(session);
  const entries = (await readdir(folder)).filter(entry => entry !== '.vscode');
  for (const entry of entries) await rm(join(folder, entry), { recursive: true });
  // The title shows that the settings of the same file apply, and its separator that those of the user do.
  const separator = ` ${++furnished} `;
  if (ownProfile) {
    const userSettings = { ...ownProfile.settings, 'window.titleSeparator': separator };
    await writeUserSettings(server.userDataDir, { ...ownProfile, settings: userSettings });
  }
  // Cursors start where they do in a new window.
  const title = `${name}\${separator}settings`;
  const shared = { 'window.title': title, 'workbench.editor.restoreViewState': false };
  await fill(folder, { ...(files && { files }), settings: { ...settings, ...shared } });
  await page.waitForFunction(start => document.title.startsWith(start), ownProfile ? `${name}${separator}` : name);
  const now = await projectsOf(session);
  for (const project of former.difference(now)) await session.treeItem(project).first().waitFor({ state: 'detached' });
  const unfolded = page.getByRole('treeitem', { level: 1, expanded: true });
  while ((await unfolded.count()) > 0) await unfolded.first().locator('.monaco-tl-twistie').click();
}

/** How often a window was furnished. */
let furnished = 0;

/** The names of projects in the settings of the folder and, where no other window has them, of the user. */
async function projectsOf({ folder, server }: WorkbenchSession): Promise<Set<string>> {
  const files = [join(folder, '.vscode/settings.json'), join(server.userDataDir, 'User/settings.json')];
  const texts = await Promise.all(files.map(file => readFile(file, 'utf8').catch(() => '{}')));
  const names = [...texts.join('\n').matchAll(/"name":\s*("(?:[^"\\]|\\.)*")/g)];
  return new Set(names.map(([, name = '']) => JSON.parse(name) as string));
}

/** Replaces node:test's timeout, which abandons the test and leaves no evidence. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The test took longer than ${timeoutMs / 1000} s.`)), timeoutMs);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function keepEvidence(name: string, session: WorkbenchSession): Promise<string[]> {
  const base = join(resultsFolder, name.replace(/[^\w.-]+/g, '-'));
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(`${base}.console.log`, session.consoleLines.join('\n'));
  await writeFile(`${base}.server.log`, await tail(session.server.logFile, 200));
  const picture = await session.screenshot(name).catch(error => `no picture (${error})`);
  return [picture, `${base}.console.log`, `${base}.server.log`];
}
