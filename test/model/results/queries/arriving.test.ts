import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Arrangement } from '../../../../src/protocol/rowQueries.ts';
import { HandClock } from '../../../support/handClock.ts';
import { openRows, type RowsUnderTest, shownTexts } from '../../../support/queriedRows.ts';

const largestFirst: Arrangement = { sort: [{ column: 0, descending: true }], filters: [] };

/** Resolves when this many rows are shown. */
async function untilShown(rows: RowsUnderTest, count: number): Promise<void> {
  while (rows.queries.shownRows !== count) await rows.changed();
}

const blobRows = (...values: number[][]) => values.map(bytes => ({ bytes: Buffer.from(bytes).toString('base64') }));

test('rows that arrive join the arranged rows, with a new order version', async context => {
  const clock = new HandClock();
  const rows = await openRows(context, ['n'], { clock, mayGrow: true });
  await rows.add({ n: 1 }, { n: 3 });
  await rows.queries.arrange(largestFirst);
  const { orderVersion: order } = rows.queries;
  assert.deepEqual(await shownTexts(rows), [['3'], ['1']]);
  await rows.add({ n: 2 });
  assert.deepEqual(await shownTexts(rows), [['3'], ['1']], 'rows keep their places until all are arranged');
  assert.equal(rows.queries.orderVersion, order);
  clock.advance(60_000);
  await untilShown(rows, 3);
  assert.deepEqual(await shownTexts(rows), [['3'], ['2'], ['1']]);
  assert.ok(rows.queries.orderVersion > order);
});

test('the last rows are arranged at once when the run ends', async context => {
  const rows = await openRows(context, ['n'], { clock: new HandClock(), mayGrow: true });
  await rows.add({ n: 1 });
  await rows.queries.arrange(largestFirst);
  await rows.add({ n: 5 });
  rows.end();
  (rows.clock as HandClock).advance(0);
  await untilShown(rows, 2);
  assert.deepEqual(await shownTexts(rows), [['5'], ['1']]);
});

test('BLOBs are sorted by their bytes even if the service names the column types after the last row', async context => {
  const rows = await openRows(context, ['bytes'], { clock: new HandClock(), mayGrow: true });
  await rows.add(...blobRows([0xff], [0]));
  await rows.queries.arrange({ sort: [{ column: 0, descending: false }], filters: [] });
  const { orderVersion: order } = rows.queries;
  rows.end([{ name: 'bytes', type: 'BLOB' }]);
  (rows.clock as HandClock).advance(0);
  while (rows.queries.orderVersion === order) await rows.changed();
  assert.deepEqual(await shownTexts(rows), [['AA=='], ['/w==']]);
});

test('sort keys and filters follow their columns when the end of the answer names another order', async context => {
  const rows = await openRows(context, ['a', 'b'], { clock: new HandClock(), mayGrow: true });
  await rows.add({ a: 1, b: 9 }, { a: 2, b: 8 }, { a: 3, b: 7 });
  await rows.queries.arrange({
    sort: [{ column: 0, descending: true }],
    filters: [{ kind: 'range', column: 1, from: '8' }],
  });
  const { orderVersion } = rows.queries;
  rows.end([
    { name: 'b', type: 'INTEGER' },
    { name: 'a', type: 'INTEGER' },
  ]);
  assert.deepEqual(rows.queries.arrangement, {
    sort: [{ column: 1, descending: true }],
    filters: [{ kind: 'range', column: 0, from: '8' }],
  });
  assert.ok(rows.queries.orderVersion > orderVersion, 'calls with the former indexes are refused');
  assert.deepEqual(await shownTexts(rows), [
    ['8', '2'],
    ['9', '1'],
  ]);
  await rows.queries.arrange({ ...rows.queries.arrangement, filters: [] });
  assert.deepEqual(await shownTexts(rows), [
    ['7', '3'],
    ['8', '2'],
    ['9', '1'],
  ]);
});

test('rows that are being arranged when the end of the answer names another order of columns are arranged by the same ones', async context => {
  const rows = await openRows(context, ['a', 'b'], { clock: new HandClock(), mayGrow: true });
  await rows.add({ a: 1, b: 9 }, { a: 2, b: 8 });
  const arranged = rows.queries.arrange(largestFirst);
  await new Promise(setImmediate);
  rows.end([
    { name: 'b', type: 'INTEGER' },
    { name: 'a', type: 'INTEGER' },
  ]);
  await arranged;
  assert.deepEqual(rows.queries.arrangement.sort, [{ column: 1, descending: true }]);
  assert.deepEqual(await shownTexts(rows), [
    ['8', '2'],
    ['9', '1'],
  ]);
});

test('unsorted rows are shown as they arrive and keep their places', async context => {
  const rows = await openRows(context, ['n'], { mayGrow: true });
  await rows.add({ n: 1 });
  const { orderVersion: order } = rows.queries;
  await rows.add({ n: 0 });
  assert.deepEqual(await shownTexts(rows), [['1'], ['0']]);
  assert.equal(rows.queries.orderVersion, order);
});

test('a later arrangement supersedes an earlier one', async context => {
  const rows = await openRows(context, ['n', 'text']);
  await rows.add(...Array.from({ length: 20_000 }, (_, n) => ({ n, text: `text ${n}` })));
  const earlier = rows.queries.arrange({ sort: [{ column: 1, descending: false }], filters: [] });
  const later = rows.queries.arrange(largestFirst);
  await assert.rejects(earlier, { code: 'superseded' });
  await later;
  assert.deepEqual(rows.queries.arrangement, largestFirst);
  assert.deepEqual((await rows.queries.rows(0, 1))[0]?.[0], { kind: 'integer', text: '19999' });
});

test('requesting the present arrangement cancels a pending one and leaves the rows as they are', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(...Array.from({ length: 20_000 }, (_, n) => ({ n })));
  const { orderVersion: order, arrangement } = rows.queries;
  const pending = rows.queries.arrange(largestFirst);
  await rows.queries.arrange(arrangement);
  await assert.rejects(pending, { code: 'superseded' });
  assert.deepEqual(
    [rows.queries.orderVersion, rows.queries.arrangeProgress, rows.queries.shownRows],
    [order, undefined, 20_000],
  );
});

test('progress is known while rows are arranged', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(...Array.from({ length: 1000 }, (_, n) => ({ n })));
  const arranging = rows.queries.arrange(largestFirst);
  assert.equal(rows.queries.arrangeProgress, 0);
  await arranging;
  assert.equal(rows.queries.arrangeProgress, undefined);
});
