import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type OwnProfile, startOwnWorkbench } from './ownWorkbench.ts';
import { openWorkbench, type WorkbenchSession } from './session.ts';
import { sharedBrowser, type SharedWorkbench, sharedWorkbench } from './sharedWorkbench.ts';
import type { WorkbenchPageOptions } from './workbenchPage.ts';
import { resultsFolder } from './workbenchPaths.ts';
import { tail } from './workbenchServer.ts';

export interface WorkbenchTestOptions {
  /** What the test's own folder holds: path to content. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** The folder's settings; user settings are shared with the tests that run at the same time. */
  settings?: Readonly<Record<string, unknown>>;
  /** An unpacked extension to load in development mode besides the one under test. */
  developmentExtension?: string;
  /** A server with a user's profile of its own, for what is about user settings, which sessions of a server share. */
  ownProfile?: OwnProfile;
  viewport?: WorkbenchPageOptions['viewport'];
  timeoutMs?: number;
}

/** A test with a workbench open on a folder of its own. It fails as well when the page asks another machine for anything. */
export function workbenchTest(
  name: string,
  options: WorkbenchTestOptions,
  body: (session: WorkbenchSession) => Promise<void>,
): void {
  const { timeoutMs = 120_000, developmentExtension, viewport } = options;
  void test(name, async () => {
    await using stack = new AsyncDisposableStack();
    const { server, browser } = await workbenchFor(options, stack);
    const folder = await folderWith(options);
    stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    const session = await openWorkbench(browser, server, {
      folder,
      ...(developmentExtension && { developmentExtension }),
      ...(viewport && { viewport }),
    });
    stack.defer(() => session.close());
    try {
      await within(timeoutMs, body(session));
      assert.deepEqual(session.externalRequests, [], 'The page asked other machines.');
    } catch (error) {
      const kept = await keepEvidence(name, session);
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}\nTo look at: ${kept.join(', ')}`, { cause: error });
    }
  });
}

async function workbenchFor(
  { ownProfile }: WorkbenchTestOptions,
  stack: AsyncDisposableStack,
): Promise<SharedWorkbench> {
  if (!ownProfile) return sharedWorkbench();
  return { ...stack.use(await startOwnWorkbench(ownProfile)), browser: await sharedBrowser() };
}

async function folderWith({ files = {}, settings }: WorkbenchTestOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workbench-test-'));
  const all = settings ? { ...files, '.vscode/settings.json': JSON.stringify(settings) } : files;
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Not node:test's own timeout: that one abandons the test, and nothing would be left to look at. */
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
