import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { asProjectError, messageOf, ProjectError } from '../../base/errors.ts';
import { intervalRowCount, intervalsOf } from '../../model/browsing/rowIntervals.ts';
import type { SqliteFileRequest, WorkOptions } from '../../model/results/rowQueries.ts';
import type { CellRange, ExportFormat } from '../../protocol/rowQueries.ts';
import { oneLine, shortList } from '../../base/oneLine.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, showInformation } from '../notifications.ts';
import { type NotifiedProgress, withNotification } from '../progress.ts';
import { type ExportMemory, type ExportOptions, lastOptions, rememberOptions } from './exportOptions.ts';
import { type ExportChoice, promptForFiles, promptForOptions } from './exportPrompts.ts';
import { type FileContent, type WriteContent, writeLocalFile, writePrivatePart } from './localFile.ts';
import { type Result, tableOf } from './result.ts';
import { numberText } from '../numbers.ts';
import { partName, ScratchFolder } from './scratchFolder.ts';

export interface ExportRowsOptions {
  /** The columns to export, in their order; all unless set. */
  readonly columns?: readonly number[] | undefined;
  /** The selected cells, if more than one is selected. */
  readonly selection?: readonly CellRange[] | undefined;
  /** Called when all prompts are closed. */
  readonly restoreFocus?: (() => unknown) | undefined;
}

export type ExportRows = (result: Result, options?: ExportRowsOptions) => Promise<void>;

/** Asks what to export and where, and writes the file. The memory has the options of the last export. */
export async function exportRows(
  memory: ExportMemory,
  result: Result,
  { columns, selection = [], restoreFocus }: ExportRowsOptions = {},
): Promise<void> {
  const { run } = result;
  const { orderVersion } = run.queries;
  const selectedRows = intervalRowCount(intervalsOf(selection));
  const title = result.title ?? result.subject.table ?? result.subject.profile.name;
  const choice = await promptForOptions(title, lastOptions(memory), run, selectedRows);
  const [file] = (choice && (await promptForFiles([title], choice.format))) ?? [];
  await restoreFocus?.();
  if (!choice || !file) return;
  const { scope, ...options } = choice;
  await rememberOptions(memory, options);
  if (scope === 'selection' && run.queries.orderVersion !== orderVersion) {
    void showError(vscode.l10n.t('The order of the rows has changed. Select them again.'));
    return;
  }
  const part = partOf(result, scope, { columns, selection });
  const written = await withNotification(exportingTitle(basename(file.path)), async (progress, signal) => {
    try {
      return await writeRows(result, options, part, file, { signal, onProgress: percentReporter(progress) });
    } catch (thrown) {
      if (!signal.aborted) void showError(failureMessage(thrown));
      return undefined;
    }
  });
  if (written) await offerToOpen(file, writtenText(basename(file.path), written), options.format);
}

interface ExportedPart extends Pick<SqliteFileRequest, 'ranges' | 'unfiltered' | 'allRows'> {
  readonly rowCount: number;
}

function partOf(
  { run }: Result,
  scope: ExportChoice['scope'],
  { columns, selection }: Pick<ExportRowsOptions, 'columns'> & { readonly selection: readonly CellRange[] },
): ExportedPart {
  if (scope === 'selection') return { ranges: selection, rowCount: intervalRowCount(intervalsOf(selection)) };
  const rowCount = scope === 'all' ? run.rowCount : run.queries.shownRows;
  const range: CellRange = { firstRow: 0, endRow: rowCount, columns: columns ?? [...run.columns.keys()] };
  return { ranges: [range], rowCount, allRows: true, ...(scope === 'all' && { unfiltered: true }) };
}

/** The outcome of an export, for the message about it. */
export interface WrittenRows {
  readonly rowCount: number;
  /** The columns of a Parquet file that are texts, because their values have several types. */
  readonly mixedColumns: readonly string[];
}

/** Writes rows into a file. It rejects if that fails or is cancelled, and leaves no incomplete file. */
export async function writeRows(
  result: Result,
  options: ExportOptions,
  { rowCount: expectedCount, ...part }: ExportedPart,
  file: vscode.Uri,
  work: WorkOptions,
): Promise<WrittenRows> {
  let rowCount = expectedCount;
  let mixedColumns: readonly string[] = [];
  const reported: WorkOptions = {
    ...work,
    onCounted: count => void (rowCount = count),
    onMixedColumns: names => void (mixedColumns = names),
  };
  const contentAt: WriteContent = (path, mode) => contentOf(result, options, part, { file: path, mode }, reported);
  await writeFile(file, contentAt, work.signal);
  return { rowCount, mixedColumns };
}

export const exportingTitle = (name: string): string => vscode.l10n.t('Exporting to {0}', name);

function contentOf(
  result: Result,
  { format, ...options }: ExportOptions,
  part: Omit<ExportedPart, 'rowCount'>,
  newFile: Pick<SqliteFileRequest, 'file' | 'mode'>,
  work: WorkOptions,
): FileContent {
  const { queries } = result.run;
  const rows = { ...part, table: tableOf(result) };
  if (format === 'sqlite') return queries.writeSqliteFile({ ...rows, ...newFile }, work);
  const pieces = queries.text({ ...rows, ...options, format }, work);
  return format === 'xlsx' ? workbookOf(result, options.sqlSheet, pieces) : pieces;
}

