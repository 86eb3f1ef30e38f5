/** Measures row queries on a million rows of twenty columns. With `RESULTS_10M=1` on ten millions too. */
import { monotonicClock } from '../../src/base/clock.ts';
import { Client } from '../../src/client/index.ts';
import { StatementRun } from '../../src/model/results/statementRun.ts';
import type { Arrangement, CellRange, FindStep } from '../../src/protocol/rowQueries.ts';
import { startRowsThread } from '../support/rowsThread.ts';
import { startRowServer } from '../support/startRowServer.ts';
import { type Bench, millisecondsOf } from '../support/bench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const million = 1_000_000;
const patient = { signal: new AbortController().signal };
/** Columns of the rows that the server sends. */
const id = 0;
const name = 1;
const city = 3;

const byNameAndId: Arrangement = {
  sort: [
    { column: city, descending: false },
    { column: name, descending: true },
    { column: id, descending: false },
  ],
  filters: [],
};
const byId: Arrangement = { sort: [{ column: id, descending: true }], filters: [] };
const someNames: Arrangement = { sort: [], filters: [{ kind: 'contains', column: name, text: 'NUMBER 9999' }] };
const firstStep: FindStep = {
  text: 'number 77',
  matchCase: false,
  row: 0,
  column: 0,
  backwards: false,
  including: true,
  columns: Array.from({ length: 20 }, (_, column) => column),
};

export const bench: Bench = async print => {
  await using server = await startRowServer();
  const client = new Client({ baseUrl: server.url, retries: 0 });
  await measureQueries(client, million, print);
  await exportAgainstDecoding(client, print);
  if (process.env['RESULTS_10M'] === '1') {
    await measureQueries(client, 10 * million, (figure, value) => print(`10m_${figure}`, value));
  }
  await client.close();
};

async function measureQueries(client: Client, rowCount: number, print: (figure: string, value: number) => void) {
  const before = process.memoryUsage.rss();
  await using opened = await openRun(client, rowCount);
  const { run } = opened;
  print('stream_rss_growth_mb', megabytes(process.memoryUsage.rss() - before));
  // Starts the thread, and lets the engine compile the code.
  await run.queries.summarize([{ firstRow: 0, endRow: 50_000, columns: [id, name] }], patient);
  const rss = watchRss();
  const suffix = rowCount === million ? '1m_ms' : 'ms';
  print(`sort_${suffix}`, await millisecondsOf(() => run.queries.arrange(byNameAndId)));
  print(`sort_integers_${suffix}`, await millisecondsOf(() => run.queries.arrange(byId)));
  print(`rows_of_sorted_ms`, await millisecondsOf(() => run.rows(rowCount / 2, 100)));
  print(`filter_${suffix}`, await millisecondsOf(() => run.queries.arrange(someNames)));
  await run.queries.arrange({ sort: [], filters: [] });
  print(`find_${suffix}`, await millisecondsOf(() => run.queries.find(firstStep, patient)));
  const next = { ...firstStep, row: rowCount / 2, including: false };
  print(`find_next_ms`, await millisecondsOf(() => run.queries.find(next, patient)));
  const range: CellRange = { firstRow: 0, endRow: rowCount, columns: [id, name] };
  print(`summary_${suffix}`, await millisecondsOf(() => run.queries.summarize([range], patient)));
  print(`export_csv_${suffix}`, await millisecondsOf(() => exportAll(run)));
  print('worker_rss_mb', megabytes(rss.stop()));
}

/** Compares writing a whole result as CSV with decoding the same rows in the client. */
async function exportAgainstDecoding(client: Client, print: (figure: string, value: number) => void) {
  await using opened = await openRun(client, million);
  const times = { csv: Infinity, batches: Infinity };
  for (let round = 0; round < 3; round++) {
    times.csv = Math.min(times.csv, await millisecondsOf(() => exportAll(opened.run)));
    times.batches = Math.min(times.batches, await millisecondsOf(() => decode(client)));
  }
  print('export_csv_vs_decode', times.batches / times.csv);
}

async function openRun(client: Client, rowCount: number): Promise<{ readonly run: StatementRun } & AsyncDisposable> {
  const folder = temporaryFolder();
  const thread = startRowsThread();
  const run = new StatementRun({
    send: options => client.execSqlStream('bench', { sql: `${rowCount} wide` }, options),
    folder,
    thread,
    limits: { maxRows: Infinity, maxBytes: Infinity },
    clock: monotonicClock,
  });
  await run.start();
  if (run.rowCount !== rowCount) throw new Error(`${run.rowCount} rows came: ${String(run.error)}`);
  const dispose = async (): Promise<void> => {
    await run.dispose();
    await thread.dispose();
  };
  return { run, [Symbol.asyncDispose]: dispose };
}

async function exportAll(run: StatementRun): Promise<void> {
  const columns = run.columns.map((_, column) => column);
  const ranges = [{ firstRow: 0, endRow: run.queries.shownRows, columns }];
  const request = { format: 'csv', headers: true, guardFormulas: true, table: 't', ranges } as const;
  let bytes = 0;
  for await (const piece of run.queries.text(request, patient)) bytes += piece.length;
  if (bytes < run.rowCount * 100) throw new Error(`The text has ${bytes} bytes.`);
}

async function decode(client: Client): Promise<void> {
  const scanner = await client.execSqlStream('bench', { sql: `${million} wide` });
  let count = 0;
  for await (const batch of scanner.batches()) count += batch.length;
  if (count !== million) throw new Error(`${count} rows came.`);
}

/** Measures how much more memory the process and its thread take at most. */
function watchRss(): { stop: () => number } {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  return {
    stop() {
      clearInterval(timer);
      return most - before;
    },
  };
}

const megabytes = (bytes: number): number => bytes / 1024 / 1024;
