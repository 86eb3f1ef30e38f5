import type { ImportProgress } from './journal.ts';
import type { RejectedRow } from './rejectedRows.ts';

/** `stopped`: a row was rejected, and the user wanted the import to end there. */
export type ImportState = 'running' | 'paused' | 'waiting' | 'done' | 'stopped' | 'cancelled' | 'failed';

/** How far an import has come when it ends, for the message to the user. */
export interface ImportEnd {
  readonly state: ImportState;
  readonly progress: ImportProgress;
  /** Whether the answer to the last call is missing, so that its rows may be in the table. A later run finds out. */
  readonly isLastCallUnknown: boolean;
  /** The row at which a run in the state `stopped` ended. */
  readonly lastRejection: RejectedRow | undefined;
  /** Whether rows were rejected because they refer to missing rows. */
  readonly hasOrphans: boolean;
  /** Whether rows of the source were added or deleted while it was read. */
  readonly isSourceChanged: boolean;
  /** Why the service refused statements that follow the rows. */
  readonly refusedStatements: readonly string[];
}

/** Ends an import that the user stops. It is not an error. */
export class Ended extends Error {
  readonly state: 'stopped' | 'cancelled';

  constructor(state: 'stopped' | 'cancelled') {
    super(state);
    this.state = state;
  }
}
