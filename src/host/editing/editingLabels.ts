import * as vscode from 'vscode';
import type { EditingLabels } from '../../protocol/labels.ts';

/** The texts for editing the rows of a table. */
export function editingLabels(): EditingLabels {
  return {
    edit: vscode.l10n.t('Edit'),
    editCell: vscode.l10n.t('Edit {0}'),
    editorHelp: vscode.l10n.t(
      'Enter and Tab take the value, Shift+Enter adds a line, Ctrl+Space changes the type, Escape cancels.',
    ),
    setNull: vscode.l10n.t('Set NULL'),
    setEmpty: vscode.l10n.t('Set Empty Text'),
    setDefault: vscode.l10n.t('Set Default'),
    loadFile: vscode.l10n.t('Load File…'),
    pickReference: vscode.l10n.t('Choose Row of {0}…'),
    fillDown: vscode.l10n.t('Fill Down'),
    revertCells: vscode.l10n.t('Revert'),
    addRow: vscode.l10n.t('Add Row'),
    duplicateRows: vscode.l10n.t('Duplicate Rows'),
    deleteRows: vscode.l10n.t('Delete Rows'),
    save: vscode.l10n.t('Save Changes'),
    review: vscode.l10n.t('Review Changes'),
    discard: vscode.l10n.t('Discard Changes'),
    saving: vscode.l10n.t('Saving…'),
    outcomeUnknown: vscode.l10n.t('Outcome unknown'),
    checkOutcome: vscode.l10n.t('Check Outcome'),
    problems: vscode.l10n.t('{0} problems'),
    oneProblem: vscode.l10n.t('1 problem'),
    nextProblem: vscode.l10n.t('Next Problem'),
    previousProblem: vscode.l10n.t('Previous Problem'),
    updated: vscode.l10n.t('{0} rows updated'),
    oneUpdated: vscode.l10n.t('1 row updated'),
    deleted: vscode.l10n.t('{0} rows deleted'),
    oneDeleted: vscode.l10n.t('1 row deleted'),
    inserted: vscode.l10n.t('{0} rows added'),
    oneInserted: vscode.l10n.t('1 row added'),
    editedCell: vscode.l10n.t('edited cell'),
    deletedRow: vscode.l10n.t('This row is deleted when you save.'),
    newRow: vscode.l10n.t('This row is added when you save.'),
    default: vscode.l10n.t('default'),
    'kind.integer': vscode.l10n.t('integer'),
    'kind.real': vscode.l10n.t('real'),
    'kind.text': vscode.l10n.t('text'),
    'kind.blob': vscode.l10n.t('BLOB'),
  };
}
