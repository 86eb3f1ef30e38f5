import type { Clock } from '../../base/clock.ts';
import type { Pager, Project } from '../../client/index.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import type { SpooledRunParts } from '../results/statementRun.ts';
import type { BrowsedTable } from './browsedTable.ts';
import type { PageRange } from './pageSource.ts';
import type { RowOverlay } from './rowOverlay.ts';
import type { ServiceWaits } from '../serviceWaits.ts';

/** A table to browse, with the services that browsing needs. */
export interface BrowseRequest {
  readonly table: BrowsedTable;
  readonly project: Pick<Project, 'sql' | 'query' | 'stream'>;
  /** Made by the caller, who has loaded the client's code. */
  readonly pagerAt: (range: PageRange) => Pager;
  /** Fetches the table's current columns. Only arranged rows wait for them. */
  readonly columns: () => Promise<readonly CatalogColumn[]>;
  readonly downloadParts: () => Promise<Pick<SpooledRunParts, 'folder' | 'thread'>>;
  readonly pageSize: number;
  readonly start?: number;
  /** The Retry-After waits of the calls of `project` and of the pagers. */
  readonly waits: ServiceWaits;
  readonly clock: Clock;
  readonly overlay: RowOverlay;
}
