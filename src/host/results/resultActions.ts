import { assertNever } from '../../base/assertNever.ts';
import type { ResultAction } from '../../protocol/results.ts';
import { goToStatement } from './goToStatement.ts';
import type { KeptResult } from './keptResult.ts';
import type { Run } from '../../model/results/run.ts';

/** What happens to a result beyond the page that shows it. */
export interface ResultKeeper {
  pin(result: KeptResult, isPinned: boolean): void;
  openInEditor(result: KeptResult): void;
  rename(result: KeptResult, asked?: () => unknown): Promise<void>;
}

/** What can be done with a result as it is now; `place` is where it is shown. */
export function actionsOf(result: KeptResult, place: 'panel' | 'editor'): ResultAction[] {
  const { run, subject, isPinned } = result;
  const canBeAsked = subject.rerun !== undefined && run.writeOutcome === 'unknown';
  return [
    ...decisionsOn(run),
    ...offered('check', canBeAsked),
    ...offered('goTo', subject.origin !== undefined),
    ...offered('rerun', subject.rerun !== undefined && !result.isUnderWay && !canBeAsked),
    ...offered('export', run.columns.length > 0),
    ...(place === 'panel' ? ([isPinned ? 'unpin' : 'pin', 'openInEditor'] as const) : (['rename'] as const)),
  ];
}

/** What can be decided about rows that arrive, or shall. */
export function decisionsOn({ state, controls }: Pick<Run, 'state' | 'controls'>): ResultAction[] {
  if (state === 'paused') return ['proceed', 'stopHere'];
  if (state !== 'running' || !controls) return [];
  return controls.wait ? ['giveUp'] : ['enough'];
}

const offered = (action: ResultAction, is: boolean): ResultAction[] => (is ? [action] : []);

/** `comeBack` brings the focus back to where it was asked for, once that has asked all that it wants to know. */
export async function act(
  action: ResultAction,
  result: KeptResult,
  { keeper, comeBack }: { keeper: ResultKeeper; comeBack?: (() => unknown) | undefined },
): Promise<void> {
  const { run, subject } = result;
  const { controls } = run;
  switch (action) {
    case 'enough':
    case 'stopHere':
      return controls?.cancel();
    case 'proceed':
      return controls?.pause?.resume();
    case 'giveUp':
      return controls?.wait?.cancel();
    case 'check':
      return void subject.rerun?.(result, run.writeKey);
    case 'rerun':
      // The page is not to wait until the statement has ended.
      return void subject.rerun?.(result);
    case 'goTo':
      return goToStatement(subject);
    case 'export': {
      const { exportRows } = await import('./exportRows.ts');
      return exportRows(result, { asked: comeBack });
    }
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
      return void keeper.rename(result, comeBack);
    default:
      return assertNever(action);
  }
}
