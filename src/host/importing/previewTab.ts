import * as vscode from 'vscode';
import type { Preview } from '../../model/importing/preview.ts';
import { type SourceValue, type SourceRow, sqlOf } from '../../model/importing/sourceRow.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import { reasonText } from './importTexts.ts';
import { numberText } from '../numbers.ts';

export interface PreviewTabParts {
  readonly results: Pick<ResultsView, 'show'>;
  readonly scratch: ScratchFolder;
  readonly rowsThread: () => Promise<RowsThread>;
}

/** Shows the first rows of a file as a tab among the results. A row that cannot be read shows why, in its first column. */
export async function showPreview(
  { results, scratch, rowsThread }: PreviewTabParts,
  { columns, rows, isComplete }: Preview,
  { name, profile }: { readonly name: string; readonly profile: Profile },
): Promise<void> {
  if (columns.length === 0) return;
  const { ScriptLog } = await import('../../model/results/scriptLog.ts');
  const log = await ScriptLog.create({
    columns: columns.map(column => ({ name: column, type: '' })),
    folder: await scratch.path(),
    thread: await rowsThread(),
    cancel: () => undefined,
  });
  for (const row of rows) log.append(shownValues(row), 0);
  await log.end('done');
  const title = isComplete
    ? vscode.l10n.t('Preview of {0}', name)
    : vscode.l10n.t('Preview of {0} (first {1})', name, numberText(rows.length));
  await results.show(log, { profile, statement: '', title });
}

const shownValues = ({ cells, fault }: SourceRow): (string | number | null)[] =>
  fault ? [`⚠ ${reasonText(fault)}`] : cells.map(shownValue);

function shownValue(cell: SourceValue): string | number | null {
  if (typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? sqlOf(cell) : cell;
}
