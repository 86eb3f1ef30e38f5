import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { DefinitionCopy } from '../../model/copying/definitionCopy.ts';
import type { Profile } from '../../model/profiles.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { Clients } from '../connections/clients.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, showWarning } from '../notifications.ts';

/** Creates the copy of a table with its indexes. False if the service refuses it: the user was told why. */
export async function createObjects(
  clients: Clients,
  profile: Profile,
  { table, objects }: { readonly table: string; readonly objects: DefinitionCopy },
): Promise<boolean> {
  const run = async (sql: string): Promise<void> => {
    const options = { idempotencyKey: randomUUID(), maxAnswerBytes: maxSmallAnswerBytes };
    await (await clients.for(profile)).execSql(profile.projectId, { sql, params: null }, options);
  };
  let isTableThere = false;
  try {
    for (const sql of objects.before) {
      await run(sql);
      isTableThere = true;
    }
  } catch (thrown) {
    const message = errorMessage(thrown);
    void showError(
      isTableThere
        ? vscode.l10n.t(
            "The table '{0}' was created, but not all of its indexes: {1} No row was copied.",
            table,
            message,
          )
        : vscode.l10n.t('The table was not created: {0}', message),
    );
    return false;
  }
  if (objects.sequence === undefined) return true;
  try {
    await run(objects.sequence);
  } catch (thrown) {
    const message = errorMessage(thrown);
    void showWarning(vscode.l10n.t("The numbers of '{0}' may begin behind its last row: {1}", table, message));
  }
  return true;
}
