import type { Clock } from '../../base/clock.ts';
import type { Pager, Project } from '../../client/index.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import type { ServiceWaits } from './serviceWaits.ts';
import type { Spooling } from './gatheredRows.ts';
import type { PagePlace } from './rowSource.ts';
import type { BrowsedTable } from './tableKey.ts';

export interface BrowseRequest {
  readonly table: BrowsedTable;
  readonly project: Pick<Project, 'sql' | 'query' | 'stream'>;
  /** Made by the caller, who has the client's code. */
  readonly pagerAt: (place: PagePlace) => Pager;
  /** What columns the table has by now. Only the marks of repeated rows and other orders wait for it. */
  readonly columns: () => Promise<readonly CatalogColumn[]>;
  readonly spooling: Spooling;
  readonly pageSize: number;
  /** The row whose page is asked for first. */
  readonly start?: number;
  /** The waits that the service asks the calls of `project` and of pagers for. */
  readonly waits: ServiceWaits;
  readonly now: () => number;
  /** As a Clock has it. */
  readonly after: Clock['after'];
}
