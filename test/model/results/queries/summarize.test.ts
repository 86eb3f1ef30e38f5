import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { allCells, openRows, notAborted } from '../../../support/queriedRows.ts';

test('the sum of integers is exact, even beyond 64 bits', async context => {
  const rows = await openRows(context, ['n']);
  const largest = 2n ** 63n - 1n;
  await rows.add({ n: largest }, { n: largest }, { n: -1 }, { n: null });
  assert.deepEqual(await rows.queries.summarize([allCells(rows, 1)], notAborted), {
    cells: 4,
    nulls: 1,
    numbers: 3,
    distinct: 2,
    sum: String(2n * largest - 1n),
    average: String(Number(2n * largest - 1n) / 3),
    min: '-1',
    max: String(largest),
  });
});

test('an average that is a large integer has all its digits', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add({ n: 9_007_199_254_740_993n }, { n: 9_007_199_254_740_997n });
  const { average } = await rows.queries.summarize([allCells(rows, 1)], notAborted);
  assert.equal(average, '9007199254740995');
});

test('integers that round to the same double are counted as different values', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add({ n: 9_007_199_254_740_992n }, { n: 9_007_199_254_740_993n }, { n: 9_007_199_254_740_992n });
  const { distinct, max } = await rows.queries.summarize([allCells(rows, 1)], notAborted);
  assert.deepEqual([distinct, max], [2, '9007199254740993']);
});

test('the sum of REALs shows no rounding error', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add({ n: 1e100 }, ...Array.from({ length: 10 }, () => ({ n: 0.5 })), { n: -1e100 });
  const { sum, distinct } = await rows.queries.summarize([allCells(rows, 1)], notAborted);
  assert.deepEqual([sum, distinct], ['5', 3]);
});

test('texts have no sum and are greater than numbers', async context => {
  const rows = await openRows(context, ['v']);
  await rows.add({ v: 'b' }, { v: '10' }, { v: 'a\n' }, { v: 'b' }, { v: true });
  assert.deepEqual(await rows.queries.summarize([allCells(rows, 1)], notAborted), {
    cells: 5,
    nulls: 0,
    numbers: 0,
    distinct: 4,
    min: 'true',
    max: 'b',
  });
  const mixed = await openRows(context, ['v']);
  await mixed.add({ v: 'text' }, { v: 5 }, { v: 5 });
  const { sum, min, max } = await mixed.queries.summarize([allCells(mixed, 1)], notAborted);
  assert.deepEqual([sum, min, max], ['10', '5', 'text']);
});

test('beside BLOBs, the least and the greatest value are those of numbers and texts', async context => {
  const rows = await openRows(context, ['name', { name: 'bytes', type: 'BLOB' }]);
  const bytesOf = [[0xff], [0], [0xff]].map(bytes => Buffer.from(bytes).toString('base64'));
  await rows.add({ name: 'Ada', bytes: bytesOf[0] }, { name: 7, bytes: bytesOf[1] }, { name: null, bytes: bytesOf[2] });
  const { min, max, distinct } = await rows.queries.summarize([allCells(rows, 2)], notAborted);
  assert.deepEqual([min, max, distinct], ['7', 'Ada', 4]);
  const ofBlobs = await rows.queries.summarize([{ ...allCells(rows, 2), columns: [1] }], notAborted);
  assert.deepEqual([ofBlobs.min, ofBlobs.max], [undefined, undefined]);
});

test('distinct values are counted as SQLite counts them', async context => {
  const rows = await openRows(context, ['a', 'b']);
  using database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a, b)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
  for (let n = 0; n < 30_000; n++) {
    const a = (n * 7919) % 11_003;
    const b = n % 3 === 0 ? null : `text ${(n * 31) % 17_011}`;
    insert.run(a, b);
    await rows.add({ a, b });
  }
  const { a, b, sum } = database.prepare('SELECT count(DISTINCT a) a, count(DISTINCT b) b, sum(a) sum FROM t').get()!;
  const all = allCells(rows, 2);
  assert.equal((await rows.queries.summarize([{ ...all, columns: [0] }], notAborted)).distinct, a);
  assert.equal((await rows.queries.summarize([{ ...all, columns: [1] }], notAborted)).distinct, b);
  assert.equal((await rows.queries.summarize([all], notAborted)).sum, String(sum));
});

test('ranges count rows in the order shown', async context => {
  const rows = await openRows(context, ['n', 'm']);
  await rows.add(...Array.from({ length: 5000 }, (_, n) => ({ n, m: 1 })));
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  const ranges = [
    { firstRow: 0, endRow: 3, columns: [0] },
    { firstRow: 4998, endRow: 9999, columns: [0, 1] },
  ];
  const { cells, sum, min, max } = await rows.queries.summarize(ranges, notAborted);
  assert.deepEqual([cells, sum, min, max], [7, String(4999 + 4998 + 4997 + 1 + 0 + 2), '0', '4999']);
});
