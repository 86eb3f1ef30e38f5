import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { ActiveRuns } from './activeRuns.ts';
import type { StatementCall } from './statementRunner.ts';

/** The action when a statement of a script fails. */
export type FaultPolicy = 'ask' | 'stop' | 'continue';

export interface ScriptProgress {
  /** Aborted when the user cancels the script. */
  readonly signal: AbortSignal;
  /** `number` counts from 1. */
  readonly showStatement: (number: number, totalCount: number, sql: string) => void;
}

export interface ScriptFault {
  readonly sql: string;
  readonly error: unknown;
  readonly remainingCount: number;
}

export interface ScriptSummary {
  readonly totalCount: number;
  readonly succeededCount: number;
  readonly failedCount: number;
  /** Cancelled statements, which the service may have done all the same. */
  readonly cancelledCount: number;
  readonly elapsedMs: number;
}

/** Everything that a script shows or asks while it runs. */
export interface ScriptPrompts {
  /** Shows progress until `run` settles. */
  withScriptProgress(profile: Profile, run: (progress: ScriptProgress) => Promise<void>): Promise<void>;
  faultPolicy(document: vscode.TextDocument | undefined): FaultPolicy;
  confirmContinue(fault: ScriptFault): Promise<boolean>;
  showSummary(summary: ScriptSummary): void;
}

export interface ScriptParts {
  readonly runStatement: (call: StatementCall) => Promise<Pick<StatementRun, 'state' | 'error'>>;
  readonly marks: Pick<RunMarks, 'remove'>;
  readonly active: Pick<ActiveRuns, 'add'>;
  readonly prompts: ScriptPrompts;
  readonly clock: Clock;
}

/** Runs statements one after another and shows a summary in the end. */
export async function runScript(calls: readonly StatementCall[], parts: ScriptParts): Promise<void> {
  const { prompts, marks, clock } = parts;
  const [first] = calls;
  if (!first) return;
  const startedAt = clock.now();
  const counts = { succeededCount: 0, failedCount: 0, cancelledCount: 0 };
  try {
    await prompts.withScriptProgress(first.profile, progress => runInOrder(calls, parts, progress, counts));
  } finally {
    // A statement that was not run keeps no mark.
    for (const { document, mark } of calls) if (mark.state.kind === 'waiting') marks.remove(document, mark);
  }
  prompts.showSummary({ ...counts, totalCount: calls.length, elapsedMs: clock.now() - startedAt });
}

async function runInOrder(
  calls: readonly StatementCall[],
  { runStatement, active, prompts }: ScriptParts,
  { signal, showStatement }: ScriptProgress,
  counts: { succeededCount: number; failedCount: number; cancelledCount: number },
): Promise<void> {
  let isCancelled = false;
  let currentRun: Pick<StatementRun, 'cancel'> | undefined;
  const cancel = (): void => {
    isCancelled = true;
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
      const { state, error } = await runStatement({ ...call, onStart });
      if (state === 'failed') counts.failedCount++;
      else if (state === 'cancelled') counts.cancelledCount++;
      else counts.succeededCount++;
      if (isCancelled || state === 'cancelled') return;
      const remainingCount = calls.length - 1 - index;
      if (state !== 'failed' || remainingCount === 0) continue;
      if (!(await continues({ sql, error, remainingCount }, call.document, prompts))) return;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    activeScript?.dispose();
  }
}

async function continues(
  fault: ScriptFault,
  document: vscode.TextDocument | undefined,
  prompts: ScriptPrompts,
): Promise<boolean> {
  const policy = prompts.faultPolicy(document);
  return policy === 'ask' ? prompts.confirmContinue(fault) : policy === 'continue';
}
