import { misuse } from '../../base/errors.ts';
import type { Comparison, ComparisonSummary } from '../../protocol/results.ts';
import { type ComparisonPlan, planComparison } from './comparison.ts';
import type { SpoolQueries } from './queries/spoolQueries.ts';
import type { Run } from './run.ts';
import { type SpooledRunParts, StatementRun } from './statementRun.ts';

/** Rows that are compared. */
export interface ComparedRun {
  readonly run: Run & { readonly queries: SpoolQueries };
  /** Whether the run reads a table for the comparison, which starts it, and disposes it at its end. */
  readonly isTable: boolean;
  /** The columns from this one on have the letters of storage classes. */
  readonly letterColumn: number | undefined;
}

interface ComparisonParts extends SpooledRunParts {
  readonly sources: readonly [before: ComparedRun, after: ComparedRun];
  /** The names of the columns that identify a row. Empty to compare whole rows. */
  readonly key: readonly string[];
}

type Progress = Pick<Comparison, 'readRows' | 'share' | 'changes' | 'summary'>;

/** A run whose rows are the differences of two others, and how far it is. */
export function compareRuns({ sources, key, ...parts }: ComparisonParts): {
  readonly run: StatementRun;
  readonly progress: () => Progress;
} {
  const [before, after] = sources;
  const tables = sources.filter(({ isTable }) => isTable).map(source => source.run);
  let plan: ComparisonPlan | undefined;
  let share = 0;
  let summary: ComparisonSummary | undefined;
  const close = async (): Promise<void> => {
    for (const table of tables) await table.dispose();
  };
  const run = new StatementRun({
    ...parts,
    send: async ({ signal, onProgress }) => {
      try {
        for (const table of tables) await readAll(table, signal, onProgress);
      } catch (thrown) {
        await close();
        throw thrown;
      }
      plan = planComparison(columnsOf(before), columnsOf(after), key);
      const request = { plan, letterColumns: [before.letterColumn, after.letterColumn] as const };
      const differences = before.run.queries.compare(after.run.queries, request, {
        signal,
        onProgress: done => {
          share = done;
          onProgress();
        },
      });
      return {
        columns: plan.shown,
        rawBatches: async function* () {
          summary = yield* differences;
        },
        close,
      };
    },
  });
  const progress = (): Progress => {
    if (!plan) return { changes: [], readRows: tables.reduce((sum, { rowCount }) => sum + rowCount, 0) };
    return { changes: plan.changes, ...(summary ? { summary } : { share }) };
  };
  return { run, progress };
}

const columnsOf = ({ run: { columns }, letterColumn }: ComparedRun) => columns.slice(0, letterColumn);

/** Reads all rows of a table. A part of them compares with nothing, so a pause ends the reading. */
async function readAll(table: Run, signal: AbortSignal, onProgress: () => void): Promise<void> {
  const cancel = (): void => table.controls?.cancel();
  const listener = table.onChange(() => {
    if (table.controls?.pause) cancel();
    onProgress();
  });
  signal.addEventListener('abort', cancel);
  try {
    await table.start();
  } finally {
    listener.dispose();
    signal.removeEventListener('abort', cancel);
  }
  signal.throwIfAborted();
  if (table.state === 'limited')
    throw misuse('results_disk_full', 'The disk space for the rows of results is used up.');
  if (table.state !== 'done') throw table.error;
}
