import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageCache } from '../../../src/model/browsing/pageCache.ts';

const megabyte = 'x'.repeat(2 ** 20);

/** Pages of ten rows. Each row has some texts of a megabyte, which all rows share. */
function cacheOfRows(megabytes: number): PageCache {
  const wide = Object.fromEntries(Array.from({ length: megabytes }, (_, i) => [`c${i}`, megabyte]));
  return new PageCache({
    pageSize: 10,
    minRowCount: 0,
    isWholeCount: false,
    countRows: () => Promise.resolve(0),
    onChunk: () => undefined,
    onChange: () => undefined,
    source: {
      async *fetch({ offset, limit }) {
        yield await Promise.resolve({
          columns: undefined,
          rows: Array.from({ length: limit }, (_, i) => ({ n: offset + i, ...wide })),
        });
        return false;
      },
    },
  });
}

const cases: readonly (readonly [megabytes: number, pageCount: number])[] = [
  [0, 20],
  [1, 6],
  [10, 4],
];
for (const [megabytes, pageCount] of cases) {
  test(`with rows of ${megabytes} MB the cache holds ${pageCount} pages and fetches the others again`, async () => {
    const pages = cacheOfRows(megabytes);
    for (let row = 0; row < 300; row += 10) await pages.load(row);
    assert.equal(pages.loadedPages.length, pageCount);
    assert.equal(pages.loadedPages.at(-1)?.number, 29);
    assert.equal((await pages.rows(7, 8))[0]?.['n'], 7);
    await pages.settled();
  });
}
