import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { DefinitionCopy } from '../../model/copying/definitionCopy.ts';
import type { Profile } from '../../model/profiles.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { Clients } from '../connections/clients.ts';
import { errorMessage } from '../errorMessages.ts';
import { sendCreations } from '../importing/sendCreations.ts';
import { showWarning } from '../notifications.ts';

/** Creates the copy of a table with its indexes. False unless they are certainly there; a message says why. */
export async function createObjects(
  clients: Clients,
  profile: Profile,
  { table, objects }: { readonly table: string; readonly objects: DefinitionCopy },
): Promise<boolean> {
  if (!(await sendCreations(clients, profile, { table, statements: objects.before }))) return false;
  if (objects.sequence === undefined) return true;
  try {
    const options = { idempotencyKey: randomUUID(), maxAnswerBytes: maxSmallAnswerBytes };
    const client = await clients.for(profile);
    await client.execSql(profile.projectId, { sql: objects.sequence, params: null }, options);
  } catch (thrown) {
    const message = errorMessage(thrown);
    void showWarning(
      vscode.l10n.t(
        "The AUTOINCREMENT counter of '{0}' could not be set: {1} Keys of rows that the source has deleted may be used again.",
        table,
        message,
      ),
    );
  }
  return true;
}
