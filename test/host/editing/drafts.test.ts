import assert from 'node:assert/strict';
import { type FileHandle, mkdir, open as openFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { EditDrafts, TableDraft } from '../../../src/host/editing/editDrafts.ts';
import { gated, openEditedTable } from '../../support/editedTable.ts';
import { HandClock } from '../../support/handClock.ts';
import type { TestDocument } from '../../support/tableDocument.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** Drafts that several windows share: those without a folder, and the browser tabs of one folder. */

const table = await openEditedTable();
const { rename, add, names } = table;
const petsDraft = { profileId: table.profile.id, table: 'pets', onRequest: () => Promise.resolve() };

let draftsFolder = '';
beforeEach(() => {
  draftsFolder = temporaryFolder();
});

const changeOf = ({ document }: TestDocument): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  document.onDidChange(resolve);
  return promise;
};

test('pending edits move to the window that shows the table last, and are saved once', async () => {
  const one = await table.open({ draftsFolder });
  await add(one, 'only once');
  const two = await table.open({ draftsFolder, keepsEarlier: true });
  assert.equal(two.document.editing.edits.counts.inserted, 1);
  assert.ok(!one.document.isDirty);
  assert.match(one.document.problem!, /have moved to another window/);
  await one.save();
  await two.save();
  assert.deepEqual(await names(), ['a', 'b', 'only once']);
});

test('edits that have moved to another window are not undone in the first one', async () => {
  const one = await table.open({ draftsFolder });
  await rename(one, 1, 'moved');
  const two = await table.open({ draftsFolder, keepsEarlier: true });
  await two.save();
  await one.edits[0]!.undo();
  assert.ok(!one.document.isDirty);
  await rename(one, 2, 'next');
  await one.save();
  assert.deepEqual(await names(), ['moved', 'next']);
});

test('an edit in one window takes the pending edits of the other along', async () => {
  const one = await table.open({ draftsFolder });
  const two = await table.open({ draftsFolder, keepsEarlier: true });
  await rename(one, 1, 'one');
  await rename(two, 2, 'two');
  assert.ok(!one.document.isDirty);
  await two.save();
  assert.deepEqual(await names(), ['one', 'two']);
});

test('edits move to another window only when a save of them has ended', async () => {
  const { project, open, reached } = gated(table.project);
  const one = await table.open({ draftsFolder, project });
  await rename(one, 1, 'saved');
  const saved = one.save();
  await reached;
  const opening = table.open({ draftsFolder, keepsEarlier: true });
  open();
  await saved;
  const two = await opening;
  assert.ok(!two.document.isDirty);
  await two.save();
  assert.deepEqual(await names(), ['saved', 'b']);
});

test('edits that another window requested and did not take come back', async () => {
  const clock = new HandClock();
  const drafts = new EditDrafts(draftsFolder, assert.fail);
  const draft = new TableDraft(drafts, { ...petsDraft, clock: new HandClock() });
  const one = await table.open({ draftsFolder, clock });
  await rename(one, 1, 'back');
  await draft.request();
  const moved = changeOf(one);
  clock.advance(250);
  await moved;
  assert.ok(!one.document.isDirty);
  const back = changeOf(one);
  clock.advance(5000);
  await back;
  await one.save();
  assert.deepEqual(await names(), ['back', 'b']);
});

test('a window that does not give its edits is not overridden', async () => {
  const drafts = new EditDrafts(draftsFolder, assert.fail);
  const draft = new TableDraft(drafts, { ...petsDraft, clock: new HandClock() });
  assert.ok(await draft.claimIfFree());
  const clock = new HandClock();
  const two = await table.open({ draftsFolder, clock, keepsEarlier: true });
  const edited = assert.rejects(rename(two, 1, 'x'), {
    code: 'edited_elsewhere',
    message:
      "Another window has unsaved changes of 'pets' and does not give them. Save or discard them there, and edit again.",
  });
  for (let waited = 0; waited < 3000; waited += 100) {
    await clock.nextTimer();
    clock.advance(100);
  }
  await edited;
  assert.ok(!two.document.isDirty);
  draft.dispose();
});

