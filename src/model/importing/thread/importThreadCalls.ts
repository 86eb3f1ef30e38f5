import type { EncodedSqlRequest, SqlRequest } from '../../../wire/sqlRequest.ts';
import type { BatchOptions, ReadableRow, RowBatch } from '../batches.ts';
import type { FileSource, Piece } from '../journal.ts';
import type { SourceSize } from '../rowSource.ts';

/** The calls from the window to the thread that reads the file of an import. The types of both ends follow from this table. */
interface ImportThreadCalls {
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
  /** A row of one of the last batches as it stands in the file. */
  readonly rowAt: { readonly params: { readonly batch: number; readonly index: number }; readonly answer: ReadableRow };
  /** Fails if another program has written to the file. */
  readonly requireUnchanged: { readonly params: undefined; readonly answer: undefined };
}

export type Method = keyof ImportThreadCalls;
export type Params<M extends Method> = ImportThreadCalls[M]['params'];
export type Answer<M extends Method> = ImportThreadCalls[M]['answer'];
/** A method with its parameters. */
export type Call<M extends Method = Method> = {
  [Name in M]: { readonly method: Name; readonly params: Params<Name> };
}[M];

/** A batch whose rows stay in the thread. */
export interface SentBatch extends Pick<RowBatch, 'rowCount' | 'readableCount' | 'unreadable' | 'end'> {
  /** The number of the batch, to ask for its rows. */
  readonly batch: number;
  readonly request: EncodedSqlRequest;
}

export interface ToThread {
  readonly id: number;
  readonly call: Call;
}

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: Answer<Method> }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string | undefined; readonly message: string };
