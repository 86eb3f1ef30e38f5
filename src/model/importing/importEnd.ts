import type { ImportProgress } from './journal.ts';
import type { RejectedRow } from './rejectedRows.ts';
import { misuse, type ProjectError } from '../../base/errors.ts';

/** `stopped`: a row was rejected, and the user wanted the import to end there. */
export type ImportState = 'running' | 'paused' | 'waiting' | 'done' | 'stopped' | 'cancelled' | 'failed';

/** How far an import has come when it ends, for the message to the user. */
export interface ImportEnd {
  readonly state: ImportState;
  readonly progress: ImportProgress;
  /** Whether the answer to the last call is missing, so that its rows may be in the table. A later run finds out. */
  readonly isLastCallUnknown: boolean;
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

/** This many rejected rows in a row have one cause, which the user may want to remove first. */
export const maxRejectedInRow = 100;

export const importExpired = 'import_outcome_expired';

/** The service may have forgotten the key of a call whose answer was lost. */
export const outcomeExpired = (): ProjectError =>
  misuse(importExpired, 'The answer to the last rows was lost, and the service may have forgotten it.');

/** A range of rows of the file, counted from 1, or the lines of rows that have waited for others. */
export type UnknownRows = { readonly from: number; readonly to: number } | { readonly lines: readonly number[] };

/** The rows of the file that may or may not have been written. Undefined if the outcome of all rows is known. */
export function unknownRows({ place, pending }: ImportProgress): UnknownRows | undefined {
  const [piece] = pending?.pieces ?? [];
  if (!piece) return undefined;
  const pieceEnd = piece.first + piece.count;
  if (pending?.round !== undefined) return { lines: pending.batch?.lines.slice(piece.first, pieceEnd) ?? [] };
  // Unreadable rows may be between those that were sent.
  const readable = Math.max(...pending!.pieces.map(({ first, count }) => first + count));
  return { from: place.rows + piece.first + 1, to: place.rows + pieceEnd + pending!.rows - readable };
}

/** Lets the next run send the unknown rows again with a new key, although they may have been written. */
export function resendUnknownRows(progress: ImportProgress, now: number): ImportProgress {
  const { pending } = progress;
  return { ...progress, pending: pending && { ...pending, attempt: pending.attempt + 1, since: now } };
}

/** Lets the next run skip the rows that may have been written. */
export function skipUnknownRows(progress: ImportProgress, now: number): ImportProgress {
  const { pending } = progress;
  return { ...progress, pending: pending && { ...pending, pieces: pending.pieces.slice(1), attempt: 0, since: now } };
}
