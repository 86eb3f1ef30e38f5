import type { StatementRun } from '../../model/results/statementRun.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { ActiveRuns } from './activeRuns.ts';
import type { StatementCall } from './statementRunner.ts';
import type { vscodeScriptPrompts } from './vscodeScriptPrompts.ts';

/** The action when a statement of a script fails. */
export type FaultPolicy = 'ask' | 'stop' | 'continue';

export interface ScriptProgress {
  /** Aborted when the user cancels the script. */
  readonly signal: AbortSignal;
  /** `number` counts from 1. */
  readonly showStatement: (number: number, totalCount: number, sql: string) => void;
}

export interface ScriptFault extends Pick<StatementCall, 'document' | 'mark'> {
  readonly sql: string;
  readonly error: unknown;
  readonly remainingCount: number;
}

export interface ScriptSummary {
  readonly totalCount: number;
  readonly succeededCount: number;
  readonly failedCount: number;
  /** The service may have run cancelled statements nevertheless. */
  readonly cancelledCount: number;
  /** Without the time in which the script waits for the user. */
  readonly elapsedMs: number;
}

export type ScriptPrompts = typeof vscodeScriptPrompts;

interface ScriptParts {
  readonly runStatement: (call: StatementCall) => Promise<Pick<StatementRun, 'state' | 'error' | 'elapsedMs'>>;
  readonly marks: Pick<RunMarks, 'remove'>;
  readonly active: Pick<ActiveRuns, 'add'>;
  readonly prompts: ScriptPrompts;
}

/** Runs statements one after another and shows a summary in the end. */
export async function runScript(calls: readonly StatementCall[], parts: ScriptParts): Promise<void> {
  const { prompts, marks } = parts;
  const [first] = calls;
  if (!first) return;
  const counts = { succeededCount: 0, failedCount: 0, cancelledCount: 0, elapsedMs: 0 };
  try {
    await prompts.withScriptProgress(first.profile, progress => runInOrder(calls, parts, progress, counts));
  } finally {
    // A statement that was not run keeps no mark.
    for (const { document, mark } of calls) if (mark.state.kind === 'waiting') marks.remove(document, mark);
  }
  prompts.showSummary({ ...counts, totalCount: calls.length });
}

async function runInOrder(
  calls: readonly StatementCall[],
  { runStatement, active, prompts }: ScriptParts,
  { signal, showStatement }: ScriptProgress,
  counts: { succeededCount: number; failedCount: number; cancelledCount: number; elapsedMs: number },
): Promise<void> {
  let isCancelled = false;
  const cancelled = Promise.withResolvers<false>();
  let currentRun: Pick<StatementRun, 'cancel'> | undefined;
  const cancel = (): void => {
    isCancelled = true;
    cancelled.resolve(false);
    currentRun?.cancel();
  };
  const onStart = (run: Pick<StatementRun, 'cancel'>): void => {
    currentRun = run;
    if (isCancelled) run.cancel();
  };
  const document = calls[0]?.document;
  const activeScript = document && active.add(document, cancel);
  // Cancelling the progress ends this script alone: another run of the document may be a write.
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    for (const [index, call] of calls.entries()) {
      if (isCancelled) return;
      const { sql } = call.statement;
      showStatement(index + 1, calls.length, sql);
      const { state, error, elapsedMs } = await runStatement({ ...call, onStart });
      counts.elapsedMs += elapsedMs;
      if (state === 'failed') counts.failedCount++;
      else if (state === 'cancelled') counts.cancelledCount++;
      else counts.succeededCount++;
      if (isCancelled || state === 'cancelled') return;
      const remainingCount = calls.length - 1 - index;
      if (state !== 'failed' || remainingCount === 0) continue;
      const { mark } = call;
      const fault: ScriptFault = { sql, error, remainingCount, document, mark };
      // The question stays after the script is cancelled. Then no answer counts.
      if (!(await Promise.race([cancelled.promise, continues(fault, prompts)]))) return;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    activeScript?.dispose();
  }
}

async function continues(fault: ScriptFault, prompts: ScriptPrompts): Promise<boolean> {
  const policy = prompts.faultPolicy(fault.document);
  return policy === 'ask' ? prompts.confirmContinue(fault) : policy === 'continue';
}
