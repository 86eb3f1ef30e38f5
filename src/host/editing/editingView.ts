import * as vscode from 'vscode';
import type { ReadOnlyReason } from '../../model/catalog/editableTable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { EditableColumnView, EditingView } from '../../protocol/browsing.ts';
import type { Column } from '../../wire/values.ts';
import type { TableDocument } from './tableDocument.ts';

const readOnlyTexts: Readonly<Record<ReadOnlyReason, () => string>> = {
  view: () => vscode.l10n.t('A view is read-only. Edit the tables that it reads.'),
  virtualTable: () => vscode.l10n.t('A virtual table is read-only here. Change it with statements.'),
  noIdentity: () => vscode.l10n.t('The table has no key that distinguishes its rows, so they are read-only.'),
  unknownSchema: () => vscode.l10n.t('The service does not show the schema of this table, so its rows are read-only.'),
};

/** Why no cell of a table can be edited. Undefined if it can. */
export function readOnlyText(reason: ReadOnlyReason | undefined, { name, protection }: Profile): string | undefined {
  if (protection === 'readOnly') return vscode.l10n.t("'{0}' is read-only.", name);
  return reason && readOnlyTexts[reason]();
}

export function editingView(
  document: TableDocument,
  columns: readonly Column[],
  readOnly: string | undefined,
): EditingView {
  const { editing, isSaving, isOutcomeUnknown, problem, problems } = document;
  const { updated, deleted, inserted } = editing.edits.counts;
  return {
    ...(readOnly !== undefined && { readOnly }),
    columns: columns.map(({ name }) => columnView(document, name)),
    version: editingVersion(document),
    updated,
    deleted,
    inserted,
    ...(isSaving && { isSaving }),
    ...(isOutcomeUnknown && { isOutcomeUnknown }),
    ...(problem !== undefined && { problem }),
    problems: problems.all.length,
  };
}

/** Changes with everything that the rows show: edits, problems, and the ids that the schema gives them. */
export const editingVersion = ({ editing, overlay, problems }: TableDocument): number =>
  overlay.version + problems.version + (editing.table ? 1 : 0);

function columnView({ editing }: TableDocument, name: string): EditableColumnView | null {
  const column = editing.columnOf(name);
  if (!column) return null;
  const { isGenerated, notNull, defaultValue } = column;
  const references = editing.foreignKeyOf(name);
  return {
    isGenerated,
    canBeNull: !notNull && editing.table?.rowIdColumn !== name,
    needsValue: !isGenerated && editing.faultOf(name, { kind: 'default' }) !== undefined,
    ...(defaultValue !== null && { defaultValue }),
    ...(references && { references: references.table }),
  };
}
