import { asProjectError } from '../../base/errors.ts';
import type { ResultAction, ResultView } from '../../protocol/results.ts';
import type { TabView } from '../../protocol/resultTabs.ts';
import { errorMessage } from '../errorMessages.ts';
import type { ResultTab } from './resultTab.ts';
import type { Result } from './result.ts';

/** What a page is told of a result. */
export function viewOf({ id, run, subject }: Result, actions: readonly ResultAction[]): ResultView {
  const { profile, statement } = subject;
  const { queries, controls } = run;
  return {
    ...{ runId: id, project: profile.name, protection: profile.protection, color: profile.color, statement },
    state: run.state,
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
    problem: run.state === 'failed' ? errorMessage(run.error) : undefined,
    code: run.state === 'failed' ? asProjectError(run.error)?.code : undefined,
    pausedBy: controls?.pause?.reason,
    waitsMs: controls?.wait?.remainingMs,
    outcome: run.writeOutcome,
    actions,
    ...(subject.browsing && { browsing: subject.browsing() }),
  };
}

export function tabOf({ id, title, isPinned, run, subject: { profile, statement } }: ResultTab): TabView {
  return {
    ...{ runId: id, title, statement: statement.slice(0, 2000), isPinned },
    ...{ project: profile.name, color: profile.color, protection: profile.protection },
    state: run.state,
    // Who failed before the first row, or gives none, has no count to tell of.
    rowCount: run.changedRows === undefined && (run.state !== 'failed' || run.rowCount > 0) ? run.rowCount : undefined,
  };
}
