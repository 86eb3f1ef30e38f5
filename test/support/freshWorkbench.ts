import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { processesOf } from './processesOf.ts';
import { runFromKeyboard } from './sampleProject.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { openWorkbench, type WorkbenchSession } from './workbench/session.ts';
import { sharedWorkbench } from './workbench/sharedWorkbench.ts';
import { repositoryRoot } from './workbench/workbenchPaths.ts';
import { startWorkbenchServer, type StartedWorkbenchServer } from './workbench/workbenchServer.ts';
import { testedBeside } from './workbench/workbenchSettings.ts';

/** A workbench without projects and without a service, as after the installation. */
export async function freshWorkbench(context: TestContext) {
  const stack = new AsyncDisposableStack();
  context.after(() => stack.disposeAsync());
  const root = temporaryFolder();
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

export const localFolder = ({ userDataDir }: StartedWorkbenchServer): string =>
  join(userDataDir, 'User/globalStorage/sql-project-explorer.sql-project-explorer/localService');

export const serviceOf = (server: StartedWorkbenchServer): number[] =>
  processesOf(localFolder(server))
    .filter(({ command }) => command.includes('service.mjs serve'))
    .map(({ pid }) => pid);

export async function tryLocally(session: WorkbenchSession): Promise<void> {
  await session.openView('SQL Projects');
  await session.page.getByRole('button', { name: 'Try It Locally' }).click();
  await session.treeItem('Sample Shop').waitFor();
  await session.editorTab('shop.sql').waitFor();
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('gridcell').first().waitFor();
}

/** Leaves the page as a user does, so that the workbench notices it. */
export async function closeWindow({ page }: WorkbenchSession): Promise<void> {
  await page.goto('about:blank');
  await page.close();
}

export async function runSample(session: WorkbenchSession, file = 'names.sql'): Promise<void> {
  await session.openFile(file);
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
}
