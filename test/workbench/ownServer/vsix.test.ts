import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageExtension } from '../../../.dev/package.ts';
import { openSampleProject, runFromKeyboard } from '../../support/sampleProject.ts';
import { ServiceProcess } from '../../support/serviceProcess.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { openWorkbench } from '../../support/workbench/session.ts';
import { sharedWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import { readyWebviews, webviewContent } from '../../support/workbench/workbenchParts.ts';
import { startWorkbenchServer } from '../../support/workbench/workbenchServer.ts';

test('the packed extension works as users get it', async () => {
  await using stack = new AsyncDisposableStack();
  const root = temporaryFolder();
  const service = await ServiceProcess.start('built', { folder: join(root, 'service') });
  stack.defer(() => service.stop());
  const server = await startWorkbenchServer({
    root: join(root, 'workbench'),
    vsix: await packageExtension(join(root, 'extension.vsix')),
    machineSettings: { 'sqlProjects.localService.folder': service.folder },
  });
  stack.defer(() => server.stop());
  const folder = join(root, 'folder');
  await mkdir(folder);
  await writeFile(join(folder, 'shop.sql'), 'SELECT name FROM categories ORDER BY id LIMIT 2;\n');
  const { browser } = await sharedWorkbench();
  const session = await openWorkbench(browser, server, { folder });
  stack.defer(() => session.close());
  await openSampleProject(session);
  await session.openFile('shop.sql');
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: 'Home' }).waitFor();
  await results.getByRole('gridcell', { name: 'Kitchen' }).waitFor();

  // The page of the extension begins with what its users do, and has no broken picture.
  await session.runCommand('Extensions: Show Installed Extensions');
  await session.page.locator('.extension-list-item').filter({ hasText: 'SQL Project Explorer' }).click();
  const readme = webviewContent(readyWebviews(session.page).last());
  await readme.getByRole('heading', { name: 'Try it' }).waitFor();
  assert.equal(await readme.getByRole('img').count(), 0);
});
