import { HistoryStore } from '../../../src/model/history/historyStore.ts';
import { type Bench, millisecondsOf, quantileOf } from '../../support/bench.ts';
import { builtHistoryThread, historyEntry, startHistoryThread } from '../../support/historyThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const entryCount = 100_000;
/** As many as the view shows first. */
const pageCount = 100;

const statement = (number: number): string =>
  `SELECT o.id, o.placed_at, c.name, sum(i.price * i.quantity) AS total\nFROM orders o JOIN customers c ON c.id = o.customer_id\n` +
  `JOIN items i ON i.order_id = o.id\nWHERE o.placed_at >= '2026-01-01' AND c.region = 'region ${number}'\nGROUP BY o.id ORDER BY total DESC LIMIT 50`;

/** Measures a history of 100,000 usual entries, through its thread. */
export const history: Bench = async print => {
  const folder = temporaryFolder();
  await fill(folder);
  await using first = startHistoryThread(folder, builtHistoryThread);
  print('view_open_ms', await millisecondsOf(() => first.page({ count: pageCount })));
  const searches: number[] = [];
  for (let round = 0; round < 15; round++) {
    const filter = { text: `region 5${round} missing` };
    searches.push(await millisecondsOf(() => first.page({ count: pageCount, filter })));
  }
  print('search_100k_ms', quantileOf(searches, 0.5));
  print('search_100k_worst_ms', Math.max(...searches));
  const appends: number[] = [];
  const written: Promise<unknown>[] = [];
  for (let round = 0; round < 200; round++) {
    appends.push(await millisecondsOf(() => void written.push(first.add({ sql: statement(round) }))));
  }
  await Promise.all(written);
  print('append_ms', quantileOf(appends, 0.5));
  print('append_worst_ms', Math.max(...appends));
};

async function fill(folder: string): Promise<void> {
  const store = new HistoryStore(folder);
  const entries = Array.from({ length: entryCount }, (_, number) => historyEntry({ sql: statement(number) }));
  store.add({ entries, maxEntries: entryCount });
  store.close();
}
