import { cutText } from '../../base/oneLine.ts';
import type { ColumnKey } from '../../model/results/run.ts';
import {
  type GridColumn,
  maxShownColumns,
  type ProjectPartView,
  type ResultAction,
  type ResultView,
  type TabView,
} from '../../protocol/results.ts';
import { type Column, isReal, type SqlParameter } from '../../wire/values.ts';
import type { ResultTab } from './resultTab.ts';
import { showsColumnTypes, showsFilterRow } from './gridSettings.ts';
import type { Result } from './result.ts';
import { runProblem } from './runProblem.ts';

/** A tooltip shows the statement, so a part is enough. */
const maxTabStatementLength = 2000;
const maxTabValues = 20;
const maxTabValueLength = 60;
/** The names and types of all columns go to the page with every change of the result. */
const maxColumnTextLength = 300;

/** Where the columns of a script log lead. */
const logLinks: readonly GridColumn['leadsTo'][] = ['statement', undefined, 'error'];

export function resultViewOf(result: Result, actions: readonly ResultAction[]): ResultView {
  const { id, run, subject } = result;
  const { profile, statement, browsing, chartLine, comparison, lacksValues, link, log, plan, projects, search } =
    subject;
  const { queries, controls, state, columns } = run;
  const problem = runProblem(result);
  const parts = projects?.parts() ?? [];
  const linkOf = (column: number) => (column === link?.column ? link.leadsTo : log && logLinks[column]);
  return {
    runId: id,
    project: profile.name,
    protection: profile.protection,
    color: profile.color,
    statement,
    state,
    columns: columns
      .slice(0, maxShownColumns)
      .map((column, index) =>
        Object.assign(columnOf(column, run.keyOf?.(index), linkOf(index)), missingIn(parts, index)),
      ),
    allColumns: columns.length > maxShownColumns ? columns.length : undefined,
    rowCount: run.rowCount,
    shownRows: queries.shownRows,
    orderVersion: queries.orderVersion,
    arrangement: queries.arrangement,
    arranging: queries.arrangeProgress,
    finding: queries.findProgress,
    bytes: run.sizeBytes ?? 0,
    firstRowMs: run.firstRowMs,
    changedRows: run.changedRows,
    doneText: state === 'done' && run.changedRows !== undefined ? subject.doneText : undefined,
    elapsedMs: run.elapsedMs,
    problem: problem?.message,
    code: problem?.code,
    pausedBy: controls?.pause?.reason,
    waitsMs: controls?.wait?.remainingMs,
    outcome: run.writeOutcome,
    actions,
    ...(showsColumnTypes() && { showsTypes: true }),
    showsFilterRow: showsFilterRow(),
    ...(lacksValues && { lacksValues }),
    ...(chartLine !== undefined && { chartLine }),
    ...result.history,
    ...(browsing && { browsing: browsing() }),
    ...(comparison && { comparison: comparison() }),
    ...(search && { search: search() }),
    ...(plan && {
      plan,
      provenIndexes: subject.provenIndexes?.get() ?? [],
      unusedIndexes: subject.provenIndexes?.unused() ?? [],
    }),
    ...(projects && { projects: [...parts] }),
  };
}

function missingIn(parts: readonly ProjectPartView[], column: number): Pick<GridColumn, 'missingIn'> {
  const names = parts.flatMap(({ name, lacks }) => (lacks.includes(column) ? [name] : []));
  return names.length === 0 ? {} : { missingIn: cutText(names.join(', '), maxColumnTextLength) };
}

export function tabOf(tab: ResultTab): TabView {
  const { id, title, isPinned, isRenamed, startedAt, run } = tab;
  const { profile, statement, params = [], plan } = tab.subject;
  const hasRows = !plan && run.changedRows === undefined && (run.state !== 'failed' || run.rowCount > 0);
  return {
    runId: id,
    title,
    statement: cutText(statement, maxTabStatementLength),
    values: params.slice(0, maxTabValues).map(valueText),
    isPinned,
    isPlan: plan !== undefined,
    isRenamed,
    startedAt,
    project: profile.name,
    color: profile.color,
    protection: profile.protection,
    state: run.state,
    rowCount: hasRows ? run.rowCount : undefined,
  };
}

function columnOf({ name, type }: Column, key: ColumnKey | undefined, leadsTo: GridColumn['leadsTo']): GridColumn {
  const { isKey = false, references } = key ?? {};
  return {
    name: cutText(name, maxColumnTextLength),
    type: cutText(type, maxColumnTextLength),
    ...(isKey && { isKey }),
    ...(references && { references: cutText(references.table, maxColumnTextLength) }),
    ...(leadsTo && { leadsTo }),
  };
}

function valueText(value: SqlParameter): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${cutText(value, maxTabValueLength)}'`;
  return isReal(value) ? String(value.real) : String(value);
}
