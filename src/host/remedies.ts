import * as vscode from 'vscode';
import { asProjectError, isAbort } from '../base/errors.ts';
import type { ResultAction } from '../protocol/results.ts';
import type { Profile } from '../model/profiles.ts';
import { remedyLabels } from '../protocol/remedyLabels.ts';
import type { Remedy } from '../protocol/settings.ts';
import { isReadOnlyKeyFault } from '../wire/keyScope.ts';
import { errorMessage } from './errorMessages.ts';
import { commandId } from './names.ts';
import { showError, showWarning } from './notifications.ts';

type ProjectSource = Pick<Profile, 'source'>;

const keyFaults: ReadonlySet<string | undefined> = new Set(['no_key', 'unauthenticated', 'forbidden']);
const addressFaults: ReadonlySet<string | undefined> = new Set(['tls_failed', 'not_found', 'project_not_found']);

/** Whether another address may be the remedy. */
const isAddressFault = (thrown: unknown): boolean => {
  const code = asProjectError(thrown)?.code;
  return addressFaults.has(code) || code === 'not_an_sql_answer';
};

/** Whether another key is the remedy. */
export const isKeyFault = (thrown: unknown): boolean => keyFaults.has(asProjectError(thrown)?.code);

/** Whether the local service no longer has the project. The user cannot change the address of a local project. */
export const isLocalProjectGone = (thrown: unknown, { source }: ProjectSource): boolean =>
  source === 'local' && addressFaults.has(asProjectError(thrown)?.code);

/** Like `errorMessage`, but with the remedies of a local project. */
export function projectErrorMessage(thrown: unknown, profile: ProjectSource): string {
  if (isLocalProjectGone(thrown, profile)) {
    return vscode.l10n.t('The local service no longer has this project. Refresh to see its projects.');
  }
  if (profile.source === 'local' && isKeyFault(thrown) && !isReadOnlyKeyFault(thrown)) {
    return vscode.l10n.t('The local service rejected the API key. Issue a new key.');
  }
  return errorMessage(thrown);
}

/** A local service can issue a new key, so the user need not enter one. */
export function remedyFor(thrown: unknown, { source }: ProjectSource): Remedy {
  if (isKeyFault(thrown)) return source === 'local' ? 'issueKey' : 'setKey';
  if (isAddressFault(thrown) && source === 'settings') return 'editProject';
  return 'tryAgain';
}

interface RemedyCommand extends vscode.Command {
  readonly arguments: unknown[];
}

/** Undefined if the remedy is to try again: only the caller knows how. */
export function remedyCommand(thrown: unknown, profile: Pick<Profile, 'id' | 'source'>): RemedyCommand | undefined {
  if (isLocalProjectGone(thrown, profile)) {
    return { command: commandId('refresh'), title: vscode.l10n.t('Refresh'), arguments: [] };
  }
  const remedy = remedyFor(thrown, profile);
  if (remedy === 'tryAgain') return undefined;
  return { command: commandId(remedy), title: remedyLabels()[remedy], arguments: [profile.id] };
}

/** Shows the error with a button for its remedy. Cancelling is no error. `profile` is undefined if the project is gone. */
export async function offerRemedy(
  thrown: unknown,
  profile: Pick<Profile, 'id' | 'source'> | undefined,
  textOf = (message: string): string => message,
): Promise<void> {
  if (isAbort(thrown)) return;
  const remedy = profile && remedyCommand(thrown, profile);
  const message = textOf(profile ? projectErrorMessage(thrown, profile) : errorMessage(thrown));
  if (!remedy) {
    await showError(message);
    return;
  }
  const chosen = await showError(message, remedy.title);
  if (chosen === remedy.title) await vscode.commands.executeCommand(remedy.command, ...remedy.arguments);
}

/** Runs a command on a project, and offers the remedy if it fails. */
export async function orRemedy(profile: Profile, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (thrown) {
    await offerRemedy(thrown, profile);
  }
}

/** Offers to add a project, after a command that needs one. */
export async function offerProjects(message = vscode.l10n.t('There are no projects yet.')): Promise<void> {
  const addProject = vscode.l10n.t('Add Project');
  const tryLocally = vscode.l10n.t('Try It Locally');
  const chosen = await showWarning(message, addProject, tryLocally);
  if (chosen === addProject) await vscode.commands.executeCommand(commandId('addProject'));
  if (chosen === tryLocally) await vscode.commands.executeCommand(commandId('tryLocally'));
}

/** Changed columns need a refresh: a retry does not help. */
export function remediesFor(fault: unknown, profile: Profile): ResultAction[] {
  if (asProjectError(fault)?.code === 'columns_changed') return [];
  const remedy = remedyFor(fault, profile);
  return remedy === 'tryAgain' ? ['retry'] : [remedy, 'retry'];
}
