import {
  closeWindow,
  freshWorkbench,
  localFolder,
  runSample,
  serviceOf,
  tryLocally,
} from '../../support/freshWorkbench.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runFromKeyboard } from '../../support/sampleProject.ts';
import { type WorkbenchSession } from '../../support/workbench/session.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

/** Runs another statement, whose rows differ from those that are shown. */
async function runAgain(session: WorkbenchSession): Promise<void> {
  await session.page.keyboard.press('Control+a');
  await session.page.keyboard.type('SELECT max(id) AS again FROM products');
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: '240', exact: true }).waitFor();
}

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
