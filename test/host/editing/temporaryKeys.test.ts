import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { EditValue } from '../../../src/protocol/editValues.ts';
import type { Row } from '../../../src/wire/values.ts';
import { RecordedBrowsingHost } from '../../support/recordedBrowsingHost.ts';
import { openTestDocument, type TestDocument } from '../../support/tableDocument.ts';
import { startTestService } from '../../support/testService.ts';

/** Swapped keys whose save stops between its two statements, when the rows have temporary keys. */

const service = await startTestService();
const { baseUrl, projectId } = service;
const project = service.client.project(projectId);
const profile = makeProfile({ name: 'Shop', baseUrl, projectId, source: 'settings' });
const table = { name: 'pets', kind: 'table' } as const;

const run = async (sql: string): Promise<readonly Row[]> => (await project.sql(sql)).rows;
const rows = async (): Promise<unknown[]> =>
  (await run('SELECT * FROM pets ORDER BY name')).map(row => Object.values(row));
const integer = (value: number): EditValue => ({ kind: 'integer', text: String(value) });

beforeEach(async () => {
  await run('DROP TABLE IF EXISTS pets');
  await run('CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, age INT CHECK (age < 40))');
  await run(`INSERT INTO pets VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)`);
});

/** A save of swapped keys that the service refuses after its first statement, because of an age. */
async function stopHalfWay(opened: TestDocument): Promise<void> {
  const { document } = opened;
  await document.editing.schema();
  const [first, second] = await run('SELECT * FROM pets ORDER BY id');
  await document.edit('Swap', () =>
    document.editing.setCells([
      { row: { kind: 'table', row: first! }, column: 'id', value: integer(2) },
      { row: { kind: 'table', row: second! }, column: 'id', value: integer(1) },
      { row: { kind: 'table', row: second! }, column: 'age', value: integer(400) },
    ]),
  );
  await assert.rejects(opened.save(), /These rows have temporary keys in the table: 2; 1\. Save again to finish/);
  const ids = (await run('SELECT id FROM pets WHERE id < 0')).length;
  assert.equal(ids, 2, 'the save stopped between its statements');
}

const open = (draftsFolder?: string): Promise<TestDocument> =>
  openTestDocument({
    project,
    profile,
    table,
    host: new RecordedBrowsingHost(),
    ...(draftsFolder !== undefined && { draftsFolder }),
  });

test('rows with temporary keys show their edits, and the save is finished when its fault is fixed', async () => {
  await using opened = await open();
  await stopHalfWay(opened);
  const { document } = opened;
  const { editing } = document;
  const moved = await run('SELECT * FROM pets WHERE id < 0');
  assert.deepEqual(
    moved.map(row => editing.pendingOf(row)?.kind),
    ['update', 'update'],
  );
  const faulty = document.problems.all[0]!;
  assert.deepEqual([faulty.column, faulty.fault.kind, faulty.isCertain], ['age', 'check', true]);
  await document.edit('Revert', () => editing.revert([faulty.rowId], ['age']));
  await opened.save();
  assert.deepEqual(await rows(), [
    [2, 'a', 1],
    [1, 'b', 2],
    [3, 'c', 3],
  ]);
  assert.ok(!document.isDirty);
});

test('discarding leaves the old keys to save, also in the next window, and says so', async () => {
  await using opened = await open();
  await stopHalfWay(opened);
  await opened.document.revert();
  assert.match(opened.document.problem!, /has left temporary keys \(rows: 2\)\. Save to put the old keys back/);
  assert.ok(opened.document.isDirty);
  await using next = await open(opened.draftsFolder);
  await next.document.editing.schema();
  await next.document.restore();
  await next.save();
  assert.deepEqual(await rows(), [
    [1, 'a', 1],
    [2, 'b', 2],
    [3, 'c', 3],
  ]);
  assert.ok(!next.document.isDirty);
});

test('a reverted key gets its old value back, and its other edits stay', async () => {
  await using opened = await open();
  await stopHalfWay(opened);
  const { document } = opened;
  const ids = [...document.editing.edits.rows].map(({ id }) => id);
  await document.edit('Revert', () => document.editing.revert(ids, ['id', 'age']));
  await opened.save();
  assert.deepEqual(await rows(), [
    [1, 'a', 1],
    [2, 'b', 2],
    [3, 'c', 3],
  ]);
});
