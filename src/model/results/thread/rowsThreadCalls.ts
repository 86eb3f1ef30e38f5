import type { CallTypes } from '../../../base/callTable.ts';
import type { ChartData, ChartQuery } from '../../../protocol/chart.ts';
import type {
  Arrangement,
  CellRange,
  FindStep,
  FindResult,
  Summary,
  ValueCounts,
  ValuesQuery,
} from '../../../protocol/rowQueries.ts';
import type { CellPart, ComparisonSummary } from '../../../protocol/results.ts';
import type { ColumnProfile, ProfileQuery } from '../../../protocol/profile.ts';
import type { ShownValue } from '../../../protocol/shownValues.ts';
import type { Column } from '../../../wire/values.ts';
import type { ComparisonRequest } from '../comparison.ts';
import type { GroupsRequest, SqliteFileRequest, TextRequest } from '../rowQueries.ts';
import type { SpoolExtent } from '../spool.ts';
import type { ArrangedRows } from './arrange.ts';
import type { RowsPlace } from './cellReader.ts';

/** The calls from the window to the rows thread. The types of both ends follow from this table. */
export interface RowsThreadCalls {
  /** Cells of large rows, cut as the grid shows them. */
  readonly rows: CallTypes<PlacedLargeRows, ShownValue[][]>;
  /** One cell of a large row, with at most `maxLength` characters. */
  readonly cell: CallTypes<PlacedLargeRows & { readonly column: number; readonly maxLength: number }, CellPart>;
  readonly arrange: RowsCall<{ readonly arrangement: Arrangement }, ArrangedRows>;
  readonly find: RowsCall<{ readonly step: FindStep }, FindResult>;
  readonly summarize: RowsCall<{ readonly ranges: readonly CellRange[] }, Summary>;
  readonly chart: RowsCall<{ readonly query: ChartQuery }, ChartData>;
  readonly values: RowsCall<{ readonly arrangement: Arrangement; readonly query: ValuesQuery }, ValueCounts>;
  readonly profile: RowsCall<{ readonly arrangement: Arrangement; readonly query: ProfileQuery }, ColumnProfile[]>;
  /** Sends the groups in pieces before the answer. */
  readonly groups: RowsCall<{ readonly request: GroupsRequest }, void>;
  /** Sends the text in pieces before the answer: the names of columns whose values have several types, in a Parquet file. */
  readonly text: RowsCall<{ readonly request: TextRequest }, readonly string[]>;
  readonly writeSqliteFile: RowsCall<{ readonly request: SqliteFileRequest }, void>;
  /** Sends the rows that differ in pieces before the answer. */
  readonly compare: RowsCall<{ readonly after: RowsSnapshot; readonly request: ComparisonRequest }, ComparisonSummary>;
  readonly closeSpool: CallTypes<{ readonly spoolId: number }, void>;
}

type RowsCall<Params, Answer> = CallTypes<Params & { readonly rows: RowsSnapshot }, Answer>;

/** A spool that the thread can read: its file, and the memory of its block index. */
export interface SharedSpool {
  readonly id: number;
  readonly file: string;
  readonly memory: SharedArrayBuffer;
}

interface PlacedLargeRows {
  readonly spool: SharedSpool;
  readonly place: RowsPlace;
  readonly columns: readonly Column[];
}

/** The rows of a call at the time when it was sent. More may arrive while it runs. */
export interface RowsSnapshot {
  readonly spool: SharedSpool;
  readonly extent: SpoolExtent;
  readonly columns: readonly Column[];
  /** May be less than the file has: the result may end before the spool does. */
  readonly rowCount: number;
  readonly orderVersion: number;
  /** Undefined if the rows are unsorted and unfiltered. */
  readonly arranged: ArrangedRows | undefined;
}
