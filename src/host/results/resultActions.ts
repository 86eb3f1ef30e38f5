import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { boundScript } from '../../model/boundSql.ts';
import { textOfPlan } from '../../model/queryPlan.ts';
import type { Run } from '../../model/results/run.ts';
import type { ResultAction } from '../../protocol/results.ts';
import type { ExportRows } from './exportRows.ts';
import { goToStatement } from './goToStatement.ts';
import type { OpenResults } from './openResults.ts';
import type { ResultSubject } from './result.ts';
import type { ResultTab } from './resultTab.ts';
import { runProblem } from './runProblem.ts';

export type TabActions = Pick<OpenResults, 'pin' | 'openInEditor' | 'moveToPanel' | 'rename'>;

export function actionsOf(result: ResultTab, place: 'panel' | 'editor'): ResultAction[] {
  const { run, subject, isPinned } = result;
  const placing: readonly ResultAction[] =
    place === 'panel' ? [isPinned ? 'unpin' : 'pin', 'openInEditor'] : ['moveToPanel', 'rename'];
  if (subject.plan) return [...planActions(subject), ...placing];
  const canCheck = subject.rerun !== undefined && run.writeOutcome === 'unknown';
  return [
    ...decisionsOn(run),
    ...offered('checkOutcome', canCheck),
    ...offered('copySql', subject.link?.leadsTo === 'groupedRows' && subject.rerun !== undefined),
    ...offered('goToStatement', subject.origin !== undefined),
    ...offered('goToError', subject.origin !== undefined && runProblem(result)?.range !== undefined),
    ...offered('rerun', subject.rerun !== undefined && !result.isUnderWay && !canCheck),
    ...offered('export', run.columns.length > 0),
    ...placing,
  ];
}

const planActions = ({ origin, rerun }: ResultSubject): ResultAction[] => [
  'copyPlan',
  ...offered('rerun', rerun !== undefined),
  ...offered('goToStatement', origin !== undefined),
];

export function decisionsOn({ state, controls }: Pick<Run, 'state' | 'controls'>): ResultAction[] {
  if (state === 'paused') return ['resume', 'finish'];
  if (state !== 'running' || !controls) return [];
  return controls.wait ? ['cancelWait'] : ['cancel'];
}

const offered = (action: ResultAction, isOffered: boolean): ResultAction[] => (isOffered ? [action] : []);

export interface ActOptions {
  readonly tabActions: TabActions;
  readonly exportRows: ExportRows;
  /** Called when all prompts of the action are closed. */
  readonly restoreFocus?: (() => unknown) | undefined;
}

export async function act(
  action: ResultAction,
  result: ResultTab,
  { tabActions, exportRows, restoreFocus }: ActOptions,
): Promise<void> {
  const { run, subject } = result;
  const { controls } = run;
  // Commands of the palette do not know that a plan has no rows.
  if (subject.plan && action === 'export') return;
  switch (action) {
    case 'cancel':
    case 'finish':
      return controls?.cancel();
    case 'resume':
      return controls?.pause?.resume();
    case 'cancelWait':
      return controls?.wait?.cancel();
    case 'checkOutcome':
      return void subject.rerun?.(result, run.writeKey);
    case 'rerun':
      // Do not await it: the page's call must not last until the statement has ended.
      return void subject.rerun?.(result);
    case 'copyPlan':
      return vscode.env.clipboard.writeText(textOfPlan(subject.plan ?? []));
    case 'copySql':
      return vscode.env.clipboard.writeText(boundScript({ sql: subject.statement, params: subject.params ?? [] }));
    case 'goToStatement':
      return goToStatement(subject);
    case 'goToError':
      return goToStatement(subject, runProblem(result)?.range);
    case 'export':
      return exportRows(result, { restoreFocus });
    // Offered for browsed tables only.
    case 'setKey':
    case 'importRows':
    case 'issueKey':
    case 'editProject':
    case 'retry':
      return;
    case 'pin':
    case 'unpin':
      return tabActions.pin(result, action === 'pin');
    case 'openInEditor':
      return tabActions.openInEditor(result);
    case 'moveToPanel':
      return tabActions.moveToPanel(result);
    case 'rename':
      return void tabActions.rename(result, restoreFocus);
    default:
      return assertNever(action);
  }
}
