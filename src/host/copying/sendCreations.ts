import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { sendStatements, type SequenceStop } from '../../model/results/statementSequence.ts';
import type { Clients } from '../connections/clients.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError } from '../notifications.ts';
import { withProgress } from '../progress.ts';

/** Creates a table with the first statement, and its indexes with the others. False if that failed or is unknown; a message says why. */
export async function sendCreations(
  clients: Pick<Clients, 'for'>,
  profile: Profile,
  table: string,
  statements: readonly string[],
): Promise<boolean> {
  let message: string | undefined;
  try {
    const project = (await clients.for(profile)).project(profile.projectId);
    const title = vscode.l10n.t("Creating '{0}'", table);
    const stop = await withProgress(title, signal => sendStatements(project, statements, signal));
    message = stop && stopText(table, stop);
  } catch (thrown) {
    message = vscode.l10n.t("The table '{0}' was not created: {1}", table, errorMessage(thrown));
  }
  if (message !== undefined) void showError(message);
  return message === undefined;
}

function stopText(table: string, { index, error, isUnknown }: SequenceStop): string {
  const reason = errorMessage(error);
  if (index > 0) {
    return isUnknown
      ? vscode.l10n.t(
          "The table '{0}' was created. No answer came for one of its indexes, so it is unknown whether it has all: {1} No row was sent.",
          table,
          reason,
        )
      : vscode.l10n.t("The table '{0}' was created, but not all of its indexes: {1} No row was sent.", table, reason);
  }
  return isUnknown
    ? vscode.l10n.t(
        "No answer came, so it is unknown whether the table '{0}' was created: {1} No row was sent. Check whether the table exists before you create it again.",
        table,
        reason,
      )
    : vscode.l10n.t("The table '{0}' was not created: {1}", table, reason);
}
