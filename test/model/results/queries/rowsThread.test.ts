import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { maxUnreadPieces } from '../../../../src/model/job.ts';
import { RowsThread } from '../../../../src/model/results/queries/rowsThread.ts';
import { HandClock } from '../../../support/handClock.ts';
import { allCells, openRows, notAborted, shownTexts, textOfPieces } from '../../../support/queriedRows.ts';
import { startRowsThread } from '../../../support/rowsThread.ts';

function disposeAfter(context: TestContext, thread: RowsThread): RowsThread {
  context.after(() => thread.dispose());
  return thread;
}

test('the rows thread starts with the first call, ends when it is idle, and starts again', async context => {
  const clock = new HandClock();
  const thread = disposeAfter(context, startRowsThread({ clock, idleMs: 1000 }));
  const rows = await openRows(context, ['n'], { thread });
  await rows.add({ n: 1 }, { n: 2 });
  await shownTexts(rows);
  assert.equal(thread.isRunning, false, 'unsorted rows are read without it');
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  clock.advance(999);
  assert.equal(thread.isRunning, true);
  clock.advance(1);
  assert.equal(thread.isRunning, false);
  assert.deepEqual(await shownTexts(rows), [['2'], ['1']], 'the rows stay sorted');
  const text = rows.queries.text(
    { format: 'tsv', headers: false, guardFormulas: false, table: '', ranges: [allCells(rows, 1)] },
    notAborted,
  );
  assert.equal(await textOfPieces(text), '2\n1');
});

test('a call that runs out of memory fails with a reason, and the next call is answered', async context => {
  const thread = disposeAfter(context, startRowsThread({ maxHeapMb: 16 }));
  const rows = await openRows(context, ['text'], { thread });
  const escapes = String.raw`\n`.repeat(20_000_000);
  await rows.add(`{"text":"${escapes}"}`);
  const ranges = [allCells(rows, 1)];
  const request = { format: 'csv', headers: false, guardFormulas: false, table: '', ranges } as const;
  await assert.rejects(textOfPieces(rows.queries.text(request, notAborted)), { code: 'rows_out_of_memory' });
  assert.deepEqual(await rows.queries.summarize([], notAborted), { cells: 0, nulls: 0, numbers: 0, distinct: 0 });
});

test('a missing file fails only the calls about its result', async context => {
  const rows = await openRows(context, ['n']);
  const gone = await openRows(context, ['n']);
  await rows.add({ n: 1 });
  await gone.add({ n: 1 });
  await gone.spool.delete();
  await assert.rejects(gone.queries.summarize([allCells(gone, 1)], notAborted), { code: 'ENOENT' });
  assert.equal((await rows.queries.summarize([allCells(rows, 1)], notAborted)).sum, '1');
});

test('a call fails with a reason if the thread does not start', async context => {
  const thread = disposeAfter(context, new RowsThread('/nowhere/rowsThread.cjs'));
  const rows = await openRows(context, ['n'], { thread });
  await rows.add({ n: 1 });
  const answer = rows.queries.summarize([allCells(rows, 1)], notAborted);
  await assert.rejects(answer, { code: 'rows_interrupted', message: /try again/ });
});

test('a cancelled call rejects with the reason of its signal, and the next call is answered', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(...Array.from({ length: 50_000 }, (_, n) => ({ n })));
  const controller = new AbortController();
  const answer = rows.queries.summarize([allCells(rows, 1)], { signal: controller.signal });
  controller.abort(new Error('no longer wanted'));
  await assert.rejects(answer, /no longer wanted/);
  assert.equal((await rows.queries.summarize([allCells(rows, 1)], notAborted)).cells, 50_000);
});

test('closing a result ends its calls', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(...Array.from({ length: 50_000 }, (_, n) => ({ n })));
  const answer = rows.queries.summarize([allCells(rows, 1)], notAborted);
  rows.queries.dispose();
  await assert.rejects(answer, { code: 'result_closed' });
});

test('text is written no faster than it is read', async context => {
  const thread = disposeAfter(context, startRowsThread());
  const rows = await openRows(context, ['n', 'text'], { thread });
  await rows.add(...Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x'.repeat(1000) })));
  const ranges = [allCells(rows, 2)];
  const { spool } = rows;
  const columns = [{ name: 'text', type: '' }];
  const snapshot = {
    spool: { id: -1, file: spool.file, memory: spool.index.memory },
    extent: await spool.flush(),
    columns,
    rowCount: 5000,
    orderVersion: 0,
    arranged: undefined,
  };
  const request = { format: 'csv', headers: false, guardFormulas: false, table: '', ranges } as const;
  const controller = new AbortController();
  let pieces = 0;
  const options = { signal: controller.signal, onPiece: () => pieces++ };
  const text = thread.call('text', { rows: snapshot, request }, options);
  // The calls take turns, and this one reads all rows.
  await rows.queries.summarize(ranges, notAborted);
  assert.equal(pieces, maxUnreadPieces);
  controller.abort();
  await assert.rejects(text, { name: 'AbortError' });
});
