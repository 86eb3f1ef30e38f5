/** Measures what looks into all rows of a result: a million rows of twenty columns. */
import { excelFile } from '../../src/model/results/excelFile/excelFile.ts';
import { SpoolQueries } from '../../src/model/results/queries/spoolQueries.ts';
import { Spool } from '../../src/model/results/spool.ts';
import type { CellRange } from '../../src/protocol/rowQueries.ts';
import { type Bench, millisecondsOf } from '../support/bench.ts';
import { startRowsThread } from '../support/rowsThread.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rowCount = 1_000_000;
const rowsPerBatch = 1000;
const columns = Array.from({ length: 20 }, (_, nth) => ({ name: `column ${nth}`, type: '' }));
const ranges: readonly CellRange[] = [{ firstRow: 0, endRow: rowCount, columns: [...columns.keys()] }];
const patient = { signal: new AbortController().signal };

export const bench: Bench = async print => {
  const thread = startRowsThread();
  const spool = await Spool.create(temporaryFolder());
  for (let first = 0; first < rowCount; first += rowsPerBatch) {
    const texts = Array.from({ length: rowsPerBatch }, (_, nth) => rowText(first + nth));
    await spool.append({ bytes: Buffer.from(texts.join(',')), rowCount: rowsPerBatch });
  }
  const queries = new SpoolQueries({
    thread,
    spool: () => spool,
    columns: () => columns,
    rowCount: () => rowCount,
    mayGrow: () => false,
    onChange: () => undefined,
  });
  const text = (format: 'csv' | 'xlsx') =>
    queries.text({ format, ranges, headers: true, guardFormulas: false, table: 't' }, patient);
  const times = { csv: Infinity, xlsx: Infinity };
  for (let round = 0; round < 2; round++) {
    times.csv = Math.min(times.csv, await millisecondsOf(() => readAll(text('csv'))));
    const rss = watchRss();
    const file = excelFile(text('xlsx'), { sheetName: 'rows', lastSheet: () => undefined });
    times.xlsx = Math.min(times.xlsx, await millisecondsOf(() => readAll(file)));
    if (round === 0) print('xlsx_rss_growth_mb', rss.stop());
    else rss.stop();
  }
  print('xlsx_1m_ms', times.xlsx);
  print('xlsx_vs_csv', times.csv / times.xlsx);
  queries.dispose();
  await spool.delete();
  await thread.dispose();
};

function rowText(id: number): string {
  const values = columns.map(({ name }, nth): readonly [string, unknown] => {
    if (nth % 4 === 0) return [name, id * (nth + 1)];
    if (nth % 4 === 1) return [name, `Customer number ${id}`];
    return [name, nth % 4 === 2 ? id / 64 : id % 7 === 0 ? null : `city ${id % 97}`];
  });
  return JSON.stringify(Object.fromEntries(values));
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
}

function watchRss(): { stop: () => number } {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  return {
    stop() {
      clearInterval(timer);
      return (most - before) / 1024 / 1024;
    },
  };
}
