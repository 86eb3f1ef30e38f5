import * as vscode from 'vscode';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { settings } from '../names.ts';
import { confirm, showInformation, showWarning, withoutLinks } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import type { ActiveRuns } from './activeRuns.ts';
import { durationOf } from '../documents/durations.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { StatementCall, StatementRunner } from './statementRunner.ts';
import { firstWords } from './statementWords.ts';

export interface ScriptParts {
  readonly runner: StatementRunner;
  readonly marks: RunMarks;
  readonly active: ActiveRuns;
}

interface Tally {
  ran: number;
  failed: number;
  /** Given up, and perhaps done all the same. */
  stopped: number;
}

/** Runs statements one after another, and says in the end how many of them did. */
export async function runScript(calls: readonly StatementCall[], parts: ScriptParts): Promise<void> {
  const [first] = calls;
  if (!first) return;
  const startedAt = performance.now();
  const tally: Tally = { ran: 0, failed: 0, stopped: 0 };
  const title = withoutLinks(vscode.l10n.t('Running a script in {0}', first.profile.name));
  const location = vscode.ProgressLocation.Notification;
  try {
    await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
      await runAll(calls, { ...parts, tally, progress, token });
    });
  } finally {
    // Those whose turn did not come have nothing to show.
    for (const { document, mark } of calls) if (mark.state.kind === 'waiting') parts.marks.remove(document, mark);
  }
  void summarize(tally, calls.length, performance.now() - startedAt);
}

interface ScriptWork extends ScriptParts {
  readonly tally: Tally;
  readonly progress: vscode.Progress<{ message?: string; increment?: number }>;
  readonly token: vscode.CancellationToken;
}

async function runAll(
  calls: readonly StatementCall[],
  { runner, active, tally, progress, token }: ScriptWork,
): Promise<void> {
  let given = false;
  let current: StatementRun | undefined;
  const giveUp = (): void => {
    given = true;
    current?.cancel();
  };
  const onStart = (run: StatementRun): void => {
    current = run;
    if (given) run.cancel();
  };
  const [first] = calls;
  // Its own way out ends the script alone: what else runs from the document may be a write.
  const listeners = [token.onCancellationRequested(giveUp), first?.document && active.add(first.document, giveUp)];
  try {
    for (const [index, call] of calls.entries()) {
      const message = vscode.l10n.t(
        '{0} of {1}: {2}',
        counted(index + 1),
        counted(calls.length),
        firstWords(call.statement.sql),
      );
      progress.report({ message: withoutLinks(message), increment: index === 0 ? 0 : 100 / calls.length });
      const { state, error } = await runner.run({ ...call, onStart });
      if (state === 'failed') tally.failed++;
      else if (state === 'cancelled') tally.stopped++;
      else tally.ran++;
      if (given || state === 'cancelled') return;
      const left = calls.length - 1 - index;
      if (state === 'failed' && left > 0 && !(await goesOn(call, error, left))) return;
    }
  } finally {
    for (const listener of listeners) listener?.dispose();
  }
}

/** What to do about a fault: the setting says, or the user, in a dialog that the script waits for. */
async function goesOn({ statement, document }: StatementCall, error: unknown, left: number): Promise<boolean> {
  const choice = vscode.workspace.getConfiguration(undefined, document).get<string>(settings.onFault);
  if (choice === 'stop' || choice === 'continue') return choice === 'continue';
  const question = vscode.l10n.t('A statement of the script failed. Run the rest of it?');
  const detail = [
    firstWords(statement.sql),
    errorMessage(error),
    vscode.l10n.t('Statements left: {0}', counted(left)),
  ].join('\n\n');
  return confirm(question, detail, vscode.l10n.t('Go On'));
}

async function summarize({ ran, failed, stopped }: Tally, all: number, elapsedMs: number): Promise<void> {
  const time = durationOf(elapsedMs);
  if (ran === all) {
    await showInformation(vscode.l10n.t('All {0} statements ran in {1}.', counted(all), time));
    return;
  }
  const parts = [
    vscode.l10n.t('{0} of {1} statements ran in {2}.', counted(ran), counted(all), time),
    failed > 0 ? vscode.l10n.t('Failed: {0}.', counted(failed)) : '',
    stopped > 0 ? vscode.l10n.t('Given up: {0}.', counted(stopped)) : '',
    ran + failed + stopped < all ? vscode.l10n.t('Not run: {0}.', counted(all - ran - failed - stopped)) : '',
  ];
  await showWarning(parts.filter(part => part !== '').join(' '));
}

const counted = (count: number): string => count.toLocaleString(vscode.env.language);
