import { asProjectError } from '../../base/errors.ts';
import { cutText } from '../../base/oneLine.ts';
import { maxShownColumns, type ResultAction, type ResultView } from '../../protocol/results.ts';
import type { TabView } from '../../protocol/resultTabs.ts';
import type { Column } from '../../wire/values.ts';
import { errorMessage } from '../errorMessages.ts';
import type { ResultTab } from './resultTab.ts';
import type { Result } from './result.ts';

/** A tab shows the statement in its tooltip, which need not be longer. */
const maxTabStatementLength = 2000;
/** The names and types of all columns go to the page with every change of the result. */
const maxColumnTextLength = 300;

/** A result as its page sees it. */
export function viewOf({ id, run, subject }: Result, actions: readonly ResultAction[]): ResultView {
  const { profile, statement, browsing, lacksValues } = subject;
  const { queries, controls, state, columns } = run;
  return {
    runId: id,
    project: profile.name,
    protection: profile.protection,
    color: profile.color,
    statement,
    state,
    columns: columns.slice(0, maxShownColumns).map(cutColumn),
    allColumns: columns.length > maxShownColumns ? columns.length : undefined,
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
    ...(lacksValues && { lacksValues }),
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

const cutColumn = ({ name, type }: Column): Column => ({
  name: cutText(name, maxColumnTextLength),
  type: cutText(type, maxColumnTextLength),
});
