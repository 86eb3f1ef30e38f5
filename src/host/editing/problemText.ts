import * as vscode from 'vscode';
import type { CellFault, CellProblem } from '../../model/editing/cellProblems.ts';
import { conflictTexts } from './editText.ts';
import type { ValueFault } from '../../model/editing/valueChecks.ts';

export function problemText({ column, fault, isGuess }: CellProblem): string {
  const text = textOfFault(fault, column ?? '');
  return isGuess ? vscode.l10n.t('Perhaps because of this value: {0}', text) : text;
}

function textOfFault(fault: CellFault, column: string): string {
  switch (fault.kind) {
    case 'value':
      return faultText(fault.fault, column);
    case 'check':
      return vscode.l10n.t('The CHECK constraint forbids it: {0}', fault.constraint);
    case 'unique':
      return fault.columns.length === 1
        ? vscode.l10n.t("Another row has the same value in '{0}', which must be unique.", fault.columns[0]!)
        : vscode.l10n.t("Another row has the same values in '{0}', which must be unique.", fault.columns.join("', '"));
    case 'noParent':
      return vscode.l10n.t("'{0}' has no row with this key. Press F4 to choose one.", fault.table);
    case 'hasChildren':
      return vscode.l10n.t("Rows of '{0}' refer to this row.", fault.table);
    case 'wrongType':
      return fault.stored === ''
        ? vscode.l10n.t("'{0}' takes the type {1} only.", column, fault.declared)
        : vscode.l10n.t("'{0}' takes the type {1}, not {2}.", column, fault.declared, fault.stored);
    case 'conflict': {
      const { before, now, yours } = conflictTexts(fault);
      return vscode.l10n.t(
        'Changed in the table since you edited it. Before: {0} · In the table now: {1} · Yours: {2}',
        before,
        now,
        yours,
      );
    }
    case 'missingRow':
      return vscode.l10n.t('The row is no longer in the table.');
    case 'unknownColumn':
      return vscode.l10n.t("The table no longer has a column '{0}'.", fault.column);
    case 'notEntered':
      return vscode.l10n.t('This text was typed and not taken. Press F2 and Enter to take it, or Escape to drop it.');
    case 'otherKey':
      return vscode.l10n.t('The table has another key now. Discard the edits of this row and make them again.');
    case 'ignored':
      return vscode.l10n.t('The database has not stored this change. A trigger may have ignored it.');
    case 'message':
      return fault.message;
  }
}

const valueFaultTexts: Readonly<Record<ValueFault, (column: string) => string>> = {
  generated: column => vscode.l10n.t("'{0}' is computed by the database.", column),
  notNull: column => vscode.l10n.t("'{0}' cannot be NULL.", column),
  noDefault: column => vscode.l10n.t("'{0}' needs a value: it has no default and cannot be NULL.", column),
  notInteger: column =>
    vscode.l10n.t("'{0}' takes an integer of 64 bits. Press Ctrl+Space to enter another type.", column),
  notReal: column => vscode.l10n.t("'{0}' takes a number. Press Ctrl+Space to enter another type.", column),
  notText: column => vscode.l10n.t("'{0}' takes text of valid characters.", column),
  notBlob: column => vscode.l10n.t("'{0}' takes bytes, such as x'00ff'.", column),
};

export const faultText = (fault: ValueFault, column: string): string => valueFaultTexts[fault](column);
