import {
  closeWindow,
  freshWorkbench,
  localFolder,
  runSample,
  serviceOf,
  tryLocally,
} from '../../support/freshWorkbench.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processesOf } from '../../support/processesOf.ts';
import { takePictures } from '../../support/themePictures.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

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
