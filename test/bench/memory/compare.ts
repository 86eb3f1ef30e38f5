import { planComparison } from '../../../src/model/results/comparison.ts';
import type { RowsThread } from '../../../src/model/results/queries/rowsThread.ts';
import { SpoolQueries } from '../../../src/model/results/queries/spoolQueries.ts';
import { Spool } from '../../../src/model/results/spool.ts';
import { type Arrangement, unsorted } from '../../../src/protocol/rowQueries.ts';
import type { Bench } from '../../support/bench.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const million = 1_000_000;
const rowsPerBatch = 500;
const rounds = 3;
const names = ['id', 'name', 'email', 'city', 'score', 'age', 'note', 'day'];
const columns = names.map(name => ({ name, type: '' }));
const plan = planComparison(columns, columns, ['id']);
const byKey: Arrangement = { sort: [{ column: 0, descending: false }], filters: [] };
const patient = { signal: new AbortController().signal };

/**
 * Compares a million rows with a million others, and sorts both by the key. One row of each hundred was changed, one removed and
 * one added. The rows come in the order of their keys, and then each source in an order of its own.
 */
export const benchCompare: Bench = async print => {
  await measure('compare', [1, 1], print);
  await measure('compare_shuffled', [7919, 15_485_863], print);
};

async function measure(
  figure: string,
  [step, otherStep]: readonly [before: number, after: number],
  print: (name: string, value: number) => void,
): Promise<void> {
  const thread = startRowsThread();
  const before = await openSource(thread, step, id => rowText(id, ''));
  const after = await openSource(thread, otherStep, id =>
    rowText(id % 100 === 7 ? id + million : id, id % 100 === 8 ? '!' : ''),
  );
  const times = { compare: Infinity, sorts: Infinity };
  const rss = watchRss();
  for (let round = 0; round < rounds; round++) {
    times.compare = Math.min(times.compare, await cpuTimeOf(() => compare(before, after)));
    if (round === 0) print(`${figure}_rss_growth_mb`, rss.stop());
    times.sorts = Math.min(times.sorts, await cpuTimeOf(() => sort(before, after, byKey)));
    await sort(before, after, unsorted);
  }
  print(`${figure}_1m_cpu_ms`, times.compare);
  print(`${figure}_vs_two_sorts`, times.compare / times.sorts);
  await thread.dispose();
}

async function sort(before: SpoolQueries, after: SpoolQueries, arrangement: Arrangement): Promise<void> {
  await before.arrange(arrangement);
  await after.arrange(arrangement);
}

async function compare(before: SpoolQueries, after: SpoolQueries): Promise<void> {
  const pieces = before.compare(after, { plan, letterColumns: [undefined, undefined] }, patient);
  let next = await pieces.next();
  while (next.done !== true) next = await pieces.next();
  const { added, removed, changed } = next.value;
  if (added + removed + changed !== (3 * million) / 100) throw new Error(JSON.stringify(next.value));
}

const rowText = (id: number, mark: string): string =>
  JSON.stringify({
    id,
    name: `Customer number ${id}`,
    email: `c${id}@example.com`,
    city: `City ${id % 97}${mark}`,
    score: id / 64,
    age: id % 80,
    note: `ordered "${id % 40}" times`,
    day: id % 365,
  });

/** A step other than 1 mixes the rows. */
async function openSource(thread: RowsThread, step: number, textOf: (id: number) => string): Promise<SpoolQueries> {
  const spool = await Spool.create(temporaryFolder());
  for (let first = 0; first < million; first += rowsPerBatch) {
    const texts = Array.from({ length: rowsPerBatch }, (_, nth) => textOf(((first + nth) * step) % million));
    await spool.append({ bytes: Buffer.from(texts.join(',')), rowCount: rowsPerBatch });
  }
  return new SpoolQueries({
    thread,
    spool: () => spool,
    columns: () => columns,
    rowCount: () => spool.rowCount,
    mayGrow: () => false,
    onChange: () => undefined,
  });
}

/** The time of all processors: other processes of the machine hardly change it. */
async function cpuTimeOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
