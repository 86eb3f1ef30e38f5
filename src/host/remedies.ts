import * as vscode from 'vscode';
import { asProjectError } from '../base/errors.ts';
import type { Profile } from '../model/profiles.ts';
import type { Remedy } from '../protocol/settings.ts';
import { commands } from './names.ts';
import { showError, showWarning } from './notifications.ts';
import { errorMessage } from './errorMessages.ts';

const keyFaults: ReadonlySet<string | undefined> = new Set(['no_key', 'unauthenticated', 'forbidden']);

/** Whether entering a key is what helps. */
export const isKeyFault = (thrown: unknown): boolean => keyFaults.has(asProjectError(thrown)?.code);

const addressFaults: ReadonlySet<string | undefined> = new Set(['tls_failed', 'not_found', 'project_not_found']);

/** Of a local service that has begun anew: its projects come and go with it, and have no address that a user could mend. */
const isGoneLocally = (thrown: unknown, { source }: Pick<Profile, 'source'>): boolean =>
  source === 'local' && addressFaults.has(asProjectError(thrown)?.code);

/** What happened to a project and what to do, in words for people. */
export function projectErrorMessage(thrown: unknown, profile: Pick<Profile, 'source'>): string {
  if (isGoneLocally(thrown, profile)) {
    return vscode.l10n.t('The local service does not have this project any more. Refresh to see which ones it has.');
  }
  if (profile.source === 'local' && asProjectError(thrown)?.code === 'unauthenticated') {
    return vscode.l10n.t('The local service does not accept the API key. Use "Set API Key" to have a new one issued.');
  }
  return errorMessage(thrown);
}

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

/** Says why something did not work, with the way out where there is one. The project may be gone by now. */
export async function offerRemedy(thrown: unknown, profile: Pick<Profile, 'id' | 'source'> | undefined): Promise<void> {
  const way = profile && remedyCommand(thrown, profile);
  const sentence = profile ? projectErrorMessage(thrown, profile) : errorMessage(thrown);
  if (!way) return void (await showError(sentence));
  if ((await showError(sentence, way.title)) === way.title) {
    await vscode.commands.executeCommand(way.command, ...way.arguments);
  }
}

export interface RemedyCommand extends vscode.Command {
  readonly arguments: unknown[];
}

/** The command that helps; undefined where it is trying again, of which only the caller knows what it is. */
export function remedyCommand(thrown: unknown, profile: Pick<Profile, 'id' | 'source'>): RemedyCommand | undefined {
  if (isGoneLocally(thrown, profile))
    return { command: commands.refresh, title: vscode.l10n.t('Refresh'), arguments: [] };
  const remedy = remedyFor(thrown, profile);
  if (remedy === 'tryAgain') return undefined;
  return { command: commands[remedy], title: remedyLabels()[remedy], arguments: [profile.id] };
}

/** For whoever wants to do something with a project and has none. */
export async function offerProjects(): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  const message = vscode.l10n.t('There is no project yet. Add one first.');
  if ((await showWarning(message, manage)) === manage) {
    await vscode.commands.executeCommand(commands.manage);
  }
}
