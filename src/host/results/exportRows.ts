import { basename } from 'node:path';
import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { SqliteFileRequest, WorkOptions } from '../../model/results/rowQueries.ts';
import type { CellRange, ExportFormat } from '../../protocol/rowQueries.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, showInformation, withoutLinks } from '../notifications.ts';
import { signalOf } from '../progress.ts';
import { notRenamed, writeFile } from './exportFile.ts';
import { type ExportOptions, promptForFile, promptForOptions } from './exportPrompts.ts';
import type { FileContent } from './localFile.ts';
import { type Result, tableOf } from './result.ts';

export interface ExportRowsOptions {
  /** The columns to export, in their order; all unless set. */
  readonly columns?: readonly number[] | undefined;
  /** Called when all prompts are closed. */
  readonly restoreFocus?: (() => unknown) | undefined;
}

/** Asks for a format and a file, and writes all rows that are shown. */
export async function exportRows(result: Result, { columns, restoreFocus }: ExportRowsOptions = {}): Promise<void> {
  const options = await promptForOptions(result);
  const file = options && (await promptForFile(result, options.format));
  await restoreFocus?.();
  if (!options || !file) return;
  const { run } = result;
  const range: CellRange = {
    firstRow: 0,
    endRow: run.queries.shownRows,
    columns: columns ?? [...run.columns.keys()],
  };
  const rowCount = await writeWithProgress(result, options, range, file);
  if (rowCount !== undefined) await offerToOpen(file, options.format, rowCount);
}

/** Gives the number of rows, or undefined when the export was cancelled or failed. */
async function writeWithProgress(
  result: Result,
  options: ExportOptions,
  range: CellRange,
  file: vscode.Uri,
): Promise<number | undefined> {
  const progressOptions: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: withoutLinks(vscode.l10n.t('Exporting to {0}', basename(file.path))),
    cancellable: true,
  };
  return vscode.window.withProgress(progressOptions, async (progress, token) => {
    let rowCount = range.endRow;
    const signal = signalOf(token);
    const work: WorkOptions = {
      signal,
      onProgress: percentReporter(progress),
      onCounted: count => void (rowCount = count),
    };
    try {
      await writeFile(file, (path, mode) => contentOf(result, options, range, { file: path, mode }, work), signal);
      return rowCount;
    } catch (thrown) {
      if (!signal.aborted) void showError(failureMessage(thrown));
      return undefined;
    }
  });
}

function contentOf(
  result: Result,
  { format, headers, guardFormulas }: ExportOptions,
  range: CellRange,
  newFile: Pick<SqliteFileRequest, 'file' | 'mode'>,
  work: WorkOptions,
): FileContent {
  const { queries } = result.run;
  const rows = { ranges: [range], whole: true, table: tableOf(result) };
  if (format === 'sqlite') return queries.writeSqliteFile({ ...rows, ...newFile }, work);
  return queries.text({ ...rows, format, headers, guardFormulas }, work);
}

const failureMessage = (thrown: unknown): string =>
  asProjectError(thrown)?.code === notRenamed
    ? errorMessage(thrown)
    : vscode.l10n.t('The export did not finish, and no file was left: {0}', errorMessage(thrown));

function percentReporter(progress: vscode.Progress<{ message: string; increment: number }>): (share: number) => void {
  let reported = 0;
  return share => {
    const percent = Math.floor(share * 100);
    if (percent <= reported) return;
    progress.report({ message: `${percent} %`, increment: percent - reported });
    reported = percent;
  };
}

async function offerToOpen(file: vscode.Uri, format: ExportFormat, rowCount: number): Promise<void> {
  const open = vscode.l10n.t('Open');
  const count = rowCount.toLocaleString(vscode.env.language);
  const message = vscode.l10n.t('Exported rows to {0}: {1}.', basename(file.path), count);
  // No editor shows a database.
  const buttons = format === 'sqlite' ? [] : [open];
  if ((await showInformation(message, ...buttons)) === open) await vscode.commands.executeCommand('vscode.open', file);
}
