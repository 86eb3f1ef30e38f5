import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import { intervalRowCount, intervalsOf } from '../../model/browsing/rowIntervals.ts';
import type { TextRequest } from '../../model/results/rowQueries.ts';
import type { Run } from '../../model/results/run.ts';
import type { ParamsOf } from '../../protocol/bridge.ts';
import type { resultMethods } from '../../protocol/gridBridge.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import { copiedBlobs } from './gridSettings.ts';
import { type Result, tableOf } from './result.ts';
import { numberText } from '../numbers.ts';

type CopyCall = ParamsOf<typeof resultMethods.copy>;

/** Other programs take seconds to paste more, or fail. An export has no limit. */
const maxBytes = 64 * 1024 * 1024;
const messageMs = 5000;

/** Copies cells to the clipboard, including rows that the page has not loaded. The status bar says how many. */
export async function copyRows(result: Result, call: CopyCall, signal: AbortSignal): Promise<void> {
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
    if (size > maxBytes) {
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
