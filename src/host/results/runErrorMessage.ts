import * as vscode from 'vscode';
import { readableError } from '../../sql/errors/readableError.ts';
import { errorMessage } from '../errorMessages.ts';

/** Says why a statement failed. `suggestion` is the name that an unknown one most likely means. */
export function runErrorMessage(error: unknown, suggestion?: string): string {
  const message = readableError(errorMessage(error));
  return suggestion === undefined ? message : vscode.l10n.t("{0}. Did you mean '{1}'?", message, suggestion);
}
