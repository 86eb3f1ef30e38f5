import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { EditDrafts } from '../../../src/host/editing/editDrafts.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { EditValue } from '../../../src/protocol/editValues.ts';
import type { Row } from '../../../src/wire/values.ts';
import { loseAnswer, loseRequest } from '../../support/lostAnswers.ts';
import { RecordedBrowsingHost } from '../../support/recordedBrowsingHost.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { openTestDocument, type TestDocument } from '../../support/tableDocument.ts';
import { startTestService } from '../../support/testService.ts';

/** Saves whose answers are lost, and how Check Outcome finds out what became of them. */

const service = await startTestService();
const draftsFolder = await mkdtemp(join(tmpdir(), 'drafts-'));
after(() => rm(draftsFolder, { recursive: true, force: true, maxRetries: 3 }));

/** The next faults of writes, the first one first. */
let faults: ('loseRequest' | 'loseAnswer' | 'none')[] = [];
let writes = 0;
const proxy = await startRefusingProxy(service.baseUrl, request => {
  if (request.headers['x-idempotency-key'] === undefined) return undefined;
  writes++;
  switch (faults.shift()) {
    case 'loseRequest':
      return loseRequest();
    case 'loseAnswer':
      return loseAnswer(service.baseUrl);
    default:
      return undefined;
  }
});
const client = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
after(() => client.close());
const project = client.project(service.projectId);
const profile = makeProfile({ name: 'Shop', baseUrl: proxy.baseUrl, projectId: service.projectId, source: 'settings' });
const table = { name: 'pets', kind: 'table' } as const;
let host = new RecordedBrowsingHost();

async function open(): Promise<TestDocument> {
  const opened = await openTestDocument({ project, profile, table, host, draftsFolder });
  await opened.document.editing.schema();
  await opened.document.restore();
  return opened;
}

const run = async (sql: string): Promise<readonly Row[]> =>
  (await service.client.execSql(service.projectId, { sql })).rows;
const names = async (): Promise<unknown[]> => (await run('SELECT name FROM pets ORDER BY id')).map(({ name }) => name);
const text = (value: string): EditValue => ({ kind: 'text', text: value });

async function rename(opened: TestDocument, id: number, name: string): Promise<void> {
  const [row] = await run(`SELECT * FROM pets WHERE id = ${id}`);
  await opened.document.edit('Edit', () =>
    opened.document.editing.setCells([{ row: { kind: 'table', row: row! }, column: 'name', value: text(name) }]),
  );
}

const add = (opened: TestDocument, name: string): Promise<void> =>
  opened.document.edit('Add', () => opened.document.editing.addRow([{ column: 'name', value: text(name) }]));

/** The key of the draft's save gets so old that the service may have forgotten it. */
async function forgetKey(): Promise<void> {
  const file = new EditDrafts(draftsFolder, assert.fail).fileOf(profile.id, table.name);
  const draft = await readFile(file, 'utf8');
  await writeFile(file, draft.replaceAll(/"since":\d+/g, '"since":1000'));
}

beforeEach(async () => {
  faults = [];
  host = new RecordedBrowsingHost();
  await new EditDrafts(draftsFolder, assert.fail).remove(profile.id, table.name);
  await run('DROP TABLE IF EXISTS pets');
  await run('CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT)');
  await run(`INSERT INTO pets VALUES (1, 'a'), (2, 'b')`);
});

test('a save whose answer was lost had been done, and nothing is written again', async () => {
  const opened = await open();
  await add(opened, 'new');
  faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /It is unknown whether the changes were saved. Choose Check Outcome/);
  assert.ok(opened.document.isOutcomeUnknown);
  await opened.checkOutcome();
  assert.deepEqual(host.outcomes, ['The last save had been done: 1 row added.']);
  assert.deepEqual(await names(), ['a', 'b', 'new']);
  assert.ok(!opened.document.isDirty);
  assert.equal(opened.document.problem, undefined);
});

test('a save whose request was lost is done by the check, which sends it again', async () => {
  const opened = await open();
  await add(opened, 'new');
  faults = ['loseRequest'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.deepEqual(host.outcomes, ['The last save is done: 1 row added.']);
  assert.deepEqual(await names(), ['a', 'b', 'new']);
});

test('statements that were not sent before are not sent by a check', async () => {
  const opened = await open();
  await rename(opened, 1, 'x');
  await add(opened, 'new');
  faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  writes = 0;
  await opened.checkOutcome();
  assert.equal(writes, 1);
  assert.deepEqual(await names(), ['x', 'b']);
  assert.match(host.outcomes[0]!, /1 row updated\. The other changes are pending/);
  assert.deepEqual(opened.document.editing.edits.counts, { updated: 0, deleted: 0, inserted: 1 });
  await opened.save();
  assert.deepEqual(await names(), ['x', 'b', 'new']);
});

test('a check that gets no answer either leaves the outcome unknown', async () => {
  const opened = await open();
  await rename(opened, 1, 'x');
  faults = ['loseAnswer', 'loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.ok(opened.document.isOutcomeUnknown);
  assert.match(opened.document.problem!, /It is unknown whether the changes were saved/);
  await opened.checkOutcome();
  assert.deepEqual(await names(), ['x', 'b']);
  assert.ok(!opened.document.isDirty);
});

test('a check finds that a lost request would change rows of somebody else, and marks them', async () => {
  const opened = await open();
  await rename(opened, 1, 'mine');
  faults = ['loseRequest'];
  await assert.rejects(opened.save(), /unknown/);
  await run(`UPDATE pets SET name = 'theirs' WHERE id = 1`);
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
    const opened = await open();
    await rename(opened, 1, 'x');
    await add(opened, 'new');
    faults = ['loseAnswer'];
    await assert.rejects(opened.save(), /unknown/);
    await forgetKey();
    const next = await open();
    host.savePrompts.askAboutExpired = () => Promise.resolve(choice);
    writes = 0;
    await next.checkOutcome();
    assert.equal(writes, 0);
    const { counts } = next.document.editing.edits;
    // The new row was not sent, so it is pending in any case.
    assert.deepEqual(counts, { updated: choice === 'discard' ? 0 : 1, deleted: 0, inserted: 1 });
    assert.equal(next.document.isOutcomeUnknown, choice === 'cancel');
    if (choice === 'cancel') return assert.equal(next.document.problem, 'The outcome of the last save is unknown.');
    host.resolve = conflicts => new Set(conflicts);
    await next.save();
    assert.deepEqual(await names(), ['x', 'b', 'new']);
    assert.ok(!next.document.isDirty);
  });
}

test('a save that is refused when it is sent again was never done, and its cells are marked', async () => {
  await run('DROP TABLE pets');
  await run(`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT CHECK (name <> 'bad'))`);
  await run(`INSERT INTO pets VALUES (1, 'a'), (2, 'b')`);
  const opened = await open();
  await rename(opened, 1, 'bad');
  faults = ['loseRequest'];
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
  await run(`CREATE TRIGGER lock BEFORE UPDATE ON pets WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END`);
  const opened = await open();
  await rename(opened, 1, 'x');
  await rename(opened, 2, 'x');
  faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  await opened.checkOutcome();
  assert.match(opened.document.problem!, /^1 of 2 rows were updated \(1\)\./);
  assert.deepEqual(opened.document.editing.edits.counts, { updated: 1, deleted: 0, inserted: 0 });
  assert.deepEqual(await names(), ['x', 'b']);
});
