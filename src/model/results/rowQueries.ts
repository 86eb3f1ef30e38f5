import type { ChartData, ChartQuery } from '../../protocol/chart.ts';
import type {
  Arrangement,
  BlobSpelling,
  CellRange,
  CopyFormat,
  ExportFormat,
  FindStep,
  FindResult,
  Summary,
  ValueCounts,
  ValuesQuery,
} from '../../protocol/rowQueries.ts';
import type { GroupQuery } from '../../protocol/groups.ts';
import type { ColumnProfile, ProfileQuery } from '../../protocol/profile.ts';
import type { CellPart } from '../../protocol/results.ts';
import type { Column } from '../../wire/values.ts';

export interface WorkOptions {
  readonly signal: AbortSignal;
  /** Called at intervals with the share of the work that is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Called with the number of rows if a query reads more rows than were counted before. */
  readonly onCounted?: (rowCount: number) => void;
  /** Called with the names of the columns that a Parquet file has as texts, because their values have several types. */
  readonly onMixedColumns?: (names: readonly string[]) => void;
}

export interface TextRequest {
  readonly format: CopyFormat | Exclude<ExportFormat, 'sqlite'>;
  readonly ranges: readonly CellRange[];
  /** Writes all rows of the source, also those that were not fetched. The first range names the columns. */
  readonly allRows?: boolean;
  /** Writes all rows, also those that filters hide, in the order in which they arrived. */
  readonly unfiltered?: boolean;
  /** Writes the column names first, if the format allows both. */
  readonly headers: boolean;
  /** Writes text that looks like a formula so that spreadsheets do not run it. */
  readonly guardFormulas: boolean;
  /** How BLOBs are written in CSV, TSV and Markdown: as `0x00FF` unless this says otherwise. */
  readonly blobs?: BlobSpelling;
  readonly table: string;
  /** The delimiter of CSV, one character; a comma unless set. */
  readonly delimiter?: string;
  /** Stands for NULL in CSV and TSV; nothing unless set. */
  readonly nullText?: string;
  /** The rows that each INSERT statement inserts; 1 unless set. */
  readonly rowsPerInsert?: number;
}

export interface SqliteFileRequest extends Pick<TextRequest, 'ranges' | 'allRows' | 'unfiltered' | 'table'> {
  readonly file: string;
  /** The mode of the new file. Without it, the user's umask decides. */
  readonly mode?: number;
}

export interface GroupsRequest {
  readonly query: GroupQuery;
  /** The names of the columns of the groups. */
  readonly names: readonly string[];
}

/** Work on the rows of a run. All row numbers count in the order shown. */
export interface RowQueries {
  readonly orderVersion: number;
  readonly arrangement: Arrangement;
  /** The arrangement that the user chose last. Set only for sources that arrange in the background. */
  readonly wantedArrangement?: Arrangement;
  /** The share of the arranging that is done, from 0 to 1. Set while the rows are arranged. */
  readonly arrangeProgress?: number | undefined;
  /** The share of the rows that was searched, from 0 to 1. Set while a search is under way. */
  readonly findProgress?: number | undefined;
  readonly shownRows: number;
  /** Settles when the rows are arranged. If it rejects, they stay as they were. A later call cancels an earlier one. */
  arrange(arrangement: Arrangement, options?: WorkOptions): Promise<void>;
  find(step: FindStep, options: WorkOptions): Promise<FindResult>;
  summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary>;
  values(query: ValuesQuery, options: WorkOptions): Promise<ValueCounts>;
  profile(query: ProfileQuery, options: WorkOptions): Promise<ColumnProfile[]>;
  /** Absent for a browsed table, whose rows are elsewhere. */
  chart?(query: ChartQuery, options: WorkOptions): Promise<ChartData>;
  /** Sends pieces of text as fast as they are read. */
  text(request: TextRequest, options: WorkOptions): AsyncIterable<Uint8Array>;
  writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void>;
  /** The row of the result that is shown at a place. Absent if the source cannot identify rows. */
  sourceRow?(row: number): number;
  cell(row: number, column: number, maxLength: number): Promise<CellPart>;
}

/** The arrangement for the same columns at other indexes. Terms of missing columns are left out. */
export function moveArrangement(
  { sort, filters, search }: Arrangement,
  before: readonly Pick<Column, 'name'>[],
  after: readonly Column[],
): Arrangement {
  const move = <T extends { readonly column: number }>(terms: readonly T[]): T[] =>
    terms
      .map(term => ({ ...term, column: after.findIndex(({ name }) => name === before[term.column]?.name) }))
      .filter(({ column }) => column >= 0);
  return { sort: move(sort), filters: move(filters), ...(search !== undefined && { search }) };
}
