import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from '../../../src/client/index.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { browseTable } from '../../support/browsedTable.ts';
import { openEditedTable } from '../../support/editedTable.ts';

/** Rows that were read before a save show what was saved. */

const table = await openEditedTable();

test('rows that were read before a save, but arrive after it, show the saved values; later ones are as they are', async () => {
  const opened = await table.open();
  const { project } = table;
  let isHeld = false;
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const pages = {
    browse: async (...call: Parameters<Project['browse']>) => {
      const answer = await project.browse(...call);
      if (isHeld) {
        arrived.resolve();
        await held.promise;
      }
      return answer;
    },
  };
  const run = browseTable({
    client: table.client,
    projectId: table.profile.projectId,
    name: 'pets',
    pages,
    overlay: opened.document.overlay,
  });
  const names = async (): Promise<string[]> => (await run.rows(0, 10)).map(row => textOf(row[1]!));
  await run.start();
  await table.rename(opened, 1, 'mine');
  isHeld = true;
  const reading = run.refresh();
  await arrived.promise;
  await opened.save();
  assert.deepEqual(await names(), ['mine', 'b'], 'the rows from before the save');
  held.resolve();
  await reading;
  assert.deepEqual(await names(), ['mine', 'b'], 'the rows that arrived after the save');
  await table.execute(`UPDATE pets SET name = 'theirs' WHERE id = 1`);
  isHeld = false;
  await run.refresh();
  assert.deepEqual(await names(), ['theirs', 'b']);
  await run.dispose();
});
