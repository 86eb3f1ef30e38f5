import type { CallAnswer, CallOf } from '../../../base/callTable.ts';
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
import type { Column, ShownValue } from '../../../wire/values.ts';
import type { SqliteFileRequest, TextRequest } from '../rowQueries.ts';
import type { SpoolExtent } from '../spool.ts';
import type { ArrangedRows } from './arrange.ts';
import type { RowsPlace } from './cellReader.ts';

/** The calls from the window to the rows thread. The types of both ends follow from this table. */
export interface RowsThreadCalls {
  /** Cells of large rows, cut as the grid shows them. */
  readonly rows: {
    readonly params: PlacedLargeRows;
    readonly answer: ShownValue[][];
  };
  /** One cell of a large row, with at most `maxLength` characters. */
  readonly cell: {
    readonly params: PlacedLargeRows & { readonly column: number; readonly maxLength: number };
    readonly answer: CellPart;
  };
  readonly arrange: {
    readonly params: { readonly rows: RowsSnapshot; readonly arrangement: Arrangement };
    readonly answer: ArrangedRows;
  };
  readonly find: {
    readonly params: { readonly rows: RowsSnapshot; readonly step: FindStep };
    readonly answer: FindResult;
  };
  readonly summarize: {
    readonly params: { readonly rows: RowsSnapshot; readonly ranges: readonly CellRange[] };
    readonly answer: Summary;
  };
  readonly values: {
    readonly params: {
      readonly rows: RowsSnapshot;
      readonly arrangement: Arrangement;
      readonly query: ValuesQuery;
    };
    readonly answer: ValueCounts;
  };
  /** Sends the text in pieces before the answer. */
  readonly text: {
    readonly params: { readonly rows: RowsSnapshot; readonly request: TextRequest };
    readonly answer: undefined;
  };
  readonly writeSqliteFile: {
    readonly params: { readonly rows: RowsSnapshot; readonly request: SqliteFileRequest };
    readonly answer: undefined;
  };
}

/** A spool that the thread can read: its file, and the memory of its block index. */
export interface SharedSpool {
  readonly id: number;
  readonly file: string;
  readonly memory: SharedArrayBuffer;
}

/** Large rows, and the requested columns. */
interface PlacedLargeRows {
  readonly rows: SpoolRef;
  readonly place: RowsPlace;
  readonly columns: readonly Column[];
}

interface SpoolRef {
  readonly spoolId: number;
}

/** The rows of a call at the time when it was sent. More may arrive while it runs. */
export interface RowsSnapshot extends SpoolRef {
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
  | { readonly kind: 'call'; readonly id: number; readonly call: CallOf<RowsThreadCalls> }
  | { readonly kind: 'cancel'; readonly id: number }
  /** The window has read a piece. The thread may send another one. */
  | { readonly kind: 'pieceRead'; readonly id: number };

export type FromRowsThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: CallAnswer<RowsThreadCalls> }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly kind: 'progress'; readonly id: number; readonly done: number }
  | { readonly kind: 'piece'; readonly id: number; readonly bytes: Uint8Array };

/** The most pieces of a text that are sent and not yet read. With several, writing and reading overlap. */
export const maxUnreadPieces = 3;
