import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { WorkOptions } from '../../model/results/rowQueries.ts';
import type { CellRange, ExportFormat } from '../../protocol/rowQueries.ts';
import { signalOf } from '../progress.ts';
import { showError, showInformation, withoutLinks } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import { exportFormatOf, type ExportOptions, exportQuestions } from './exportQuestions.ts';
import { notRenamed, writeFile } from './exportFile.ts';
import { type Result, tableOf } from './result.ts';

export interface ExportManner {
  /** Those that are shown, in their order; all unless set. */
  readonly columns?: readonly number[] | undefined;
  /** Called when all prompts are closed. */
  readonly restoreFocus?: (() => unknown) | undefined;
}

/** Asks how and where, and writes all rows that are shown into a file. */
export async function exportRows(result: Result, { columns, restoreFocus }: ExportManner = {}): Promise<void> {
  const { run } = result;
  const options = await exportQuestions(result);
  const file = options && (await whereTo(result, options.format));
  await restoreFocus?.();
  if (!options || !file) return;
  const ranges = [{ firstRow: 0, endRow: run.queries.shownRows, columns: columns ?? [...run.columns.keys()] }];
  let rows = ranges[0]!.endRow;
  const onCounted = (count: number): void => void (rows = count);
  const title = withoutLinks(vscode.l10n.t('Exporting to {0}', nameOf(file)));
  const location = vscode.ProgressLocation.Notification;
  const outcome = await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const work = { signal: signalOf(token), onProgress: percentOf(progress), onCounted };
    try {
      await writeFile(file, path => write({ result, options, ranges, path, work }), work.signal);
      return 'done';
    } catch (thrown) {
      if (work.signal.aborted) return 'cancelled';
      void showError(faultOf(thrown));
      return 'failed';
    }
  });
  if (outcome === 'done') await offerToOpen(file, options.format, rows);
}

const faultOf = (thrown: unknown): string =>
  asProjectError(thrown)?.code === notRenamed
    ? errorMessage(thrown)
    : vscode.l10n.t('The export did not finish, and no file was left: {0}', errorMessage(thrown));

interface Writing {
  readonly result: Result;
  readonly options: ExportOptions;
  readonly ranges: readonly CellRange[];
  readonly path: string;
  readonly work: WorkOptions;
}

/** Gives what the file shall hold, unless the file was written already. */
function write({ result, options, ranges, path, work }: Writing): AsyncIterable<Uint8Array> | Promise<void> {
  const { queries } = result.run;
  const table = tableOf(result);
  const { format, headers, guardFormulas } = options;
  if (format === 'sqlite') return queries.writeSqliteFile({ file: path, table, ranges, whole: true }, work);
  return queries.text({ format, ranges, whole: true, headers, guardFormulas, table }, work);
}

async function whereTo({ subject }: Result, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const { extension, name } = exportFormatOf(format);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const base = (subject.title ?? subject.profile.name).replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'rows';
  return vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${base}.${extension}`) } : {}),
    filters: { [name]: [extension] },
    title: vscode.l10n.t('Export Rows'),
  });
}

function percentOf(progress: vscode.Progress<{ message: string; increment: number }>): (done: number) => void {
  let told = 0;
  return done => {
    const percent = Math.floor(done * 100);
    if (percent <= told) return;
    progress.report({ message: `${percent} %`, increment: percent - told });
    told = percent;
  };
}

async function offerToOpen(file: vscode.Uri, format: ExportFormat, rows: number): Promise<void> {
  const open = vscode.l10n.t('Open');
  const message = vscode.l10n.t('Exported rows to {0}: {1}.', nameOf(file), rows.toLocaleString(vscode.env.language));
  // A database is nothing that an editor shows.
  const buttons = format === 'sqlite' ? [] : [open];
  if ((await showInformation(message, ...buttons)) === open) await vscode.commands.executeCommand('vscode.open', file);
}

const nameOf = (file: vscode.Uri): string => file.path.slice(file.path.lastIndexOf('/') + 1);
