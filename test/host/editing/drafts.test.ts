import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openEditedTable, text } from '../../support/editedTable.ts';
import { HandClock } from '../../support/handClock.ts';

/** Drafts that several windows share: those without a folder, and the browser tabs of one folder. */

const table = await openEditedTable();
const { rename, names } = table;

let draftsFolder: string;
beforeEach(async () => (draftsFolder = await mkdtemp(join(tmpdir(), 'drafts-'))));
afterEach(() => rm(draftsFolder, { recursive: true }));

const add = ({ document }: Awaited<ReturnType<typeof table.open>>, name: string): Promise<void> =>
  document.edit('Add', () => document.editing.addRow([{ column: 'name', value: text(name) }]));

test('a row that is added in one window is not saved by another window too', async () => {
  const one = await table.open({ draftsFolder });
  await add(one, 'only once');
  const two = await table.open({ draftsFolder, keepsEarlier: true });
  assert.ok(two.document.editing.edits.isEmpty);
  await assert.rejects(rename(two, 1, 'x'), {
    code: 'edited_elsewhere',
    message: "Another window has unsaved changes of 'pets'. Save or discard them there, and edit again.",
  });
  await two.save();
  await one.save();
  assert.deepEqual(await names(), ['a', 'b', 'only once']);
});

test('a window without edits does not remove the draft of another one', async () => {
  const one = await table.open({ draftsFolder });
  await add(one, 'kept');
  const two = await table.open({ draftsFolder, keepsEarlier: true });
  await two.document.writeDraft();
  await two.document.revert();
  one.kill();
  const next = await table.open({ draftsFolder });
  assert.equal(next.document.editing.edits.counts.inserted, 1);
});

for (const [name, end] of [
  ['saved', 'save'],
  ['discarded', 'revert'],
  ['undone', 'undo'],
] as const) {
  test(`another window may edit when the edits are ${name}, and the first one again after it`, async () => {
    const one = await table.open({ draftsFolder });
    const two = await table.open({ draftsFolder, keepsEarlier: true });
    await rename(one, 1, 'one');
    if (end === 'save') await one.save();
    else if (end === 'revert') await one.document.revert();
    else await one.edits[0]!.undo();
    await rename(two, 2, 'two');
    await assert.rejects(rename(one, 1, 'later'), { code: 'edited_elsewhere' });
    if (end === 'undo') await assert.rejects(async () => one.edits[0]!.redo(), { code: 'edited_elsewhere' });
    await two.save();
    await rename(one, 1, 'later');
    await one.save();
    assert.deepEqual(await names(), ['later', 'two']);
  });
}

test('a window takes the edits of another one when that ends, and not before', async () => {
  const clock = new HandClock();
  const one = await table.open({ draftsFolder });
  await rename(one, 1, 'pending');
  const two = await table.open({ draftsFolder, clock, keepsEarlier: true });
  await clock.nextTimer();
  clock.advance(1000);
  await clock.nextTimer();
  assert.ok(two.document.editing.edits.isEmpty);
  one.kill();
  const restored = Promise.withResolvers<void>();
  two.document.onDidChange(() => restored.resolve());
  clock.advance(1000);
  await restored.promise;
  assert.equal(two.document.editing.edits.counts.updated, 1);
  await two.save();
  assert.deepEqual(await names(), ['pending', 'b']);
});

test('edits belong to the table, however its name is spelled', async () => {
  const one = await table.open({ draftsFolder, table: { name: 'PETS', kind: 'table' } });
  await rename(one, 1, 'spelled');
  const two = await table.open({ draftsFolder });
  assert.equal(two.document.editing.edits.counts.updated, 1);
  await two.save();
  assert.deepEqual(await names(), ['spelled', 'b']);
});
