import * as vscode from 'vscode';
import type { SqlAnswer } from '../../client/index.ts';
import { Save } from '../../model/editing/save.ts';
import type { SaveStep } from '../../model/editing/draft.ts';
import { doneSteps, markConflicts, problemOfOutcome, runSave, type SaveEditsOptions, settleStep } from './saveEdits.ts';
import { countsOfSteps } from './editPrompts.ts';

/**
 * Finds out whether a save without an answer was done. Its last statement is sent again with its key, so the service does it
 * once. Later statements are not sent: their edits become pending again.
 */
export async function checkOutcome(options: SaveEditsOptions): Promise<void> {
  const { document, prompts } = options;
  await document.whileSaving(async () => {
    const { unfinishedSave } = document;
    if (!unfinishedSave) return;
    const checking = document.reportSave(async () => {
      const { problem, message } = await check(new Save(unfinishedSave), options);
      if (message !== undefined) prompts.showOutcome(message);
      return problem;
    });
    // The document shows what went wrong.
    await checking.catch(() => undefined);
  });
}

interface OutcomeReport {
  /** Why something is not saved. */
  readonly problem?: string;
  readonly message?: string;
}

async function check(save: Save, options: SaveEditsOptions): Promise<OutcomeReport> {
  const answers: SqlAnswer[] = [];
  const outcome = await runSave(save, options, { onlySent: true, onAnswer: answer => answers.push(answer) });
  switch (outcome.kind) {
    case 'saved':
    case 'notSent':
      await options.document.clearSave();
      return { message: doneText(save, answers, outcome.kind === 'saved') };
    case 'stale':
      return { problem: (await markConflicts(outcome.step, options)) ?? pendingAgain() };
    case 'expired':
      return askTheUser(outcome.step, options);
    default:
      return { problem: await problemOfOutcome(outcome, doneSteps(save), options) };
  }
}

/** Only a replayed answer proves that the work was done before. */
function doneText(save: Save, answers: readonly SqlAnswer[], isAll: boolean): string {
  const done = doneSteps(save);
  const counts = countsOfSteps(done, true) || vscode.l10n.t('none of the edits yet');
  const saved = answers.every(({ replayed }) => replayed)
    ? vscode.l10n.t('The last save had been done: {0}.', counts)
    : vscode.l10n.t('The last save is done: {0}.', counts);
  return isAll ? saved : `${saved} ${othersPending()}`;
}

const othersPending = (): string => vscode.l10n.t('The other changes are pending. Choose Save Changes to send them.');

const pendingAgain = (): string =>
  vscode.l10n.t('The last save was not done. Its changes are pending. Choose Save Changes to send them.');

/** The service no longer remembers the key. The user decides, since the service could do the statement twice. */
async function askTheUser(step: SaveStep, { document, prompts }: SaveEditsOptions): Promise<OutcomeReport> {
  const choice = await prompts.askAboutExpired(document);
  if (choice === 'cancel') return { problem: vscode.l10n.t('The outcome of the last save is unknown.') };
  // Later statements were never sent, so their edits stay.
  if (choice === 'discard') settleStep(document, step, step.rowIds);
  await document.clearSave();
  return choice === 'keep' || document.editing.edits.isEmpty ? {} : { message: othersPending() };
}
