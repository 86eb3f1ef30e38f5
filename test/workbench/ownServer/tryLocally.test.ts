import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { processesOf } from '../../support/processesOf.ts';
import { runFromKeyboard } from '../../support/sampleProject.ts';
import { takePictures } from '../../support/themePictures.ts';
import { openWorkbench, type WorkbenchSession } from '../../support/workbench/session.ts';
import { sharedWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { repositoryRoot } from '../../support/workbench/workbenchPaths.ts';
import { startWorkbenchServer, type StartedWorkbenchServer } from '../../support/workbench/workbenchServer.ts';
import { testedBeside } from '../../support/workbench/workbenchSettings.ts';

/** A workbench without projects and without a service, as after the installation. */
async function freshWorkbench(context: TestContext) {
  const stack = new AsyncDisposableStack();
  context.after(() => stack.disposeAsync());
  const root = await mkdtemp(join(tmpdir(), 'try-locally-'));
  stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));
  const extension = process.env['WORKBENCH_VSIX']
    ? { vsix: process.env['WORKBENCH_VSIX'] }
    : { extensionFolder: repositoryRoot };
  const server = await startWorkbenchServer({
    root: join(root, 'workbench'),
    builtInExtensions: testedBeside,
    ...extension,
  });
  stack.defer(() => server.stop());
  const { browser } = await sharedWorkbench();
  const open = async (name: string): Promise<WorkbenchSession> => {
    const folder = join(root, name);
    await mkdir(folder);
    for (const file of ['names.sql', 'reloaded.sql']) {
      await writeFile(join(folder, file), 'SELECT name FROM categories ORDER BY id LIMIT 2;\n');
    }
    const session = await openWorkbench(browser, server, { folder });
    stack.defer(() => session.close());
    return session;
  };
  return { server, open };
}

const localFolder = ({ userDataDir }: StartedWorkbenchServer): string =>
  join(userDataDir, 'User/globalStorage/sql-project-explorer.sql-project-explorer/localService');

const serviceOf = (server: StartedWorkbenchServer): number[] =>
  processesOf(localFolder(server))
    .filter(({ command }) => command.includes('service.mjs serve'))
    .map(({ pid }) => pid);

async function tryLocally(session: WorkbenchSession): Promise<void> {
  await session.openView('SQL Projects');
  await session.page.getByRole('button', { name: 'Try It Locally' }).click();
  await session.treeItem('Sample Shop').waitFor();
  await session.editorTab('shop.sql').waitFor();
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('gridcell').first().waitFor();
}

/** Leaves the page as a user does, so that the workbench notices it. */
async function closeWindow({ page }: WorkbenchSession): Promise<void> {
  await page.goto('about:blank');
  await page.close();
}

async function runSample(session: WorkbenchSession, file = 'names.sql'): Promise<void> {
  await session.openFile(file);
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
}

/** Runs another statement, whose rows differ from those that are shown. */
async function runAgain(session: WorkbenchSession): Promise<void> {
  await session.page.keyboard.press('Control+a');
  await session.page.keyboard.type('SELECT max(id) AS again FROM products');
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: '240', exact: true }).waitFor();
}

test('one click shows the sample project, a statement runs on it, and nothing is left when the window is closed', async context => {
  const { server, open } = await freshWorkbench(context);
  const session = await open('one');
  await session.openView('SQL Projects');
  await session.page.getByRole('button', { name: 'Try It Locally' }).waitFor();
  await takePictures(session, 'try-locally');
  await tryLocally(session);
  // The project is expanded, and the rows of the first statement are in view without another click.
  await session.treeItem('customers').waitFor();
  await session.screenshot('try-locally-rows');
  await runSample(session);
  assert.equal(serviceOf(server).length, 1);
  await closeWindow(session);
  await waitUntil(() => processesOf(localFolder(server)).length === 0, {
    what: 'a process is left',
  });
});

test('a window starts a killed service again, has its project after a reload, and shares the service with another window', async context => {
  const { server, open } = await freshWorkbench(context);
  const one = await open('one');
  await tryLocally(one);
  await runSample(one);
  const [killed = assert.fail('no service runs')] = serviceOf(server);
  process.kill(killed, 'SIGKILL');
  await waitUntil(() => !serviceOf(server).includes(killed), { what: 'the service is left' });
  await runAgain(one);
  const [before = assert.fail('no service runs')] = serviceOf(server);
  assert.notEqual(before, killed);

  // An expanded project is listed again after the reload, which is a use.
  await one.collapse('Sample Shop');
  process.kill(before, 'SIGTERM');
  await waitUntil(() => serviceOf(server).length === 0, { what: 'the service is left' });
  await one.reload();
  await one.openView('SQL Projects');
  await one.treeItem('Sample Shop').waitFor();
  assert.deepEqual(serviceOf(server), []);
  await runSample(one, 'reloaded.sql');
  const running = serviceOf(server);
  assert.equal(running.length, 1);
  const registry = new DatabaseSync(join(localFolder(server), 'data/registry.sqlite'), { readOnly: true });
  assert.equal(registry.prepare('SELECT count(*) AS n FROM keys').get()?.['n'], 1);
  registry.close();

  const other = await open('other');
  await other.openView('SQL Projects');
  await other.treeItem('Sample Shop').waitFor();
  await runSample(other);
  assert.deepEqual(serviceOf(server), running);
  await closeWindow(one);
  await runAgain(other);
  assert.deepEqual(serviceOf(server), running);
});
