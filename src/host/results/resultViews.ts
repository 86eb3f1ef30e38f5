import { asProjectError } from '../../base/errors.ts';
import type { ResultAction, ResultView } from '../../protocol/results.ts';
import type { TabView } from '../../protocol/resultTabs.ts';
import { errorMessage } from '../errorMessages.ts';
import type { ResultTab } from './resultTab.ts';
import type { Result } from './result.ts';

/** A tab shows the statement in its tooltip, which need not be longer. */
const maxTabStatementLength = 2000;

/** A result as its page sees it. */
export function viewOf({ id, run, subject }: Result, actions: readonly ResultAction[]): ResultView {
  const { profile, statement, browsing } = subject;
  const { queries, controls, state } = run;
  return {
    runId: id,
    project: profile.name,
    protection: profile.protection,
    color: profile.color,
    statement,
    state,
    columns: run.columns,
    rowCount: run.rowCount,
    shownRows: queries.shownRows,
    orderVersion: queries.orderVersion,
    arrangement: queries.arrangement,
    arranging: queries.arrangeProgress,
    finding: queries.findProgress,
    bytes: run.sizeBytes ?? 0,
    firstRowMs: run.firstRowMs,
    changed: run.changedRows,
    elapsedMs: run.elapsedMs,
    problem: state === 'failed' ? errorMessage(run.error) : undefined,
    code: state === 'failed' ? asProjectError(run.error)?.code : undefined,
    pausedBy: controls?.pause?.reason,
    waitsMs: controls?.wait?.remainingMs,
    outcome: run.writeOutcome,
    actions,
    ...(browsing && { browsing: browsing() }),
  };
}

export function tabOf({ id, title, isPinned, run, subject: { profile, statement } }: ResultTab): TabView {
  const hasRows = run.changedRows === undefined && (run.state !== 'failed' || run.rowCount > 0);
  return {
    runId: id,
    title,
    statement: statement.slice(0, maxTabStatementLength),
    isPinned,
    project: profile.name,
    color: profile.color,
    protection: profile.protection,
    state: run.state,
    rowCount: hasRows ? run.rowCount : undefined,
  };
}
