import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { piecesAhead } from '../../../../src/model/results/queries/messages.ts';
import { RowsWorker } from '../../../../src/model/results/queries/rowsWorker.ts';
import { HandClock } from '../../../support/handClock.ts';
import { everything, openRows, patient, shownTexts, textOfPieces } from '../../../support/queriedRows.ts';
import { startRowsWorker } from '../../../support/rowsWorker.ts';

function ended(context: TestContext, worker: RowsWorker): RowsWorker {
  context.after(() => worker.dispose());
  return worker;
}

test('the thread starts with the first question, ends when nothing is asked, and starts anew', async context => {
  const clock = new HandClock();
  const worker = ended(context, startRowsWorker({ clock, idleMs: 1000 }));
  const rows = await openRows(context, ['n'], { worker });
  await rows.add({ n: 1 }, { n: 2 });
  await shownTexts(rows);
  assert.equal(worker.isRunning, false, 'rows as they came need none');
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  clock.advance(999);
  assert.equal(worker.isRunning, true);
  clock.advance(1);
  assert.equal(worker.isRunning, false);
  assert.deepEqual(await shownTexts(rows), [['2'], ['1']], 'the order stays');
  const text = rows.queries.text(
    { format: 'tsv', headers: false, guardFormulas: false, table: '', ranges: [everything(rows, 1)] },
    patient,
  );
  assert.equal(await textOfPieces(text), '2\n1');
});

test('rows that take too much memory are a failure with a reason, and the next question is answered', async context => {
  const worker = ended(context, startRowsWorker({ maxHeapMb: 16 }));
  const rows = await openRows(context, ['text'], { worker });
  const escapes = String.raw`\n`.repeat(20_000_000);
  await rows.add(`{"text":"${escapes}"}`);
  const ranges = [everything(rows, 1)];
  const request = { format: 'csv', headers: false, guardFormulas: false, table: '', ranges } as const;
  await assert.rejects(textOfPieces(rows.queries.text(request, patient)), { code: 'rows_out_of_memory' });
  assert.deepEqual(await rows.queries.summarize([], patient), { cells: 0, nulls: 0, numbers: 0, distinct: 0 });
});

test('a file that is not there any more is a failure of the question alone', async context => {
  const rows = await openRows(context, ['n']);
  const gone = await openRows(context, ['n']);
  await rows.add({ n: 1 });
  await gone.add({ n: 1 });
  await gone.spool.close();
  await assert.rejects(gone.queries.summarize([everything(gone, 1)], patient), { code: 'ENOENT' });
  assert.equal((await rows.queries.summarize([everything(rows, 1)], patient)).sum, '1');
});

test('a thread that does not start is a failure with a reason', async context => {
  const worker = ended(context, new RowsWorker('/nowhere/rowsThread.cjs'));
  const rows = await openRows(context, ['n'], { worker });
  await rows.add({ n: 1 });
  const asked = rows.queries.summarize([everything(rows, 1)], patient);
  await assert.rejects(asked, { code: 'rows_interrupted', message: /try again/ });
});

test('a question that is taken back rejects with the reason, and another one is answered', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(...Array.from({ length: 50_000 }, (_, n) => ({ n })));
  const controller = new AbortController();
  const asked = rows.queries.summarize([everything(rows, 1)], { signal: controller.signal });
  controller.abort(new Error('no longer wanted'));
  await assert.rejects(asked, /no longer wanted/);
  assert.equal((await rows.queries.summarize([everything(rows, 1)], patient)).cells, 50_000);
});

test('questions about a result that is closed end with it', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(...Array.from({ length: 50_000 }, (_, n) => ({ n })));
  const asked = rows.queries.summarize([everything(rows, 1)], patient);
  rows.queries.dispose();
  await assert.rejects(asked, { code: 'result_closed' });
});

test('no more text is made than is read', async context => {
  const worker = ended(context, startRowsWorker());
  const rows = await openRows(context, ['n', 'text'], { worker });
  await rows.add(...Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x'.repeat(1000) })));
  const ranges = [everything(rows, 2)];
  const { spool } = rows;
  const columns = [{ name: 'text', type: '' }];
  const asked = {
    ...{ spool: -1, columns, order: 0, arranged: undefined },
    rowCount: 5000,
    extent: await spool.flush(),
  };
  const request = { format: 'csv', headers: false, guardFormulas: false, table: '', ranges } as const;
  const controller = new AbortController();
  let pieces = 0;
  const known = { id: -1, file: spool.file, memory: spool.index.memory };
  const options = { signal: controller.signal, onPiece: () => pieces++ };
  const text = worker.ask(known, 'text', { rows: asked, request }, options);
  // Both take turns, and this one goes through all rows.
  await rows.queries.summarize(ranges, patient);
  assert.equal(pieces, piecesAhead);
  controller.abort();
  await assert.rejects(text, { name: 'AbortError' });
});
