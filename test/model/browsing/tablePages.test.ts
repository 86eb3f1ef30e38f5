import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TablePages } from '../../../src/model/browsing/tablePages.ts';

const megabyte = 'x'.repeat(2 ** 20);

/** Pages of ten rows that have some megabytes each, of which all have the same. */
const pagesOf = (megabytes: number): TablePages =>
  new TablePages({
    ...{ pageSize: 10, atLeast: 0, count: () => Promise.resolve(0) },
    ...{ onPiece: () => undefined, onChange: () => undefined, letGo: () => undefined },
    source: {
      async *read({ offset, limit }) {
        const wide = Object.fromEntries(Array.from({ length: megabytes }, (_, i) => [`c${i}`, megabyte]));
        yield await Promise.resolve({
          columns: undefined,
          rows: Array.from({ length: limit }, (_, i) => ({ n: offset + i, ...wide })),
        });
        return false;
      },
    },
  });

const cases: readonly (readonly [megabytes: number, kept: number])[] = [
  [0, 20],
  [1, 6],
  [10, 4],
];
for (const [megabytes, kept] of cases) {
  test(`of rows of ${megabytes} MB, ${kept} pages are kept, and the others are asked for again`, async () => {
    const pages = pagesOf(megabytes);
    for (let row = 0; row < 300; row += 10) await pages.load(row);
    assert.equal(pages.loaded.length, kept);
    assert.equal(pages.loaded.at(-1)?.number, 29);
    assert.equal((await pages.rows(7, 8))[0]?.['n'], 7);
    await pages.settled();
  });
}
