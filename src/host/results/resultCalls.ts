import * as vscode from 'vscode';
import { misuse, ProjectError } from '../../base/errors.ts';
import type { RowQueries, TextRequest } from '../../model/results/rowQueries.ts';
import type { Run } from '../../model/results/run.ts';
import { type ServedMethods, serveMethods, type ParamsOf } from '../../protocol/bridge.ts';
import type { BrowseState } from '../../protocol/browsing.ts';
import { resultMethods } from '../../protocol/gridBridge.ts';
import { maxShownColumns, type RowWindow } from '../../protocol/results.ts';
import { intervalRowCount, intervalsOf } from '../../model/browsing/rowIntervals.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import { commandId } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { numberText } from '../numbers.ts';
import { showFilterRow, copiedBlobs } from './gridSettings.ts';
import { promptForRow } from './promptForRow.ts';
import { goToStatement } from './goToStatement.ts';
import type { ResultPageOptions } from './resultPage.ts';
import { type GroupArgument, type LogLine, type Result, tableOf } from './result.ts';

interface ResultRef {
  readonly runId: string;
}

/** Answers the calls of a page about the result that it shows. */
export function resultCalls<R extends Result>(
  options: Pick<ResultPageOptions<R>, 'actions' | 'onFocus' | 'exportRows' | 'restoreFocus'>,
  shownResult: () => R | undefined,
  onReady: (browsing: BrowseState | undefined) => Promise<void>,
): ServedMethods<typeof resultMethods> {
  const { actions, onFocus, exportRows, restoreFocus } = options;
  const resultOf = ({ runId }: ResultRef): R => {
    const result = shownResult();
    if (result?.id === runId) return result;
    throw new ProjectError('misuse', 'no_such_result', vscode.l10n.t('This result is closed.'));
  };
  const queriesOf = (ref: ResultRef): RowQueries => resultOf(ref).run.queries;
  /** Refuses a call whose row numbers refer to another order than the rows have now. */
  const queriesInOrder = (ref: ResultRef & { readonly orderVersion: number }): RowQueries => {
    const queries = queriesOf(ref);
    if (ref.orderVersion === queries.orderVersion) return queries;
    throw staleOrder();
  };
  return serveMethods(resultMethods, {
    ready: ({ browsing }) => onReady(browsing),
    focused: () => onFocus?.(),
    rows: ref => readWindow(resultOf(ref), ref.start, ref.count),
    painted: ref => resultOf(ref).run.controls?.reportFirstPaint?.(),
    act: async ref => {
      const result = resultOf(ref);
      if (ref.project === undefined) await actions?.act(ref.action, result);
      // Do not await it: the page's call must not last until the statement has ended.
      else void result.subject.projects?.act?.(ref.action, ref.project);
    },
    arrange: (ref, signal) => queriesOf(ref).arrange(ref.arrangement, { signal }),
    find: (ref, signal) => queriesInOrder(ref).find(ref.step, { signal }),
    summarize: (ref, signal) => queriesInOrder(ref).summarize(ref.ranges, { signal }),
    values: (ref, signal) => queriesOf(ref).values(ref.query, { signal }),
    chart: (ref, signal) => {
      const queries = queriesOf(ref);
      if (queries.chart) return queries.chart(ref.query, { signal });
      throw misuse('no_chart', vscode.l10n.t('A browsed table has no chart. Run a statement on it.'));
    },
    saveChart: async ref => {
      const { saveChart } = await import('./saveChart.ts');
      await saveChart(resultOf(ref), ref.format, ref.content, restoreFocus);
    },
    cell: ref => queriesInOrder(ref).cell(ref.row, ref.column, ref.maxLength),
    follow: async ref => {
      queriesInOrder(ref);
      await resultOf(ref).subject.follow?.(ref.row, ref.column);
    },
    copy: (ref, signal) => {
      queriesInOrder(ref);
      return copyRows(resultOf(ref), ref, signal);
    },
    chooseColumns: async ref => {
      const chosen = await promptForColumns(resultOf(ref).run, ref.columns, ref.shown);
      await restoreFocus?.();
      return chosen ?? null;
    },
    showFilterRow: ref => showFilterRow(ref.shown),
    group: async ref => {
      const argument: GroupArgument = { result: resultOf(ref), column: ref.column };
      await vscode.commands.executeCommand(commandId('groupRows'), argument);
    },
    profile: (ref, signal) => queriesOf(ref).profile(ref.query, { signal }),
    promptForRow: async ref => {
      const { shownRows: rowCount } = queriesOf(ref);
      const row = await promptForRow(vscode.l10n.t('Go to Row'), rowCount, true);
      await restoreFocus?.();
      return row ?? null;
    },
    goToLine: async ref => {
      queriesInOrder(ref);
      const line = lineOf(resultOf(ref), ref.row);
      if (line) await goToStatement(line, ref.error ? line.errorRange : undefined);
    },
    goToPlanStep: async ref => {
      const { subject } = resultOf(ref);
      await goToStatement(subject, subject.plan?.[ref.index]?.place);
    },
    createIndex: async ref => {
      const result = resultOf(ref);
      const { provenIndexes, rerun } = result.subject;
      // Creating it may last longer than the call of a page should.
      void provenIndexes?.create(ref.index).then(isCreated => (isCreated ? rerun?.(result) : undefined));
    },
    export: async ref => {
      const result = resultOf(ref);
      if (ref.selection) queriesInOrder({ runId: ref.runId, orderVersion: ref.selection.orderVersion });
      await exportRows(result, {
        columns: ref.columns && withCutColumns(result.run, ref.columns),
        selection: ref.selection?.ranges,
        restoreFocus,
      });
    },
  });
}

