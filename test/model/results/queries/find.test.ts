import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindStep, FindResult } from '../../../../src/protocol/rowQueries.ts';
import { openRows, notAborted, type RowsUnderTest } from '../../../support/queriedRows.ts';

const step = (text: string, from: Partial<FindStep> = {}): FindStep => ({
  text,
  matchCase: false,
  row: 0,
  column: 0,
  backwards: false,
  including: true,
  columns: [0, 1, 2],
  ...from,
});

/** All matches in turn, until the first one is found again. */
async function placesOf({ queries }: RowsUnderTest, first: FindStep): Promise<FindResult['place'][]> {
  const places: FindResult['place'][] = [];
  let found = await queries.find(first, notAborted);
  for (let nth = 0; nth < found.count; nth++) {
    const place = found.place!;
    places.push(place);
    found = await queries.find({ ...first, row: place.row, column: place.column, including: false }, notAborted);
  }
  assert.deepEqual(found.place, places[0]);
  return places;
}

const cells = (places: readonly FindResult['place'][]): string[] =>
  places.map(place => `${place?.index}: ${place?.row},${place?.column}`);

test('find goes from match to match, and from the last to the first', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add({ a: 'one', b: 'x', c: 'ONE' }, { a: null, b: 1, c: 'two' }, { a: 'None', b: 'One', c: true });
  assert.deepEqual(cells(await placesOf(rows, step('one'))), ['0: 0,0', '1: 0,2', '2: 2,0', '3: 2,1']);
  const back = step('one', { backwards: true, row: 2, column: 2 });
  assert.deepEqual(cells(await placesOf(rows, back)), ['3: 2,1', '2: 2,0', '1: 0,2', '0: 0,0']);
});

test('find searches the given columns in the given order', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add({ a: 'x', b: 'x', c: 'x' }, { a: 'x', b: 'x', c: 'x' });
  const places = await placesOf(rows, step('x', { columns: [2, 0], column: 2 }));
  assert.deepEqual(cells(places), ['0: 0,2', '1: 0,0', '2: 1,2', '3: 1,0']);
});

test('find searches the texts that cells show, not column names or JSON spelling', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add('{"a":"say \\"hi\\"","b":1.50,"c":"\\u00e9t\\u00e9"}', '{"a":1e3,"b":-0,"c":{"k": [1]}}');
  await rows.add({ a: 'ÉTÉ', b: 9_007_199_254_740_993n, c: 'tab\there' });
  const counts: Record<string, number> = {};
  for (const text of ['"hi"', '1.5', '1.50', '1000', 'été', '\t', '\\', '40993', '"k":[1]', 'a', 'null']) {
    counts[text] = (await rows.queries.find(step(text), notAborted)).count;
  }
  assert.deepEqual(counts, {
    '"hi"': 1,
    '1.5': 1,
    '1.50': 0,
    '1000': 1,
    été: 2,
    '\t': 1,
    '\\': 0,
    '40993': 1,
    '"k":[1]': 1,
    a: 2,
    null: 0,
  });
  const exactly = await rows.queries.find(step('été', { matchCase: true }), notAborted);
  assert.equal(exactly.count, 1);
});

test('find has no match for an empty text or without rows', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  assert.deepEqual(await rows.queries.find(step('x'), notAborted), { count: 0 });
  await rows.add({ a: 'x', b: '', c: null });
  assert.deepEqual(await rows.queries.find(step(''), notAborted), { count: 0 });
});

test('find follows the order shown and does not count rows that filters leave out', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add(...Array.from({ length: 10_000 }, (_, n) => ({ a: n, b: n % 1000 === 7 ? 'match' : 'no', c: n % 2 })));
  await rows.queries.arrange({
    sort: [{ column: 0, descending: true }],
    filters: [{ kind: 'equals', column: 2, text: '1' }],
  });
  const places = await placesOf(rows, step('match'));
  assert.deepEqual(
    places.map(place => place?.row),
    Array.from({ length: 10 }, (_, nth) => (9999 - (9007 - nth * 1000)) / 2),
  );
  await rows.queries.arrange({ sort: [], filters: [] });
  const last = await rows.queries.find(step('match', { row: 9999, column: 2, backwards: true }), notAborted);
  assert.deepEqual(last, { count: 10, place: { index: 9, row: 9007, column: 1 } });
});

test('find includes rows that have arrived since the last step', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add({ a: 'x' });
  assert.equal((await rows.queries.find(step('x'), notAborted)).count, 1);
  await rows.add({ a: 'y' }, { a: 'x' });
  const next = await rows.queries.find(step('x', { row: 0, including: false }), notAborted);
  assert.deepEqual(next, { count: 2, place: { index: 1, row: 2, column: 0 } });
});

test('a search reports its progress and can be cancelled', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  const many = Array.from({ length: 50_000 }, (_, a) => ({ a, b: 'some text to search' }));
  for (let times = 0; times < 20; times++) await rows.add(...many);
  const controller = new AbortController();
  const finding = rows.queries.find(step('nowhere'), { signal: controller.signal });
  assert.equal(rows.queries.findProgress, 0);
  const isOver = finding.then(() => assert.fail('The search ended before it reported its progress.'));
  await Promise.race([rows.changed(), isOver]);
  const seen = rows.queries.findProgress ?? 0;
  assert.ok(seen > 0 && seen < 1, String(seen));
  controller.abort(new Error('enough'));
  await assert.rejects(finding, { message: 'enough' });
  assert.equal(rows.queries.findProgress, undefined);
});
