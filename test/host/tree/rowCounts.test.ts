import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { tableRowCounts } from '../../../src/host/tree/rowCounts.ts';
import { HandClock } from '../../support/handClock.ts';

const folder = 'shop / tables';

function makeCounts() {
  const shown: string[] = [];
  const counted: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<bigint>>();
  const clock = new HandClock();
  const counts = tableRowCounts(id => shown.push(id), clock);
  const catalog = {
    rowCount: (table: string): Promise<bigint> => {
      counted.push(table);
      const answer = Promise.withResolvers<bigint>();
      answers.set(table, answer);
      return answer.promise;
    },
  };
  const answer = async (table: string, count: bigint): Promise<void> => {
    answers.get(table)!.resolve(count);
    await nextTurn();
  };
  return { counts, catalog, shown, counted, answers, answer };
}

test('tables are counted one after another, and the folder is shown with the counts', async () => {
  const { counts, catalog, shown, counted, answer } = makeCounts();
  const counting = counts.request(folder, catalog, ['a', 'b']);
  assert.deepEqual(counted, ['a']);
  await answer('a', 1n);
  assert.deepEqual(counted, ['a', 'b']);
  await answer('b', 2000n);
  await counting;
  assert.deepEqual(shown, [folder]);
  assert.deepEqual([counts.countOf(folder, 'a'), counts.countOf(folder, 'b')], [1n, 2000n]);
});

test('a folder that is painted again while it is counted is counted once', async () => {
  const { counts, catalog, counted, answer } = makeCounts();
  const counting = counts.request(folder, catalog, ['a', 'b']);
  await counts.request(folder, catalog, ['a', 'b', 'c']);
  for (const table of ['a', 'b', 'c']) await answer(table, 1n);
  await counting;
  await counts.request(folder, catalog, ['a', 'b', 'c']);
  assert.deepEqual(counted, ['a', 'b', 'c']);
});

test('a fault ends the counting, until the counts are dropped', async () => {
  const { counts, catalog, counted, answers } = makeCounts();
  const counting = counts.request(folder, catalog, ['a', 'b']);
  answers.get('a')!.reject(new Error('away'));
  await counting;
  await counts.request(folder, catalog, ['a', 'b']);
  assert.deepEqual(counted, ['a']);
  counts.forget(folder);
  void counts.request(folder, catalog, ['b']);
  assert.deepEqual(counted, ['a', 'b']);
});

test('dropped counts end the counting and show nothing', async () => {
  const { counts, catalog, counted, shown, answer } = makeCounts();
  const counting = counts.request(folder, catalog, ['a', 'b']);
  counts.forget();
  await answer('a', 1n);
  await counting;
  assert.deepEqual([counted, shown, counts.countOf(folder, 'a')], [['a'], [], undefined]);
});
