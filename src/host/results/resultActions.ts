import { assertNever } from '../../base/assertNever.ts';
import { queriesOf } from '../../model/results/queriesOf.ts';
import { statementRunOf } from '../../model/results/statementRunOf.ts';
import type { ResultAction } from '../../protocol/results.ts';
import { exportRows } from './exportRows.ts';
import { goToStatement } from './goToStatement.ts';
import type { KeptResult } from './keptResult.ts';
import type { ResultSubject } from './result.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';

/** What happens to a result beyond the page that shows it. */
export interface ResultKeeper {
  show(run: RowsRun, subject: ResultSubject): Promise<void>;
  pin(result: KeptResult, isPinned: boolean): void;
  openInEditor(result: KeptResult): void;
  rename(result: KeptResult): Promise<void>;
}

/** What can be done with a result as it is now; `place` is where it is shown. */
export function actionsOf(result: KeptResult, place: 'panel' | 'editor'): ResultAction[] {
  const { run, subject, isPinned } = result;
  const controls = statementRunOf(run);
  const isUnknown = controls?.isOutcomeUnknown === true;
  return [
    ...decisionsOn(run.phase, controls?.waitsMs),
    ...offered('check', isUnknown),
    ...offered('goTo', subject.origin !== undefined),
    ...offered('rerun', subject.rerun !== undefined && !result.isUnderWay && !isUnknown),
    ...offered('export', queriesOf(run) !== undefined && run.columns.length > 0),
    ...(place === 'panel' ? ([isPinned ? 'unpin' : 'pin', 'openInEditor'] as const) : (['rename'] as const)),
  ];
}

/** What can be decided about rows that arrive, or shall. */
export function decisionsOn(phase: RowsRun['phase'], waitsMs: number | undefined): ResultAction[] {
  if (phase === 'paused') return ['proceed', 'stopHere'];
  if (phase !== 'running') return [];
  return waitsMs === undefined ? ['enough'] : ['giveUp'];
}

const offered = (action: ResultAction, is: boolean): ResultAction[] => (is ? [action] : []);

export async function act(action: ResultAction, result: KeptResult, keeper: ResultKeeper): Promise<void> {
  const { run, subject } = result;
  const controls = statementRunOf(run);
  switch (action) {
    case 'enough':
    case 'stopHere':
      return run.cancel();
    case 'proceed':
      return controls?.proceed();
    case 'giveUp':
      return controls?.giveUp();
    case 'check':
      // Whoever runs it again knows that its outcome is unknown, and uses its key.
      if (subject.rerun) return void subject.rerun(result);
      return controls && void keeper.show(controls.again(), subject);
    case 'rerun':
      // The page is not to wait until the statement has ended.
      return void subject.rerun?.(result);
    case 'goTo':
      return goToStatement(subject);
    case 'export':
      return exportRows(result);
    // What helps where rows of a table could not be had; a statement is run again.
    case 'setKey':
    case 'editProject':
    case 'tryAgain':
      return;
    case 'pin':
    case 'unpin':
      return keeper.pin(result, action === 'pin');
    case 'openInEditor':
      return keeper.openInEditor(result);
    case 'rename':
      return void keeper.rename(result);
    default:
      return assertNever(action);
  }
}