async function* workbookOf(
  { title, subject: { statement } }: Result,
  hasSqlSheet: boolean,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { excelFile } = await import('../../model/results/excelFile/excelFile.ts');
  yield* excelFile(pieces, {
    sheetName: title ?? '',
    lastSheet: cutTexts => {
      const note = vscode.l10n.t('Excel allows 32,767 characters. Longer texts were cut: {0}', numberText(cutTexts));
      const lines = [...(cutTexts > 0 ? [note] : []), ...(hasSqlSheet ? statement.split('\n') : [])];
      return lines.length === 0 ? undefined : { name: 'SQL', lines };
    },
  });
}

const failureMessage = (thrown: unknown): string =>
  asProjectError(thrown)?.code === notRenamed
    ? errorMessage(thrown)
    : vscode.l10n.t('The export failed, and its file was removed: {0}', errorMessage(thrown));

function percentReporter(progress: NotifiedProgress): (share: number) => void {
  let reported = 0;
  return share => {
    const percent = Math.floor(share * 100);
    if (percent <= reported) return;
    progress.report({ message: `${percent} %`, increment: percent - reported });
    reported = percent;
  };
}

export function writtenText(name: string, { rowCount, mixedColumns }: WrittenRows): string {
  const message =
    rowCount === 1
      ? vscode.l10n.t('Exported 1 row to {0}.', name)
      : vscode.l10n.t('Exported {0} rows to {1}.', numberText(rowCount), name);
  return `${message}${mixedNote(mixedColumns)}`;
}

/** Offers to open one file of this format, and to show where it is. */
export async function offerToOpen(file: vscode.Uri, message: string, format?: ExportFormat): Promise<void> {
  const open = vscode.l10n.t('Open');
  const reveal = vscode.l10n.t('Reveal');
  const revealCommand = revealCommandOf(file);
  const buttons = [
    ...(format === undefined || binaryFormats.has(format) ? [] : [open]),
    ...(revealCommand === undefined ? [] : [reveal]),
  ];
  const chosen = await showInformation(message, ...buttons);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', file);
  if (chosen === reveal && revealCommand !== undefined) await vscode.commands.executeCommand(revealCommand, file);
}

/** No editor shows such files. */
const binaryFormats: ReadonlySet<ExportFormat> = new Set(['sqlite', 'xlsx', 'parquet']);
const maxNamed = 10;
const maxNameLength = 40;

/** Begins with a blank. Empty if no column became a text. */
export function mixedNote(names: readonly string[]): string {
  if (names.length === 0) return '';
  const listed = names.map(name => oneLine(name, maxNameLength));
  return ` ${vscode.l10n.t('These columns have values of several types, so all are texts: {0}.', shortList(listed, maxNamed))}`;
}

/** A browser has no file manager, so the Explorer shows files of the workspace. */
function revealCommandOf(file: vscode.Uri): string | undefined {
  if (vscode.env.uiKind === vscode.UIKind.Desktop && file.scheme === 'file') return 'revealFileInOS';
  return vscode.workspace.getWorkspaceFolder(file) ? 'revealInExplorer' : undefined;
}

/** The code of an error: all rows are in the part file, which could not be renamed. */
export const notRenamed = 'export_not_named';

/** Writes or replaces a file. A failure leaves no incomplete file. */
export async function writeFile(file: vscode.Uri, contentAt: WriteContent, signal: AbortSignal): Promise<void> {
  if (file.scheme === 'file') await writeLocalFile(file.fsPath, contentAt, signal);
  else await writeVirtualFile(file, contentAt, signal, vscode.workspace.fs);
}

export type VirtualFiles = Pick<vscode.FileSystem, 'copy' | 'delete' | 'rename'>;

/** A virtual file system needs a complete local file to copy. */
export async function writeVirtualFile(
  file: vscode.Uri,
  contentAt: WriteContent,
  signal: AbortSignal,
  files: VirtualFiles,
): Promise<void> {
  const scratch = new ScratchFolder();
  const name = partName(basename(file.path));
  const part = vscode.Uri.joinPath(file, '..', name);
  try {
    const local = join(await scratch.path(), name);
    await writePrivatePart(local, contentAt, signal);
    await files.copy(vscode.Uri.file(local), part);
    signal.throwIfAborted();
  } catch (thrown) {
    await files.delete(part).then(undefined, () => undefined);
    throw thrown;
  } finally {
    await scratch.remove();
  }
  await renamePart(part, file, files);
}

/** Keeps the part on a failure. VS Code deletes the old file before it renames the part, so the part may hold the only rows. */
async function renamePart(part: vscode.Uri, file: vscode.Uri, files: VirtualFiles): Promise<void> {
  try {
    await files.rename(part, file, { overwrite: true });
  } catch (cause) {
    const reason = messageOf(cause);
    const message = vscode.l10n.t('The rows are in {0}. It could not be renamed: {1}', basename(part.path), reason);
    throw new ProjectError('misuse', notRenamed, message, { cause });
  }
}
