import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowseTableParts } from '../../../src/host/commands/tableCommands.ts';
import type { TableNode } from '../../../src/host/tree/treeNodes.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { tableClicks } = await import('../../../src/host/commands/tableCommands.ts');

const profile = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' });
const table = (name: string): TableNode => ({ kind: 'table', profile, name });

function makeClicks() {
  const opened: string[] = [];
  const clock = new HandClock();
  const open = async (_profile: unknown, { name }: TableNode, { isPreview }: { isPreview: boolean }): Promise<void> =>
    void opened.push(`${name} ${isPreview ? 'preview' : 'kept'}`);
  const parts = { tables: async () => ({ open }) } as unknown as BrowseTableParts;
  const click = tableClicks(clock);
  return { opened, clock, click: (name: string) => click(parts, table(name)) };
}

test('a click previews a table, and a double click keeps it open', async () => {
  const { opened, click, clock } = makeClicks();
  await click('pets');
  clock.advance(200);
  await click('pets');
  assert.deepEqual(opened, ['pets preview', 'pets kept']);
});

test('two slow clicks, and clicks on two tables, are not a double click', async () => {
  const { opened, click, clock } = makeClicks();
  await click('pets');
  clock.advance(600);
  await click('pets');
  await click('owners');
  assert.deepEqual(opened, ['pets preview', 'pets preview', 'owners preview']);
});
