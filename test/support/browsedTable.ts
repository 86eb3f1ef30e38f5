import { disposable } from './disposable.ts';
import { after } from 'node:test';
import { type Clock, monotonicClock } from '../../src/base/clock.ts';
import { type Client, Pager, type PagerOptions } from '../../src/client/index.ts';
import { BrowseRun } from '../../src/model/browsing/browseRun.ts';
import type { BrowseRequest } from '../../src/model/browsing/browseRequest.ts';
import type { BrowsedTable } from '../../src/model/browsing/browsedTable.ts';
import type { RowOverlay } from '../../src/model/browsing/rowOverlay.ts';
import { withoutEdits } from './withoutEdits.ts';
import { ServiceWaits } from '../../src/model/serviceWaits.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import { textOf } from '../../src/protocol/shownValues.ts';
import { startRowsThread } from './rowsThread.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const rowsThread = startRowsThread();
const folder = temporaryFolder();
after(() => rowsThread.dispose());

/** One folder and one rows thread for all tests of a file. */
export const testDownloadParts: BrowseRequest['downloadParts'] = () => Promise.resolve({ folder, thread: rowsThread });

export interface BrowsedTableOptions extends Partial<BrowsedTable> {
  readonly client: Client;
  readonly projectId: string;
  readonly name: string;
  readonly pageSize?: number;
  readonly start?: number;
  readonly clock?: Clock;
  readonly waits?: ServiceWaits;
  readonly overlay?: RowOverlay;
  /** Gives the pages in the place of the client. */
  readonly pages?: PagerOptions['project'];
  /** Gives the columns in the place of the catalog. */
  readonly columns?: BrowseRequest['columns'];
}

export type DisposableRun = BrowseRun & AsyncDisposable;

/** A table of a real service, browsed as its editor does. */
export function browseTable(options: BrowsedTableOptions): DisposableRun {
  const { client, projectId, name, kind = 'table', pageSize = 100, start = 0, clock = monotonicClock } = options;
  const project = client.project(projectId);
  const { pages = project, waits = new ServiceWaits(clock), overlay = withoutEdits } = options;
  const catalogColumns: BrowseRequest['columns'] = () => new Catalog(() => Promise.resolve(project)).columns(name);
  return disposable(
    new BrowseRun({
      table: { name, kind },
      project,
      pagerAt: range => new Pager({ project: pages, table: name, ...range }),
      columns: options.columns ?? catalogColumns,
      downloadParts: testDownloadParts,
      pageSize,
      start,
      waits,
      clock,
      overlay,
    }),
  );
}

export async function startTable(options: BrowsedTableOptions): Promise<DisposableRun> {
  const run = browseTable(options);
  await run.start();
  return run;
}

/** The texts of the first column in a range of rows. */
export async function firstColumn(run: BrowseRun, start: number, count: number): Promise<string[]> {
  return (await run.rows(start, count)).map(([cell]) => (cell ? textOf(cell) : ''));
}

/** Settles when the condition holds. Checks it with each change of the run. */
export async function whenever(run: BrowseRun, isTrue: () => boolean): Promise<void> {
  if (isTrue()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(() => {
    if (isTrue()) resolve();
  });
  await promise;
  listener.dispose();
}
