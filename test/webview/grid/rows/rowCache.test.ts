import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowCache } from '../../../../webview/grid/rows/rowCache.ts';

const cell = (row: number) => [{ kind: 'integer', text: String(row) } as const];
const windowOf = (start: number, count: number) => ({
  orderVersion: 0,
  start,
  rows: Array.from({ length: count }, (_, i) => cell(start + i)),
});

/** A cache whose fetches are answered by the test. */
function controlled(columns = 1) {
  const fetches: { start: number; signal: AbortSignal; answer: () => void }[] = [];
  const loads: number[] = [];
  const loaded = { next: Promise.withResolvers<void>() };
  const cache = new RowCache({
    columnCount: columns,
    orderVersion: 0,
    fetch: (start, count, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof windowOf>>();
      fetches.push({ start, signal, answer: () => resolve(windowOf(start, count)) });
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      return promise;
    },
    onLoaded: () => {
      loads.push(loads.length);
      loaded.next.resolve();
      loaded.next = Promise.withResolvers<void>();
    },
  });
  const answer = async (index: number): Promise<void> => {
    const { promise } = loaded.next;
    fetches[index]?.answer();
    await promise;
  };
  return { cache, fetches, answer };
}

test('rows in view are fetched once', async () => {
  const { cache, fetches, answer } = controlled();
  cache.fetchView([90, 110], 1000);
  cache.fetchView([91, 111], 1000);
  assert.deepEqual(
    fetches.map(({ start }) => start),
    [0, 100],
  );
  assert.equal(cache.get(105), undefined);
  await answer(1);
  assert.deepEqual(cache.get(105), cell(105));
});

test('the fetch of rows that left the view is aborted', () => {
  const { cache, fetches } = controlled();
  cache.fetchView([0, 20], 10_000);
  cache.fetchView([5000, 5020], 10_000);
  assert.equal(fetches[0]?.signal.aborted, true);
  assert.equal(fetches[1]?.signal.aborted, false);
});

test('first rows that the host sends keep their marks and are not fetched again, but blocks with more rows are', () => {
  const { cache, fetches } = controlled();
  cache.addFirstRows({ ...windowOf(0, 50), errors: [3] });
  assert.deepEqual([cache.hasError(3), cache.hasError(4)], [true, false]);
  cache.fetchView([0, 20], 50);
  assert.equal(fetches.length, 0);
  cache.fetchView([0, 20], 60);
  assert.equal(fetches.length, 1);
});

test('the cache is limited by cells', async () => {
  const { cache, fetches, answer } = controlled(250);
  for (let block = 0; block < 25; block++) {
    cache.fetchView([block * 20, block * 20 + 20], 10_000);
    await answer(fetches.length - 1);
  }
  assert.equal(cache.get(0), undefined);
  assert.deepEqual(cache.get(480), cell(480));
});

test('all rows in view stay cached, however many, and are fetched once', async () => {
  const { cache, fetches, answer } = controlled(1001);
  const look = (): void => cache.fetchView([10, 100], 10_000);
  look();
  for (let block = 0; block < 5; block++) {
    await answer(block);
    look();
  }
  assert.deepEqual(
    fetches.map(({ start }) => start),
    [0, 20, 40, 60, 80],
  );
  for (const row of [10, 50, 99]) assert.deepEqual(cache.get(row), cell(row));
});

test('rows of another place are not cached', async () => {
  let fetches = 0;
  const cache = new RowCache({
    columnCount: 1,
    orderVersion: 0,
    onLoaded: () => undefined,
    fetch: (_start, count) => {
      fetches++;
      return Promise.resolve(windowOf(0, count));
    },
  });
  for (let frame = 0; frame < 2; frame++) {
    cache.fetchView([100, 120], 1000);
    await new Promise(resolve => setImmediate(resolve));
  }
  assert.equal(cache.get(100), undefined);
  assert.equal(fetches, 1);
});

/** A cache and a host whose order may differ. */
function ordered() {
  const host = { orderVersion: 0 };
  const fetches: number[] = [];
  const loads: number[] = [];
  const cache = new RowCache({
    columnCount: 1,
    orderVersion: 0,
    fetch: (start, count) => {
      fetches.push(start);
      return Promise.resolve({
        ...windowOf(start + host.orderVersion * 10_000, count),
        start,
        orderVersion: host.orderVersion,
      });
    },
    onLoaded: () => loads.push(fetches.length),
  });
  return { host, fetches, loads, cache };
}
const answered = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('rows of the old order stay in view until the new ones have come, and are dropped elsewhere', async () => {
  const { host, cache } = ordered();
  cache.fetchView([0, 20], 1000);
  cache.fetchView([0, 20], 1000, 500);
  await answered();
  cache.fetchView([0, 20], 1000);
  host.orderVersion = 1;
  cache.setOrderVersion(1);
  assert.deepEqual(cache.get(5), cell(5));
  assert.equal(cache.get(500), undefined);
  cache.fetchView([0, 20], 1000);
  await answered();
  assert.deepEqual(cache.get(5), cell(10_005));
});

test('rows of a later order are fetched again when the page hears of that order', async () => {
  const { host, fetches, loads, cache } = ordered();
  host.orderVersion = 1;
  cache.fetchView([0, 20], 1000);
  await answered();
  assert.equal(cache.get(5), undefined);
  assert.deepEqual([fetches.length, loads.length], [1, 0], 'no load is reported: the page would fetch again at once');
  cache.setOrderVersion(1);
  cache.fetchView([0, 20], 1000);
  await answered();
  assert.deepEqual(cache.get(5), cell(10_005));
});

test('rows of an earlier order are fetched again at once', async () => {
  const { host, loads, cache } = ordered();
  cache.setOrderVersion(1);
  cache.fetchView([0, 20], 1000);
  await answered();
  assert.equal(cache.get(5), undefined);
  assert.equal(loads.length, 1);
  host.orderVersion = 1;
  cache.fetchView([0, 20], 1000);
  await answered();
  assert.deepEqual(cache.get(5), cell(10_005));
});

test('rows that were requested before a refetch are shown, and fetched again', async () => {
  const { cache, fetches, answer } = controlled();
  cache.fetchView([0, 20], 1000);
  cache.refetch();
  cache.fetchView([0, 20], 1000);
  assert.equal(fetches.length, 1, 'a second request would not make the first one quicker');
  await answer(0);
  assert.deepEqual(cache.get(5), cell(5));
  cache.fetchView([0, 20], 1000);
  assert.equal(fetches.length, 2);
  await answer(1);
  cache.fetchView([0, 20], 1000);
  assert.equal(fetches.length, 2);
});

test('an extra row is fetched however far it is out of view', async () => {
  const { cache } = ordered();
  cache.fetchView([0, 20], 1000, 700);
  await answered();
  assert.deepEqual(cache.get(700), cell(700));
});

test('failed rows are fetched again after a retry or a return, not with each paint', async () => {
  let fetches = 0;
  const cache = new RowCache({
    columnCount: 1,
    orderVersion: 0,
    onLoaded: () => undefined,
    fetch: () => {
      fetches++;
      return Promise.reject(new Error('broken'));
    },
  });
  const look = async (first: number): Promise<void> => {
    cache.fetchView([first, first + 10], 1000);
    await new Promise(resolve => setImmediate(resolve));
  };
  await look(500);
  await look(501);
  assert.equal(fetches, 1);
  cache.retry();
  await look(502);
  assert.equal(fetches, 2);
  await look(0);
  await look(500);
  assert.equal(fetches, 4);
});
