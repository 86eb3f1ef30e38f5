import type { CallAnswer, CallOf, CallTypes } from '../../../base/callTable.ts';
import type {
  Arrangement,
  CellRange,
  FindStep,
  FindResult,
  Summary,
  ValueCounts,
  ValuesQuery,
} from '../../../protocol/rowQueries.ts';
import type { CellPart } from '../../../protocol/results.ts';
import type { ShownValue } from '../../../protocol/shownValues.ts';
import type { Column } from '../../../wire/values.ts';
import type { ComparisonRequest, ComparisonSummary } from '../comparison.ts';
import type { SqliteFileRequest, TextRequest } from '../rowQueries.ts';
import type { SpoolExtent } from '../spool.ts';
import type { ArrangedRows } from './arrange.ts';
import type { RowsPlace } from './cellReader.ts';

/** The calls from the window to the rows thread. The types of both ends follow from this table. */
export interface RowsThreadCalls {
  /** Cells of large rows, cut as the grid shows them. */
  readonly rows: CallTypes<PlacedLargeRows, ShownValue[][]>;
  /** One cell of a large row, with at most `maxLength` characters. */
  readonly cell: CallTypes<PlacedLargeRows & { readonly column: number; readonly maxLength: number }, CellPart>;
  readonly arrange: CallTypes<{ readonly rows: RowsSnapshot; readonly arrangement: Arrangement }, ArrangedRows>;
  readonly find: CallTypes<{ readonly rows: RowsSnapshot; readonly step: FindStep }, FindResult>;
  readonly summarize: CallTypes<{ readonly rows: RowsSnapshot; readonly ranges: readonly CellRange[] }, Summary>;
  readonly values: CallTypes<
    {
      readonly rows: RowsSnapshot;
      readonly arrangement: Arrangement;
      readonly query: ValuesQuery;
    },
    ValueCounts
  >;
  /** Sends the text in pieces before the answer. */
  readonly text: CallTypes<{ readonly rows: RowsSnapshot; readonly request: TextRequest }, void>;
  readonly writeSqliteFile: CallTypes<{ readonly rows: RowsSnapshot; readonly request: SqliteFileRequest }, void>;
  /** Compares the rows of the call's spool with those of another one. Sends the rows that differ in pieces before the answer. */
  readonly compare: CallTypes<
    {
      readonly rows: RowsSnapshot;
      readonly after: { readonly spoolId: number; readonly rows: RowsSnapshot };
      readonly request: ComparisonRequest;
    },
    ComparisonSummary
  >;
}

/** A spool that the thread can read: its file, and the memory of its block index. */
export interface SharedSpool {
  readonly id: number;
  readonly file: string;
  readonly memory: SharedArrayBuffer;
}

interface PlacedLargeRows {
  readonly place: RowsPlace;
  readonly columns: readonly Column[];
}

/** The rows of a call at the time when it was sent. More may arrive while it runs. */
export interface RowsSnapshot {
  readonly extent: SpoolExtent;
  readonly columns: readonly Column[];
  /** May be less than the file has: the result may end before the spool does. */
  readonly rowCount: number;
  readonly orderVersion: number;
  /** Undefined if the rows are unsorted and unfiltered. */
  readonly arranged: ArrangedRows | undefined;
}

export type ToRowsThread =
  | { readonly kind: 'openSpool'; readonly spool: SharedSpool }
  | { readonly kind: 'closeSpool'; readonly spoolId: number }
  | { readonly kind: 'call'; readonly id: number; readonly spoolId: number; readonly call: CallOf<RowsThreadCalls> }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'pieceRead'; readonly id: number };

export type FromRowsThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: CallAnswer<RowsThreadCalls> }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly kind: 'progress'; readonly id: number; readonly done: number }
  | { readonly kind: 'piece'; readonly id: number; readonly piece: ThreadPiece };

/** A piece of a text, or of rows. */
export interface ThreadPiece {
  readonly bytes: Uint8Array;
  readonly rowCount: number;
}

/** The most pieces that are sent and not yet read. With several, writing and reading overlap. */
export const maxUnreadPieces = 3;
