import * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import { columnsOf } from '../../model/catalog/catalogQueries.ts';
import type { Profile } from '../../model/profiles.ts';
import { sendStatements, type SequenceStop } from '../../model/results/statementSequence.ts';
import type { Clients } from '../connections/clients.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError } from '../notifications.ts';

interface Creation {
  readonly table: string;
  /** The first one creates the table, the others its indexes. */
  readonly statements: readonly string[];
}

/** Creates a table. False unless it is certainly there; a message says why. */
export async function sendCreations(
  clients: Pick<Clients, 'for'>,
  profile: Profile,
  creation: Creation,
): Promise<boolean> {
  let message: string | undefined;
  try {
    const client = await clients.for(profile);
    message = await send(client.project(profile.projectId), creation);
  } catch (thrown) {
    message = vscode.l10n.t("The table '{0}' was not created: {1}", creation.table, errorMessage(thrown));
  }
  if (message !== undefined) void showError(message);
  return message === undefined;
}

/**
 * Says why the statements have stopped; undefined when all have run. If no answer comes, the message says whether the table
 * is there.
 */
async function send(
  project: Pick<Project, 'sql' | 'query'>,
  { table, statements }: Creation,
): Promise<string | undefined> {
  const stop = await sendStatements(project, statements);
  if (!stop) return undefined;
  return stop.isUnknown ? unknownText(table, stop, await isThere(project, table)) : refusedText(table, stop);
}

/** Undefined if the service does not answer. */
async function isThere(project: Pick<Project, 'query'>, table: string): Promise<boolean | undefined> {
  try {
    return (await columnsOf(project, table)).length > 0;
  } catch {
    return undefined;
  }
}

function refusedText(table: string, { index, error }: SequenceStop): string {
  const reason = errorMessage(error);
  return index === 0
    ? vscode.l10n.t("The table '{0}' was not created: {1}", table, reason)
    : vscode.l10n.t("The table '{0}' was created, but not all of its indexes: {1} No row was sent.", table, reason);
}

function unknownText(table: string, { index, error }: SequenceStop, isTableThere: boolean | undefined): string {
  const reason = errorMessage(error);
  if (index > 0) {
    return vscode.l10n.t(
      "The table '{0}' was created. No answer came for one of its indexes, so it is unknown whether it has all: {1} No row was sent.",
      table,
      reason,
    );
  }
  return [
    vscode.l10n.t("No answer came, so it is unknown whether the table '{0}' was created: {1}", table, reason),
    foundText(table, isTableThere),
    vscode.l10n.t('No row was sent.'),
  ].join(' ');
}

function foundText(table: string, isTableThere: boolean | undefined): string {
  switch (isTableThere) {
    case true:
      return vscode.l10n.t("The project has a table '{0}' now. Check the table, then choose it as the target.", table);
    case false:
      return vscode.l10n.t("The project has no table '{0}' yet. Check again before you create it.", table);
    case undefined:
      return vscode.l10n.t('Check whether the table exists before you create it again.');
  }
}
