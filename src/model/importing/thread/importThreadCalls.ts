import type { CallAnswer, CallOf } from '../../../base/callTable.ts';
import type { EncodedSqlRequest, SqlRequest } from '../../../wire/sqlRequest.ts';
import type { BatchOptions, ReadableRow, SourceBatch } from '../batches.ts';
import type { FileSource, Piece } from '../journal.ts';
import type { SourceSize } from '../rowSource.ts';

/** The calls from the window to the thread that reads the file of an import. The types of both ends follow from this table. */
export interface ImportThreadCalls {
  readonly open: { readonly params: FileSource; readonly answer: SourceSize };
  /** Begins to read at a place. */
  readonly read: { readonly params: BatchOptions; readonly answer: undefined };
  /** The next rows. Undefined at the end. */
  readonly next: { readonly params: undefined; readonly answer: SentBatch | undefined };
  /** The statement for some rows of one of the last batches. */
  readonly requestOf: {
    readonly params: { readonly batch: number; readonly piece: Piece };
    readonly answer: SqlRequest;
  };
  /** A row of one of the last batches as it is written in the file. */
  readonly rowAt: { readonly params: { readonly batch: number; readonly index: number }; readonly answer: ReadableRow };
  /** Fails if another program has written to the file. */
  readonly requireUnchanged: { readonly params: undefined; readonly answer: undefined };
}

/** A batch whose rows stay in the thread. */
export interface SentBatch extends Pick<SourceBatch, 'rowCount' | 'readableCount' | 'unreadable' | 'end'> {
  /** The number of the batch, to request its rows. */
  readonly batch: number;
  readonly request: EncodedSqlRequest;
}

export interface ToImportThread {
  readonly id: number;
  readonly call: CallOf<ImportThreadCalls>;
}

export type FromImportThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: CallAnswer<ImportThreadCalls> }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string | undefined; readonly message: string };
