import type { Disposable } from '../../base/disposable.ts';
import type {
  Arrangement,
  CellRange,
  CopyFormat,
  ExportFormat,
  FindStep,
  Found,
  Summary,
} from '../../protocol/rowQueries.ts';
import type { WriteKey } from './writeKey.ts';
import type { Column, ShownValue, TaggedValue } from '../../wire/values.ts';

/**
 * `more`: nothing is on its way, and there is more where the rows come from. `paused`: a budget is used up, and the rest
 * waits where it comes from. `limited`: it was told to be enough then.
 */
export const runPhases = ['running', 'paused', 'more', 'done', 'failed', 'cancelled', 'limited'] as const;
export type RunPhase = (typeof runPhases)[number];

/**
 * What became of a write, where its rows do not tell. `unknown`: it was sent, nothing told whether it was done, and the service
 * can be asked. `expired`: the same, and the service may have forgotten it. `replayed`: it was done before, and this is what
 * it did then.
 */
export const writeOutcomes = ['unknown', 'expired', 'replayed'] as const;
export type WriteOutcome = (typeof writeOutcomes)[number];

/** Rows that arrive, whatever gives them: what a grid has to know of them. */
export interface RowsRun {
  readonly phase: RunPhase;
  /** Why it failed; set with the phase `failed`. Rows that came before stay. */
  readonly error: unknown;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Rows that a statement without rows changed. */
  readonly changed: number | undefined;
  readonly elapsedMs: number;
  /** From the start to the first row. */
  readonly firstRowMs: number | undefined;
  /** What the rows take, as the service sent them. */
  readonly bytes: number;
  readonly outcome?: WriteOutcome | undefined;
  /** What a write is known by at its service. */
  readonly writeKey?: WriteKey | undefined;
  /** How long it still waits, as the service asked it to, before it asks again. */
  readonly waitsMs?: number | undefined;
  /** Heard when rows arrived or the phase changed. */
  readonly onChange: (listener: () => void) => Disposable;
  /** Begins. Faults do not reject: they are the run's state. */
  run(): Promise<void>;
  rows(start: number, count: number): Promise<ShownValue[][]>;
  /** Where rows can come twice, those of a range that did. */
  repeatedIn?(start: number, end: number): readonly number[];
  cancel(): void;
  dispose(): Promise<void>;
}

/** What used up a budget: the result's own, of rows or bytes, or that of all results together. */
export type PauseReason = 'rows' | 'bytes' | 'disk';

/** The run of a statement, which somebody may have to decide on. */
export interface StatementRun {
  /** Why it pauses; set with the phase `paused`. */
  readonly pausedBy: PauseReason | undefined;
  /** Whether it is such that ending it now would leave open what it did. */
  readonly isWriting: boolean;
  /** Somebody sees its first rows. */
  painted(): void;
  /** Goes on after a pause. */
  proceed(): void;
  /** Ends the wait, and with it the run. */
  giveUp(): void;
  /** Another result comes in its place: what its rows take counts no more, though they stay a moment longer. */
  makeRoom(): void;
  /** Leaves its rows in a file as well, from where they can be reopened. They are whole when it has ended. */
  keep(file: string): Promise<void>;
}

export interface WorkOptions {
  readonly signal: AbortSignal;
  /** Heard now and then, with how much is done from 0 to 1. */
  readonly onProgress?: (done: number) => void;
  /** Where all rows are asked for that there are by then, and not only those that were counted: how many they are. */
  readonly onCounted?: (rowCount: number) => void;
}

/** What text is made of rows, and of which. */
export interface TextRequest {
  readonly format: CopyFormat | Exclude<ExportFormat, 'sqlite'>;
  readonly ranges: readonly CellRange[];
  /** All rows there are where they come from, also those that have not come; the first range names the columns. */
  readonly whole?: boolean;
  /** Whether the names of the columns come first, where the format leaves a choice. */
  readonly headers: boolean;
  /** Whether texts that a spreadsheet would take for formulas are written so that it does not. */
  readonly guardFormulas: boolean;
  /** What INSERT statements name. */
  readonly table: string;
}

export interface SqliteFileRequest {
  readonly file: string;
  readonly table: string;
  readonly ranges: readonly CellRange[];
  /** As in a TextRequest. */
  readonly whole?: boolean;
}

/** Rows that can be asked more than what they are. All rows and places are counted in the order shown. */
export interface QueriedRows {
  /** Another number each time that a row may stand elsewhere than before. */
  readonly order: number;
  readonly arrangement: Arrangement;
  /** How far arranging is, from 0 to 1, while it is under way. */
  readonly arranging: number | undefined;
  /** How far finding is, in the same way. */
  readonly finding: number | undefined;
  /** Rows that are shown of those that arrived. */
  readonly shownRows: number;
  /** Settles when the rows stand so, or rejects and leaves them as they were. A later call ends an earlier one. */
  arrange(arrangement: Arrangement, options?: WorkOptions): Promise<void>;
  find(step: FindStep, options: WorkOptions): Promise<Found>;
  summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary>;
  /** In pieces, at the speed of who reads them. */
  text(request: TextRequest, options: WorkOptions): AsyncIterable<Uint8Array>;
  writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void>;
  /** One cell, whole, however long it is. */
  cell(row: number, column: number): Promise<TaggedValue>;
}
