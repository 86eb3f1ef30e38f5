import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { EditDrafts } from '../../../src/host/editing/editDrafts.ts';
import { openEditedTable } from '../../support/editedTable.ts';
import type { TestDocument } from '../../support/tableDocument.ts';

/** Saves whose answers are lost, and how Check Outcome finds out what became of them. */

const table = await openEditedTable();
const { rename, add, execute, names } = table;

/** Makes the key of the draft's save so old that the service may have forgotten it. */
async function forgetKey({ draftsFolder }: TestDocument): Promise<void> {
  const file = new EditDrafts(draftsFolder, assert.fail).fileOf(table.profile.id, 'pets');
  const draft = await readFile(file, 'utf8');
  await writeFile(file, draft.replaceAll(/"since":\d+/g, '"since":1000'));
}

test('a save whose answer was lost had been done, and nothing is written again', async () => {
  const opened = await table.open();
  await add(opened, 'new');
  table.faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /It is unknown whether the changes were saved. Choose Check Outcome/);
  assert.ok(opened.document.isOutcomeUnknown);
  await opened.checkOutcome();
  assert.deepEqual(table.host.outcomes, ['The last save had been done: 1 row added.']);
  assert.deepEqual(await names(), ['a', 'b', 'new']);
  assert.ok(!opened.document.isDirty);
  assert.equal(opened.document.problem, undefined);
});

test('nothing can be edited while the outcome of a save is unknown', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'x');
  table.faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  await assert.rejects(rename(opened, 2, 'y'), /unknown/);
  await opened.save();
  assert.deepEqual(await names(), ['x', 'b']);
});

test('a save whose request was lost is done by the check, which sends it again', async () => {
  const opened = await table.open();
  await add(opened, 'new');
  table.faults = ['loseRequest'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.deepEqual(table.host.outcomes, ['The last save is done: 1 row added.']);
  assert.deepEqual(await names(), ['a', 'b', 'new']);
});

test('statements that were not sent before are not sent by a check', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'x');
  await add(opened, 'new');
  table.faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  table.writeCount = 0;
  await opened.checkOutcome();
  assert.equal(table.writeCount, 1);
  assert.deepEqual(await names(), ['x', 'b']);
  assert.match(table.host.outcomes[0]!, /1 row updated\. The other changes are pending/);
  assert.deepEqual(opened.document.editing.edits.counts, { updated: 0, deleted: 0, inserted: 1 });
  await opened.save();
  assert.deepEqual(await names(), ['x', 'b', 'new']);
});

test('a check that gets no answer either leaves the outcome unknown', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'x');
  table.faults = ['loseAnswer', 'loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.ok(opened.document.isOutcomeUnknown);
  assert.match(opened.document.problem!, /It is unknown whether the changes were saved/);
  await opened.checkOutcome();
  assert.deepEqual(await names(), ['x', 'b']);
  assert.ok(!opened.document.isDirty);
});

test('a check finds that a lost request would change rows of somebody else, and marks them', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'mine');
  table.faults = ['loseRequest'];
  await assert.rejects(opened.save(), /unknown/);
  await execute(`UPDATE pets SET name = 'theirs' WHERE id = 1`);
  await opened.checkOutcome();
  assert.match(opened.document.problem!, /1 row has changed/);
  assert.deepEqual(
    opened.document.problems.all.map(({ rowId, column, fault }) => [rowId, column, fault.kind]),
    [['[1]', 'name', 'conflict']],
  );
  assert.deepEqual(await names(), ['theirs', 'b']);
  assert.equal(opened.document.editing.edits.counts.updated, 1);
});

for (const choice of ['cancel', 'keep', 'discard'] as const) {
  test(`when the service has forgotten the key, nothing is sent before the user decides (${choice})`, async () => {
    const opened = await table.open();
    await rename(opened, 1, 'x');
    await add(opened, 'new');
    table.faults = ['loseAnswer'];
    await assert.rejects(opened.save(), /unknown/);
    await forgetKey(opened);
    const next = await table.open();
    table.host.savePrompts.askAboutExpired = () => Promise.resolve(choice);
    table.writeCount = 0;
    await next.checkOutcome();
    assert.equal(table.writeCount, 0);
    const { counts } = next.document.editing.edits;
    // The new row was not sent, so it is pending in any case.
    assert.deepEqual(counts, { updated: choice === 'discard' ? 0 : 1, deleted: 0, inserted: 1 });
    assert.equal(next.document.isOutcomeUnknown, choice === 'cancel');
    if (choice === 'cancel') return assert.equal(next.document.problem, 'The outcome of the last save is unknown.');
    table.host.resolve = conflicts => new Set(conflicts);
    await next.save();
    assert.deepEqual(await names(), ['x', 'b', 'new']);
    assert.ok(!next.document.isDirty);
  });
}

test('a save that is refused when it is sent again was never done, and its cells are marked', async () => {
  await execute('DROP TABLE pets');
  await execute(`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT CHECK (name <> 'bad'))`);
  await execute(`INSERT INTO pets VALUES (1, 'a'), (2, 'b')`);
  const opened = await table.open();
  await rename(opened, 1, 'bad');
  table.faults = ['loseRequest'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.ok(!opened.document.isOutcomeUnknown);
  assert.match(opened.document.problem!, /1 row was not updated: CHECK constraint failed/);
  assert.deepEqual(
    opened.document.problems.all.map(({ column, fault }) => [column, fault.kind]),
    [['name', 'check']],
  );
  await rename(opened, 1, 'good');
  await opened.save();
  assert.deepEqual(await names(), ['good', 'b']);
});

test('a save of which a trigger ignored a row says so, although its first answer was lost', async () => {
  await execute(`CREATE TRIGGER lock BEFORE UPDATE ON pets WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END`);
  const opened = await table.open();
  await rename(opened, 1, 'x');
  await rename(opened, 2, 'x');
  table.faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.match(opened.document.problem!, /^1 of 2 rows were updated \(1\)\./);
  assert.deepEqual(opened.document.editing.edits.counts, { updated: 1, deleted: 0, inserted: 0 });
  assert.deepEqual(await names(), ['x', 'b']);
});
