import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import { countRows, intervalsOf } from '../../model/browsing/rowIntervals.ts';
import type { CellRange, CopyFormat } from '../../protocol/rowQueries.ts';
import { type Result, tableOf } from './result.ts';

export interface CopyRequest {
  readonly result: Result;
  readonly format: CopyFormat;
  readonly ranges: readonly CellRange[];
  readonly headers: boolean;
  readonly signal: AbortSignal;
}

/** More than any program takes well that it is pasted into. Files take all. */
const mostBytes = 64 * 1024 * 1024;
const messageMs = 5000;

/** Puts cells on the clipboard as text, also those that the page never held, and says so. */
export async function copyRows(copied: CopyRequest): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  const title = vscode.l10n.t('Copying rows…');
  const sentence = copiedMessage(copied);
  await vscode.window.withProgress({ location, title }, () => putOnClipboard(copied));
  vscode.window.setStatusBarMessage(sentence, messageMs);
}

async function putOnClipboard({ result, format, ranges, headers, signal }: CopyRequest): Promise<void> {
  const request = { format, ranges, headers, guardFormulas: false, table: tableOf(result) };
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of result.run.queries.text(request, { signal })) {
    size += piece.byteLength;
    if (size > mostBytes) {
      const sentence = vscode.l10n.t('This is more than the clipboard takes well. Export takes any number of rows.');
      throw new ProjectError('misuse', 'too_much_to_copy', sentence);
    }
    pieces.push(piece);
  }
  signal.throwIfAborted();
  await vscode.env.clipboard.writeText(Buffer.concat(pieces).toString('utf8'));
}

/** How much it is, and whether it is all: nobody shall take the rows that have come for those that there are. */
function copiedMessage({ result: { run }, ranges }: CopyRequest): string {
  const { shownRows } = run.queries;
  const there = ranges
    .map(range => ({ ...range, endRow: Math.min(range.endRow, shownRows) }))
    .filter(({ firstRow, endRow }) => firstRow < endRow);
  const cells = there.reduce((sum, { firstRow, endRow, columns }) => sum + (endRow - firstRow) * columns.length, 0);
  if (cells === 1) return vscode.l10n.t('Copied 1 cell.');
  const rows = countRows(intervalsOf(there));
  const [cellCount, rowCount] = [cells, rows].map(count => count.toLocaleString(vscode.env.language)) as [
    string,
    string,
  ];
  if (rows === 1) return vscode.l10n.t('Copied {0} cells of 1 row.', cellCount);
  return rows === shownRows && run.state !== 'done'
    ? vscode.l10n.t('Copied {0} cells of the {1} rows that have come; there may be more.', cellCount, rowCount)
    : vscode.l10n.t('Copied {0} cells of {1} rows.', cellCount, rowCount);
}
