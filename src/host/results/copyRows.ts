import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { QueriedRows } from '../../model/results/rowsRun.ts';
import type { CellRange, CopyFormat } from '../../wire/rowQueries.ts';
import { type Result, tableOf } from './result.ts';

export interface CopyRequest {
  readonly result: Result;
  readonly queries: QueriedRows;
  readonly format: CopyFormat;
  readonly ranges: readonly CellRange[];
  readonly headers: boolean;
  readonly signal: AbortSignal;
}

/** More than any program takes well that it is pasted into. Files take all. */
const mostBytes = 64 * 1024 * 1024;

/** Puts cells on the clipboard as text, also those that the page never held. */
export async function copyRows({ result, queries, format, ranges, headers, signal }: CopyRequest): Promise<void> {
  const request = { format, ranges, headers, guardFormulas: false, table: tableOf(result) };
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of queries.text(request, { signal })) {
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
