import type { CallTypes } from '../../../base/callTable.ts';
import type { EncodedSqlRequest, SqlRequest } from '../../../wire/sqlRequest.ts';
import type { BatchOptions, ReadableRow, SourceBatch } from '../batches.ts';
import type { FileSource, Piece } from '../journal.ts';
import type { SourceSize } from '../rowSource.ts';

/** The calls from the window to the thread that reads the file of an import. The types of both ends follow from this table. */
export interface ImportThreadCalls {
  readonly open: CallTypes<FileSource, SourceSize>;
  readonly read: CallTypes<BatchOptions, undefined>;
  /** The next rows. Undefined at the end. The memory of a body that was sent holds the new one. */
  readonly next: CallTypes<{ readonly spent: ArrayBuffer | undefined }, SentBatch | undefined>;
  readonly requestOf: CallTypes<{ readonly batch: number; readonly piece: Piece }, SqlRequest>;
  /** A row of one of the last batches as it is written in the file. */
  readonly rowAt: CallTypes<{ readonly batch: number; readonly index: number }, ReadableRow>;
  readonly requireUnchanged: CallTypes<undefined, void>;
}

/** A batch whose rows stay in the thread. */
interface SentBatch extends Pick<SourceBatch, 'rowCount' | 'readableCount' | 'unreadable' | 'end'> {
  readonly batch: number;
  readonly request: EncodedSqlRequest;
}
