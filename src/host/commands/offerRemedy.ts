import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import { commands } from '../names.ts';
import { complain, warn } from '../notifications.ts';
import { sentenceFor } from '../problems.ts';

const keyFaults: ReadonlySet<string | undefined> = new Set(['no_key', 'unauthenticated', 'forbidden']);

/** Whether entering a key is what helps. */
export const isKeyFault = (thrown: unknown): boolean => keyFaults.has(asProjectError(thrown)?.code);

const addressFaults: ReadonlySet<string | undefined> = new Set(['tls_failed', 'not_found', 'project_not_found']);

/** Whether the project's address is what to mend: asking again would change nothing. */
export const isAddressFault = (thrown: unknown): boolean => addressFaults.has(asProjectError(thrown)?.code);

/** Says why something did not work, with the way out where there is one. */
export async function offerRemedy(thrown: unknown, profileId: string): Promise<void> {
  const setKey = vscode.l10n.t('Set API Key');
  const remedies = isKeyFault(thrown) ? [setKey] : [];
  if ((await complain(sentenceFor(thrown), ...remedies)) === setKey) {
    await vscode.commands.executeCommand(commands.setKey, profileId);
  }
}

/** For whoever wants to do something with a project and has none. */
export async function offerProjects(): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  const message = vscode.l10n.t('There is no project yet. Add one first.');
  if ((await warn(message, manage)) === manage) {
    await vscode.commands.executeCommand(commands.manage);
  }
}
