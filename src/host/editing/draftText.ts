import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';

/** Sentences about the draft of a table: edits that come from another window, or go to one. */

export const draftFaultText = (thrown: unknown): string =>
  vscode.l10n.t('The edits could not be stored for a restart: {0}', messageOf(thrown));

/** The window that saved was killed. */
export const interruptedText = (): string =>
  vscode.l10n.t(
    'The last save was interrupted. It is unknown whether the changes were saved. Choose Check Outcome; nothing is saved twice.',
  );

/** Another window keeps the draft, for example while it saves. */
export const editedElsewhereText = (table: string): string =>
  vscode.l10n.t(
    "Another window has unsaved changes of '{0}' and does not give them. Save or discard them there, and edit again.",
    table,
  );

export const handedOverText = (): string =>
  vscode.l10n.t('The changes that were not saved have moved to another window, which shows this table.');
