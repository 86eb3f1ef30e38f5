import { asArrayOf, asCount, asNonEmptyString, asRecord, asString } from '../base/shape.ts';
import { type Arrangement, decodeArrangement } from './rowQueries.ts';

/** Between the host and the grid of a table that is browsed, beyond what any grid asks. */

/** What a page is told of a table beyond its rows. */
export interface BrowseView {
  /** What to open again after a reload. */
  readonly subject: BrowsedSubject;
  /** All rows are known of, so that their count is the table's, or that of those that pass the filters. */
  readonly hasEnd: boolean;
  readonly counting: boolean;
  /** The rows come by a statement, whose order ends in the primary key; else in an order of the service's own. */
  readonly byStatement: boolean;
  /** How many rows are known to have come twice. */
  readonly repeated: number;
}

export interface BrowsedSubject {
  readonly profileId: string;
  /** For people, should the project be gone. */
  readonly project: string;
  readonly table: string;
  readonly kind: 'table' | 'view';
}

/** What a page keeps for the time when it is made again. */
export interface BrowseState extends BrowsedSubject {
  /** By which the grid keeps where it was. */
  readonly runId: string;
  /** The names of the columns, which the arrangement counts. */
  readonly columns: readonly string[];
  readonly arrangement: Arrangement;
  /** The first row in view. */
  readonly row: number;
}

/** All are about the one table that the page shows. */
export const browsingMethods = {
  /** `row`; sees to it that it is there, and gives a JumpPlace, or null where it could not be had. */
  jump: 'browsing.jump',
  /** Asks the user where to go. */
  askRow: 'browsing.askRow',
  /** Settles when it is known how many rows there are. */
  count: 'browsing.count',
  /** Ends the counting. */
  stopCounting: 'browsing.stopCounting',
  refresh: 'browsing.refresh',
  /** Opens what gives the rows as SQL. */
  showStatement: 'browsing.showStatement',
} as const;

export const browsingEvents = {
  /** `row`: to be jumped to. */
  goTo: 'browsing.goTo',
} as const;

/** Where a jump leads: the last row, where the table is not that long. */
export interface JumpPlace {
  readonly row: number;
  readonly rowCount: number;
}

export function decodeBrowseView(value: unknown): BrowseView | undefined {
  const record = asRecord(value);
  const [subject, repeated] = [decodeSubject(record?.['subject']), asCount(record?.['repeated'])];
  if (!record || !subject || repeated === undefined) return undefined;
  const [hasEnd, counting, byStatement] = [record['hasEnd'], record['counting'], record['byStatement']];
  return {
    ...{ subject, repeated },
    ...{ hasEnd: hasEnd === true, counting: counting === true, byStatement: byStatement === true },
  };
}

/** Where a page keeps its BrowseState among what it keeps. */
export const browseStatePlace = { area: 'browsing', key: 'table' } as const;

/** Reads all that a page has kept. */
export function decodeBrowseState(kept: unknown): BrowseState | undefined {
  const { area, key } = browseStatePlace;
  const record = asRecord(asRecord(asRecord(kept)?.[area])?.[key]);
  const [subject, runId] = [decodeSubject(record), asNonEmptyString(record?.['runId'])];
  const columns = asArrayOf(record?.['columns'], asString);
  const arrangement = decodeArrangement(record?.['arrangement']);
  const row = asCount(record?.['row']);
  if (!subject || runId === undefined || !columns || !arrangement || row === undefined) return undefined;
  return { ...subject, runId, columns, arrangement, row };
}

export function decodeJumpPlace(value: unknown): JumpPlace | undefined {
  const record = asRecord(value);
  const [row, rowCount] = [asCount(record?.['row']), asCount(record?.['rowCount'])];
  return row === undefined || rowCount === undefined ? undefined : { row, rowCount };
}

export const decodeRow = (value: unknown): number | undefined => asCount(asRecord(value)?.['row']);

function decodeSubject(value: unknown): BrowsedSubject | undefined {
  const record = asRecord(value);
  const [profileId, table] = [asNonEmptyString(record?.['profileId']), asString(record?.['table'])];
  if (profileId === undefined || table === undefined) return undefined;
  const kind = record?.['kind'] === 'view' ? 'view' : 'table';
  return { profileId, table, kind, project: asString(record?.['project']) ?? '' };
}