test('a window without edits does not remove the draft of another one', async () => {
  const one = await table.open({ draftsFolder });
  const two = await table.open({ draftsFolder, keepsEarlier: true });
  await add(one, 'kept');
  await two.document.writeDraft();
  await two.document.revert();
  one.kill();
  const next = await table.open({ draftsFolder });
  assert.equal(next.document.editing.edits.counts.inserted, 1);
});

for (const end of ['save', 'revert', 'undo'] as const) {
  test(`nothing moves to another window after a ${end}`, async () => {
    const one = await table.open({ draftsFolder });
    const two = await table.open({ draftsFolder, keepsEarlier: true });
    await rename(one, 1, 'one');
    if (end === 'save') await one.save();
    else if (end === 'revert') await one.document.revert();
    else await one.edits[0]!.undo();
    await rename(two, 2, 'two');
    assert.equal(two.document.editing.edits.counts.updated, 1);
    assert.equal(one.document.problem, undefined);
    await two.save();
    assert.deepEqual(await names(), [end === 'save' ? 'one' : 'a', 'two']);
  });
}

test('a killed window leaves its edits to the next one', async () => {
  const one = await table.open({ draftsFolder });
  await rename(one, 1, 'pending');
  one.kill();
  const two = await table.open({ draftsFolder, clock: new HandClock() });
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

for (const when of ['shown', 'edited'] as const) {
  test(`a draft that cannot be read is kept beside, and reported, when its table is ${when}`, async () => {
    const two = when === 'edited' ? await table.open({ draftsFolder }) : undefined;
    const file = new EditDrafts(draftsFolder, assert.fail).fileOf(table.profile.id, 'pets');
    await writeFile(file, '{"version":2,"edits":"of a later version"}');
    const opened = two ?? (await table.open({ draftsFolder }));
    if (when === 'edited') await rename(opened, 1, 'mine');
    const [[name, kept] = ['', '']] = opened.unreadable;
    assert.equal(name, 'pets');
    assert.equal(opened.unreadable.length, 1);
    assert.equal(await readFile(kept, 'utf8'), '{"version":2,"edits":"of a later version"}');
    await rename(opened, 2, 'mine');
    await opened.save();
    assert.equal((await names())[1], 'mine');
    assert.equal(opened.unreadable.length, 1);
  });
}

test('a draft whose file cannot be read now is not overwritten', async () => {
  const file = new EditDrafts(draftsFolder, assert.fail).fileOf(table.profile.id, 'pets');
  await mkdir(file);
  const opened = await table.open({ draftsFolder });
  assert.match(opened.document.problem!, /The edits could not be stored for a restart: .*EISDIR/);
  const message = /^The edits could not be stored for a restart: .*EISDIR/;
  await assert.rejects(rename(opened, 1, 'mine'), { code: 'no_draft', message });
  assert.ok(!opened.document.isDirty);
  assert.deepEqual(await readdir(file), []);
});

test('a save whose statements cannot be stored is not sent', async () => {
  const folder = join(draftsFolder, 'lost');
  const opened = await table.open({ draftsFolder: folder });
  await rename(opened, 1, 'mine');
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await assert.rejects(opened.save(), /could not be stored/);
  assert.deepEqual(await names(), ['a', 'b']);
});

test('the draft of a save is synced to the disk before the call is sent', async t => {
  const steps: string[] = [];
  await using handle = await openFile(draftsFolder);
  const fileHandle = Object.getPrototypeOf(handle) as FileHandle;
  t.mock.method(fileHandle, 'sync', async function (this: FileHandle) {
    steps.push((await this.stat()).isDirectory() ? 'folder' : 'file');
    await this.datasync();
  });
  const { project } = table;
  const file = new EditDrafts(draftsFolder, assert.fail).fileOf(table.profile.id, 'pets');
  const opened = await table.open({
    draftsFolder,
    project: {
      query: (...call: Parameters<typeof project.query>) => project.query(...call),
      sql: async (...call: Parameters<typeof project.sql>) => {
        steps.push((await readFile(file, 'utf8')).includes('"state":"sent"') ? 'sent' : 'sent without a draft');
        return project.sql(...call);
      },
    } as typeof project,
  });
  await rename(opened, 1, 'mine');
  steps.length = 0;
  await opened.save();
  assert.deepEqual(steps.slice(0, 3), ['file', 'folder', 'sent']);
});
