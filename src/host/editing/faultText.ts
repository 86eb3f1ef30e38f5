import * as vscode from 'vscode';
import type { ValueFault } from '../../model/editing/valueChecks.ts';

/** Why a column cannot have a value, for people. */
export function faultText(fault: ValueFault, column: string): string {
  switch (fault) {
    case 'generated':
      return vscode.l10n.t("'{0}' is computed by the database.", column);
    case 'notNull':
      return vscode.l10n.t("'{0}' cannot be NULL.", column);
    case 'noDefault':
      return vscode.l10n.t("'{0}' needs a value: it has no default and cannot be NULL.", column);
    case 'notInteger':
      return vscode.l10n.t("'{0}' takes an integer of 64 bits. Press Ctrl+Space to enter another type.", column);
    case 'notReal':
      return vscode.l10n.t("'{0}' takes a number. Press Ctrl+Space to enter another type.", column);
    case 'notText':
      return vscode.l10n.t("'{0}' takes text of valid characters.", column);
    case 'notBlob':
      return vscode.l10n.t("'{0}' takes bytes, such as x'00ff'.", column);
  }
}
