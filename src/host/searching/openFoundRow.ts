import * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import { type FoundCell, placeOfRow, type SearchRequest } from '../../model/searching/searchStatement.ts';
import { tagValue, textOf } from '../../protocol/shownValues.ts';
import { equalTo } from '../browsing/referencedRow.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import { showInformation } from '../notifications.ts';

interface OpenRowParts {
  readonly project: Pick<Project, 'query'>;
  readonly tables: TableEditors;
}

/** Opens a table at the row that a search found, with the found cell active. */
export async function openFoundRow(
  { project, tables }: OpenRowParts,
  profile: Profile,
  cell: FoundCell,
  { kind, text }: SearchRequest,
): Promise<void> {
  const row = cell.isRowId ? await placeOfRow(project, cell) : 0;
  if (row === undefined) return void showInformation(vscode.l10n.t('This row no longer exists. Search again.'));
  const values = cell.isRowId ? [] : cell.key.map(({ column, value }) => ({ column, text: textOf(tagValue(value)) }));
  const hasKey = cell.key.length > 0;
  await tables.openShown(profile, cell.table, {
    // Without a key, show all rows whose column has the value.
    columns: hasKey ? values.map(({ column }) => column) : [cell.column],
    arrangement: hasKey ? equalTo(values) : { sort: [], filters: [{ kind, column: 0, text }] },
    place: { row, column: cell.columnIndex },
  });
}