export const staleOrder = (): Error =>
  misuse('stale_order', vscode.l10n.t('The order of the rows has changed. Select them again.'));

/** Adds the columns that the page cannot show, and so cannot hide. */
const withCutColumns = ({ columns }: Run, shown: readonly number[]): number[] => [
  ...shown,
  ...[...columns.keys()].slice(maxShownColumns),
];

/** If rows are arranged during the read, reads them again: all rows of a window have the order that it names. */
export async function readWindow(result: Result, start: number, count: number): Promise<RowWindow> {
  const { run, subject } = result;
  const { queries } = run;
  for (;;) {
    const { orderVersion } = queries;
    const rows = await run.rows(start, count);
    const edits = await subject.edits?.(start, rows.length);
    if (queries.orderVersion !== orderVersion) continue;
    const shown = subject.log ? rows.map((_, index) => start + index) : [];
    const errors = shown.filter(row => lineOf(result, row)?.errorRange !== undefined);
    return {
      orderVersion,
      start,
      rows,
      ...(errors.length > 0 && { errors }),
      ...edits,
    };
  }
}

/** The line of a script log, if its document is known. */
function lineOf({ run: { queries }, subject }: Result, row: number): LogLine | undefined {
  const line = subject.log?.[queries.sourceRow?.(row) ?? row];
  return line?.origin && line;
}

/** Asks which columns to show. Undefined when the user cancels or chooses none. */
async function promptForColumns(
  { columns }: Run,
  indexes: readonly number[],
  shownIndexes: readonly number[],
): Promise<number[] | undefined> {
  const items = indexes
    .filter(index => index < columns.length)
    .map(index => ({
      label: withoutIcons(columns[index]!.name),
      description: withoutIcons(columns[index]!.type),
      picked: shownIndexes.includes(index),
      index,
    }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Choose Columns'),
    placeHolder: vscode.l10n.t('Select at least one column'),
    canPickMany: true,
    matchOnDescription: true,
    // The prompt stays when the focus moves, so that restoring the focus cannot close it.
    ignoreFocusOut: true,
  });
  return chosen && chosen.length > 0 ? chosen.map(({ index }) => index) : undefined;
}

type CopyCall = ParamsOf<typeof resultMethods.copy>;

/** Other programs take seconds to paste more, or fail. An export has no limit. */
const maxCopiedBytes = 64 * 1024 * 1024;
const messageMs = 5000;

/** Copies cells to the clipboard, including rows that the page has not loaded. The status bar says how many. */
async function copyRows(result: Result, call: CopyCall, signal: AbortSignal): Promise<void> {
  const message = copiedMessage(result.run, call.ranges);
  const progressOptions: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Window,
    title: vscode.l10n.t('Copying rows…'),
  };
  await vscode.window.withProgress(progressOptions, () => writeToClipboard(result, call, signal));
  vscode.window.setStatusBarMessage(message, messageMs);
}

async function writeToClipboard(
  result: Result,
  { format, ranges, headers }: CopyCall,
  signal: AbortSignal,
): Promise<void> {
  const request: TextRequest = {
    format,
    ranges,
    headers,
    guardFormulas: false,
    blobs: copiedBlobs(),
    table: tableOf(result),
  };
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of result.run.queries.text(request, { signal })) {
    size += piece.byteLength;
    if (size > maxCopiedBytes) {
      const message = vscode.l10n.t('This is too much for the clipboard. Export the rows instead.');
      throw new ProjectError('misuse', 'too_much_to_copy', message);
    }
    pieces.push(piece);
  }
  signal.throwIfAborted();
  await vscode.env.clipboard.writeText(Buffer.concat(pieces).toString('utf8'));
}

/** Says if rows may still arrive, so that nobody takes a part for all rows. */
function copiedMessage(run: Run, ranges: readonly CellRange[]): string {
  const { shownRows } = run.queries;
  const existing = ranges
    .map(range => ({ ...range, endRow: Math.min(range.endRow, shownRows) }))
    .filter(({ firstRow, endRow }) => firstRow < endRow);
  const cells = existing.reduce((sum, { firstRow, endRow, columns }) => sum + (endRow - firstRow) * columns.length, 0);
  if (cells === 1) return vscode.l10n.t('Copied 1 cell.');
  const rows = intervalRowCount(intervalsOf(existing));
  if (rows === 1) return vscode.l10n.t('Copied {0} cells of 1 row.', numberText(cells));
  return rows === shownRows && run.state !== 'done'
    ? vscode.l10n.t('Copied {0} cells of the {1} rows loaded so far.', numberText(cells), numberText(rows))
    : vscode.l10n.t('Copied {0} cells of {1} rows.', numberText(cells), numberText(rows));
}
