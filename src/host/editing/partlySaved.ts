import * as vscode from 'vscode';
import { shortList } from '../../base/oneLine.ts';
import type { SaveStep } from '../../model/editing/draft.ts';
import type { ChangedCell, StoredRows } from '../../model/editing/storedRows.ts';
import { keyLabel, rowName } from './editText.ts';
import type { TableDocument } from './tableDocument.ts';

const maxShownRows = 10;

/** Names the rows that a statement has stored, and those that the database has left as they were. */
export function partlyText(
  step: SaveStep,
  { storedIds, ignoredIds, keys }: StoredRows,
  { editing }: TableDocument,
): string {
  const { edits } = editing;
  const storedRows = shortList(
    storedIds.map(id => keyLabel(keys.get(id) ?? [])),
    maxShownRows,
    '; ',
  );
  const ignoredRows = shortList(
    ignoredIds.map(id => {
      const row = edits.get(id);
      return row ? rowName(row, edits) : '';
    }),
    maxShownRows,
    '; ',
  );
  const counts = [storedIds.length, step.rowIds.length, storedRows, ignoredRows] as const;
  const text = textOfKind(step.kind, counts);
  return `${text} ${vscode.l10n.t('A trigger may have ignored them. Their edits are pending.')}`;
}

function textOfKind(kind: SaveStep['kind'], counts: readonly [number, number, string, string]): string {
  switch (kind) {
    case 'delete':
      return vscode.l10n.t('{0} of {1} rows were deleted ({2}). The database has kept the others ({3}).', ...counts);
    case 'insert':
      return vscode.l10n.t('{0} of {1} rows were added ({2}). The database has left the others out ({3}).', ...counts);
    case 'update':
      return vscode.l10n.t(
        '{0} of {1} rows were updated ({2}). The database has left the others as they were ({3}).',
        ...counts,
      );
  }
}

export function changedCellsText(cells: readonly ChangedCell[]): string {
  const names = cells.slice(0, maxShownRows + 1).map(({ key, column }) => `${keyLabel(key)} · ${column}`);
  return vscode.l10n.t(
    'The table has other values than were saved in these cells: {0}. A trigger may have changed them. Refresh the table to see them.',
    shortList(names, maxShownRows, '; '),
  );
}

/** Marks edits of columns and keys that the table no longer has, and says what to do. Undefined without any. */
export async function markUnknown({ editing, problems }: TableDocument): Promise<string | undefined> {
  const cells = await editing.unknownCells();
  const [first] = cells;
  if (!first) return undefined;
  problems.replace(cells);
  return first.column === undefined
    ? vscode.l10n.t(
        'The table has another key than the one its rows were edited by. Nothing was saved. Discard the changes and edit the table again.',
      )
    : vscode.l10n.t(
        "The table no longer has a column '{0}'. Nothing was saved. Revert the marked rows, and edit them again.",
        first.column,
      );
}
