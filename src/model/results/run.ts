import { arrayOf, asBoolean, asCount, asString, type Infer, object, optional, orUndefined } from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { PauseReason, RunState, WriteOutcome } from '../../protocol/runState.ts';
import type { ShownValue } from '../../protocol/shownValues.ts';
import type { Column } from '../../wire/values.ts';
import type { RowQueries } from './rowQueries.ts';
import type { WriteKey } from './writeKey.ts';
import type { Clock } from '../../base/clock.ts';

export const decodeColumnKey = object({
  isKey: asBoolean,
  references: orUndefined(
    object({
      table: asString,
      /** Undefined for the primary key. */
      column: orUndefined(asString),
      /** All columns of a composite key, in its order. Without a target, a column refers to its place in the primary key. */
      parts: optional(arrayOf(object({ column: asCount, target: orUndefined(asString) }))),
    }),
  ),
});
export type ColumnKey = Infer<typeof decodeColumnKey>;
export type ForeignKeyTarget = NonNullable<ColumnKey['references']>;

/** Rows that arrive and can be shown: those of a statement, of a browsed table, or of an earlier window. */
export interface Run {
  readonly state: RunState;
  /** Why the run failed. Set in the state `failed`; rows that came before stay. */
  readonly error: unknown;
  /** A sentence that suggests a fix for the error. */
  readonly hint?: string | undefined;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** The rows that a statement without result rows changed. */
  readonly changedRows?: number | undefined;
  readonly elapsedMs: number;
  /** The time from the start to the first row, if rows arrive one by one. */
  readonly firstRowMs?: number | undefined;
  /** The size of the rows as the service sent them, if it is known. */
  readonly sizeBytes?: number | undefined;
  /** Whether the outcome would be unknown if the run ended now. */
  readonly isWriting?: boolean;
  readonly writeOutcome?: WriteOutcome | undefined;
  readonly writeKey?: WriteKey | undefined;
  readonly onChange: (listener: () => void) => Disposable;
  readonly queries: RowQueries;
  /** Absent if there is nothing to decide, as for a restored run. */
  readonly controls?: RunControls;
  /** Absent if the run has no rows of its own to save. */
  readonly storage?: RunStorage;
  /** Settles when the run has ended. Faults do not reject: they are the run's state. */
  start(): Promise<void>;
  rows(start: number, count: number): Promise<ShownValue[][]>;
  keyOf?(column: number): ColumnKey | undefined;
  dispose(): Promise<void>;
}

/** Decisions of the user about a run that is under way. */
export interface RunControls {
  /** Set in the state `paused`. */
  readonly pause?: RunPause | undefined;
  /** Set while the service asks the run to wait before it sends its call again. */
  readonly wait?: RunWait | undefined;
  /** Ends the run and keeps the rows that arrived. */
  cancel(): void;
  /** Reports that the first rows are on screen, so that the rest may be read. */
  reportFirstPaint?(): void;
}

export interface RunPause {
  readonly reason: PauseReason;
  resume(): void;
  /** Ends the run as `limited`: no row is cut off. */
  finish(): void;
}

export interface RunWait {
  readonly remainingMs: number;
  /** Ends the wait, and with it the run. */
  cancel(): void;
}

/** The rows on disk of a run in this window. */
export interface RunStorage {
  /** Frees the run's share of the disk budget for the result that replaces it. The rows stay until the run is disposed. */
  releaseBudget(): void;
  /** Saves the rows in another file, from which a later window restores them. They are complete when the run has ended. */
  save(file: string): Promise<void>;
}

export const hasEnded = ({ state }: Pick<Run, 'state'>): boolean => state !== 'running' && state !== 'paused';

/** Settles when a run has rows, pauses or has ended, and after `timeoutMs` in any case. */
export async function firstRowsOrEnd(
  run: Pick<Run, 'state' | 'rowCount' | 'onChange'>,
  timeoutMs: number,
  clock: Clock,
): Promise<void> {
  if (run.rowCount > 0 || run.state !== 'running') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(resolve);
  const cancelTimer = clock.after(timeoutMs, resolve);
  await promise;
  listener.dispose();
  cancelTimer();
}
