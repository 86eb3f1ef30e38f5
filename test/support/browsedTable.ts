import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Client, Pager } from '../../src/client/index.ts';
import { BrowseRun } from '../../src/model/browsing/browseRun.ts';
import type { BrowseRequest } from '../../src/model/browsing/browseRequest.ts';
import type { BrowsedTable } from '../../src/model/browsing/browsedTable.ts';
import { ServiceWaits } from '../../src/model/browsing/serviceWaits.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import type { DownloadStorage } from '../../src/model/browsing/tableDownload.ts';
import { textOf } from '../../src/wire/values.ts';
import { startRowsThread } from './rowsThread.ts';

const rowsThread = startRowsThread();
const folder = await mkdtemp(join(tmpdir(), 'browsed-'));
after(async () => {
  await rowsThread.dispose();
  await rm(folder, { recursive: true });
});

/** A folder and a thread for all tables of a file of tests. */
export const testDownloads: DownloadStorage = {
  folder: () => Promise.resolve(folder),
  rowsThread: () => Promise.resolve(rowsThread),
};

export interface BrowsedTableOptions extends Partial<BrowsedTable> {
  readonly client: Client;
  readonly projectId: string;
  readonly name: string;
  readonly pageSize?: number;
  readonly clock?: Clock;
}

/** What a browsed table has to do with time. */
export function testTime(clock: Clock = systemClock): Pick<BrowseRequest, 'clock' | 'waits'> {
  return { clock, waits: new ServiceWaits(clock) };
}

/** A table of a real service, browsed as the editor does it. */
export function browseTable({ client, projectId, ...options }: BrowsedTableOptions): BrowseRun {
  const { name, kind = 'table', pageSize = 100, clock } = options;
  const project = client.project(projectId);
  const request: BrowseRequest = {
    ...{ project, pageSize, downloads: testDownloads, table: { name, kind }, ...testTime(clock) },
    pagerAt: place => new Pager({ project, table: name, ...place }),
    columns: () => new Catalog(() => Promise.resolve(project)).columns(name),
  };
  return new BrowseRun(request);
}

/** What the first column shows in some rows. */
export async function firstColumn(run: BrowseRun, start: number, count: number): Promise<string[]> {
  return (await run.rows(start, count)).map(([cell]) => (cell ? textOf(cell) : ''));
}

/** Settles once what is there is as wanted; looked at whenever the run says that something changed. */
export async function whenever(run: BrowseRun, holds: () => boolean): Promise<void> {
  if (holds()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(() => {
    if (holds()) resolve();
  });
  await promise;
  listener.dispose();
}
