import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { HistoryStore } from '../../../src/model/history/historyStore.ts';
import { freshWorkbench, localFolder, tryLocally } from '../../support/freshWorkbench.ts';
import { processesBelow } from '../../support/processesOf.ts';
import { waitForRunLens } from '../../support/sampleProject.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const statementCount = 200;

const script = (window: string): string =>
  Array.from({ length: statementCount }, (_, nth) => `SELECT ${nth} AS ${window};`).join('\n');

test('two windows write their history at once, and the kill of one loses at most one entry', async context => {
  const { server, open } = await freshWorkbench(context);
  const hosts = (): number[] => processesBelow(server.userDataDir, '--type=extensionHost').map(({ pid }) => pid);
  const one = await open('one');
  await tryLocally(one);
  const hostsOfOne = hosts();
  const other = await open('other');
  await other.openView('SQL Projects');
  await other.treeItem('Sample Shop').waitFor();
  const store = new HistoryStore(join(localFolder(server), '../history'));
  context.after(() => store.close());
  const numbersOf = (window: string): number[] =>
    store
      .page({ count: 2 * statementCount, filter: { text: `AS ${window}` } })
      .map(({ sql }) => Number(/\d+/.exec(sql)))
      .toReversed();
  for (const [session, window] of [
    [one, 'one'],
    [other, 'other'],
  ] as const) {
    await writeFile(join(session.folder, 'names.sql'), script(window));
    await session.openFile('names.sql');
    await waitForRunLens(session);
    await session.runCommand('SQL Projects: Run All Statements');
  }
  await waitUntil(() => numbersOf('one').length > 20 && numbersOf('other').length > 20, {
    what: 'the windows record nothing',
  });
  for (const pid of hostsOfOne) process.kill(pid, 'SIGKILL');
  await waitUntil(() => numbersOf('other').length === statementCount, { what: 'the other window stops recording' });
  const [all, killed] = [numbersOf('other'), numbersOf('one')];
  assert.deepEqual(all, [...all.keys()]);
  assert.deepEqual(killed, [...killed.keys()], 'an entry before the last one is lost');
  assert.ok(killed.length < statementCount, 'the window was killed too late');
  await other.runCommand('SQL Projects: Focus on History View');
  await other.treeItem(new RegExp(`^SELECT ${statementCount - 1} AS other`)).waitFor();
});
