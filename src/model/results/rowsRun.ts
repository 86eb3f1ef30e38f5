import type { Disposable } from '../../base/disposable.ts';
import type { Column, TaggedValue } from '../../wire/values.ts';

/** `more`: nothing is on its way, and there is more where the rows come from. */
export type RunPhase = 'running' | 'more' | 'done' | 'failed' | 'cancelled' | 'limited';

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
  /** Heard when rows arrived or the phase changed. */
  readonly onChange: (listener: () => void) => Disposable;
  /** Begins. Faults do not reject: they are the run's state. */
  run(): Promise<void>;
  rows(start: number, count: number): Promise<TaggedValue[][]>;
  cancel(): void;
  dispose(): Promise<void>;
}
