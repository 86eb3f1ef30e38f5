import { asProjectError } from '../../base/errors.ts';
import { queriesOf } from '../../model/results/queriesOf.ts';
import { statementRunOf } from '../../model/results/statementRunOf.ts';
import type { ResultAction, ResultView } from '../../protocol/results.ts';
import type { TabView } from '../../protocol/resultTabs.ts';
import { asTheyCame } from '../../protocol/rowQueries.ts';
import { errorMessage } from '../errorMessages.ts';
import type { KeptResult } from './keptResult.ts';
import type { Result } from './result.ts';

/** What a page is told of a result. */
export function viewOf({ id, run, subject }: Result, actions: readonly ResultAction[]): ResultView {
  const { profile, statement } = subject;
  const [queries, controls] = [queriesOf(run), statementRunOf(run)];
  return {
    ...{ runId: id, project: profile.name, protection: profile.protection, color: profile.color, statement },
    state: run.phase,
    columns: run.columns,
    rowCount: run.rowCount,
    shownRows: queries?.shownRows ?? run.rowCount,
    order: queries?.order ?? 0,
    arrangement: queries?.arrangement ?? asTheyCame,
    ...{ arranging: queries?.arranging, finding: queries?.finding },
    ...{ bytes: run.bytes, firstRowMs: run.firstRowMs },
    changed: run.changed,
    elapsedMs: run.elapsedMs,
    problem: run.phase === 'failed' ? errorMessage(run.error) : undefined,
    code: run.phase === 'failed' ? asProjectError(run.error)?.code : undefined,
    ...{ pausedBy: controls?.pausedBy, waitsMs: run.waitsMs, outcome: run.outcome },
    actions,
    ...(subject.browsing && { browsing: subject.browsing() }),
  };
}

export function tabOf({ id, title, isPinned, run, subject: { profile, statement } }: KeptResult): TabView {
  return {
    ...{ runId: id, title, statement: statement.slice(0, 2000), isPinned },
    ...{ project: profile.name, color: profile.color, protection: profile.protection },
    state: run.phase,
    // Who failed before the first row, or gives none, has no count to tell of.
    rowCount: run.changed === undefined && (run.phase !== 'failed' || run.rowCount > 0) ? run.rowCount : undefined,
  };
}
