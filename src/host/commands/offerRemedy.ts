import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Remedy } from '../../protocol/settings.ts';
import { commands } from '../names.ts';
import { complain, warn } from '../notifications.ts';
import { sentenceFor } from '../problems.ts';

const keyFaults: ReadonlySet<string | undefined> = new Set(['no_key', 'unauthenticated', 'forbidden']);

/** Whether entering a key is what helps. */
export const isKeyFault = (thrown: unknown): boolean => keyFaults.has(asProjectError(thrown)?.code);

const addressFaults: ReadonlySet<string | undefined> = new Set(['tls_failed', 'not_found', 'project_not_found']);

/** What helps against a fault. The address of a local service's project is not the user's to mend. */
export function remedyFor(thrown: unknown, { source }: Pick<Profile, 'source'>): Remedy {
  if (isKeyFault(thrown)) return 'setKey';
  // Asking again would change nothing.
  if (addressFaults.has(asProjectError(thrown)?.code) && source === 'settings') return 'editProject';
  return 'tryAgain';
}

export const remedyLabels = (): Record<Remedy, string> => ({
  setKey: vscode.l10n.t('Set API Key'),
  editProject: vscode.l10n.t('Edit Project'),
  tryAgain: vscode.l10n.t('Try Again'),
});

/** Says why something did not work, with the way out where there is one. */
export async function offerRemedy(thrown: unknown, profileId: string): Promise<void> {
  const remedy = remedyFor(thrown, { source: 'settings' });
  if (remedy === 'tryAgain') return void (await complain(sentenceFor(thrown)));
  const label = remedyLabels()[remedy];
  if ((await complain(sentenceFor(thrown), label)) === label) {
    await vscode.commands.executeCommand(commands[remedy], profileId);
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
