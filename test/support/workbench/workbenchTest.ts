import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openWorkbench, type WorkbenchSession } from './session.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import { type SharedWorkbench, sharedWorkbench } from './sharedWorkbench.ts';
import { putToRest, restKeybindings } from './windowAtRest.ts';
import { defaultViewport, type WorkbenchPageOptions } from './workbenchPage.ts';
import { twistie } from './workbenchParts.ts';
import { repositoryRoot, resultsFolder } from './workbenchPaths.ts';
import { type StartedWorkbenchServer, startWorkbenchServer, tail, type UserSettings } from './workbenchServer.ts';
import { afterAllFiles } from '../afterAllFiles.ts';
import { testLimitMs } from '../hangLimits.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { testedBeside } from './workbenchSettings.ts';

interface OwnProfile {
  readonly settings?: UserSettings;
  readonly machineSettings?: UserSettings;
  readonly trustWorkspaces?: boolean;
}

interface OwnWorkbench extends AsyncDisposable {
  readonly server: StartedWorkbenchServer;
}

/** A workbench server for tests of user settings, because all sessions of a server share them. */
async function startOwnWorkbench(profile: OwnProfile): Promise<OwnWorkbench> {
  await using stack = new AsyncDisposableStack();
  const root = temporaryFolder();
  const extensionFolder = process.env['WORKBENCH_EXTENSION'] ?? repositoryRoot;
  const server = await startWorkbenchServer({
    root,
    extensionFolder,
    builtInExtensions: testedBeside,
    keybindings: restKeybindings,
    ...profile,
  });
  stack.defer(() => server.stop());
  const started = stack.move();
  return { server, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

export interface WorkbenchTestOptions {
  /** Files of the test's folder: path to content. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** Settings of the folder. Tests that run at the same time share the user settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** A second unpacked extension, loaded in development mode. The window is the test's own. */
  developmentExtension?: string;
  /** Starts a server and a window for this test alone. Tests of user settings need it. */
  ownProfile?: OwnProfile;
  viewport?: WorkbenchPageOptions['viewport'];
  timeoutMs?: number;
}

/**
 * A test in a workbench. A request to another machine fails it too. The tests of a process share one window, because
 * opening one takes longer than most tests. Each test starts with its own files and settings and nothing open. A failed
 * test closes the window. The window's memory stays: keys by address and project, the project of a file, the last values
 * of a statement. A test of user settings has its own window: an open one does not notice when their file is replaced.
 */
export function workbenchTest(
  name: string,
  options: WorkbenchTestOptions,
  body: (session: WorkbenchSession) => Promise<void>,
): void {
  void test(name, async () => {
    const isShared = !hasOwnWindow(options);
    const sharedSession = isShared ? sharedWindow : undefined;
    const opened = sharedSession ?? (await openWindow(options));
    if (isShared) sharedWindow = opened;
    await using atEnd = new AsyncDisposableStack();
    atEnd.defer(() => close(opened));
    await check(name, options, opened.session, async session => {
      if (sharedSession) await furnish(name, options, session);
      await body(session);
      if (isShared) await putToRest(session);
    });
    if (isShared) atEnd.move();
  });
}

interface OpenWindow extends AsyncDisposable {
  readonly session: WorkbenchSession;
}

let sharedWindow: OpenWindow | undefined;

async function close(window: OpenWindow | undefined): Promise<void> {
  if (window === sharedWindow) sharedWindow = undefined;
  await window?.[Symbol.asyncDispose]();
}

function hasOwnWindow({ developmentExtension, ownProfile }: WorkbenchTestOptions): boolean {
  return developmentExtension !== undefined || ownProfile !== undefined;
}

async function openWindow(options: WorkbenchTestOptions): Promise<OpenWindow> {
  const { developmentExtension, viewport } = options;
  await using stack = new AsyncDisposableStack();
  const { server, browser } = await workbenchFor(options, stack);
  // After the browser, so that the window closes before it.
  afterAllFiles(() => close(sharedWindow));
  const folder = temporaryFolder();
  await fill(folder, options);
  const session = await openWorkbench(browser, server, {
    folder,
    ...(developmentExtension && { developmentExtension }),
    ...(viewport && { viewport }),
  });
  stack.defer(() => session.close());
  const opened = stack.move();
  return { session, [Symbol.asyncDispose]: () => opened.disposeAsync() };
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
    const evidence = await keepEvidence(name, session);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\nTo look at: ${evidence.join(', ')}`, { cause: error });
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
  { files, settings, viewport = defaultViewport }: WorkbenchTestOptions,
  session: WorkbenchSession,
): Promise<void> {
  const { folder, page } = session;
  await page.setViewportSize(viewport);
  // A hidden view would keep its old content.
  await session.openView('SQL Projects');
  const oldProjects = await projectsIn(folder);
  const entries = (await readdir(folder)).filter(entry => entry !== '.vscode');
  for (const entry of entries) await rm(join(folder, entry), { recursive: true });
  // The title shows that the settings of the same file apply. Cursors start where they do in a new window.
  const shared = { 'window.title': name, 'workbench.editor.restoreViewState': false };
  await fill(folder, { ...(files && { files }), settings: { ...settings, ...shared } });
  await page.waitForFunction(start => document.title.startsWith(start), name);
  const now = await projectsIn(folder);
  for (const project of oldProjects.difference(now))
    await session.treeItem(project).first().waitFor({ state: 'detached' });
  const expanded = page.getByRole('treeitem', { level: 1, expanded: true });
  while ((await expanded.count()) > 0) {
    const label = (await expanded.first().getAttribute('aria-label')) ?? '';
    // Projects of the new settings may move the rows, so a click goes to the row itself and not to its place.
    await twistie(session.treeItem(label)).dispatchEvent('click');
    await session.treeItem(label).and(page.locator('[aria-expanded="false"]')).waitFor();
  }
}

async function projectsIn(folder: string): Promise<Set<string>> {
  const text = await readFile(join(folder, '.vscode/settings.json'), 'utf8').catch(() => '{}');
  return new Set(
    [...text.matchAll(/"name":\s*("(?:[^"\\]|\\.)*")/g)].map(([, name = '']) => JSON.parse(name) as string),
  );
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
