import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { statusOf, testConnection } from '../../model/connectionTest.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Clients } from '../connections/clients.ts';
import { confirmReplacement, keyFault, withRepeatHint } from '../connections/keyReplacement.ts';
import { type KeyStore, type LocalKeys, revokeInBackground } from '../connections/keyStore.ts';
import type { Projects } from '../connections/projects.ts';
import { connectionReportMessage, errorMessage } from '../errorMessages.ts';
import { vscodeStepPrompts } from '../prompts/steps.ts';
import { showInformation, showWarning } from '../notifications.ts';
import { confirm, projectLook } from '../questions.ts';
import { isKeyFault } from '../remedies.ts';
import { type ProjectArgument, projectOfArgument } from './projectArgument.ts';

export interface KeyCommandParts {
  readonly projects: Projects;
  readonly clients: Pick<Clients, 'openWith'>;
  readonly keys: KeyStore;
  readonly localKeys: LocalKeys;
}

/** Stores a key that the user enters. For a local project, the local service can issue one instead. */
export async function setKey(parts: KeyCommandParts, argument: ProjectArgument): Promise<void> {
  const profile = await projectOfArgument(parts.projects, argument);
  if (!profile) return;
  const source = profile.source === 'local' ? await promptForKeySource(profile) : 'user';
  if (source === 'service') await issueNewKey(parts, profile);
  if (source === 'user') await enterKey(parts, profile);
}

async function promptForKeySource({ name }: Profile): Promise<'service' | 'user' | undefined> {
  const items = [
    {
      label: vscode.l10n.t('Issue New Key'),
      detail: vscode.l10n.t('The local service issues a key for VS Code and revokes the previous one.'),
      source: 'service',
    },
    {
      label: vscode.l10n.t('Enter API Key…'),
      detail: vscode.l10n.t('For a key that you have.'),
      source: 'user',
    },
  ] as const;
  return (await vscode.window.showQuickPick(items, { title: titleFor(name), ignoreFocusOut: true }))?.source;
}

/** Has the local service issue a new key for one of its projects. */
export async function issueLocalKey(parts: KeyCommandParts, argument: ProjectArgument): Promise<void> {
  const profile = await projectOfArgument(parts.projects, argument, ({ source }) => source === 'local');
  if (profile) await issueNewKey(parts, profile);
}

async function issueNewKey({ keys, localKeys, clients }: KeyCommandParts, profile: Profile): Promise<void> {
  if (!(await confirmReplacement(keys, profile, undefined, key => clients.openWith(profile, key)))) return;
  const keyBefore = await keys.stored(profile);
  await localKeys.issue(profile);
  revokeInBackground(localKeys, keyBefore);
}

/** Tests a key when it is entered. A rejected key is saved only if the user enters it again. */
async function enterKey(parts: KeyCommandParts, profile: Profile): Promise<void> {
  let rejected: string | undefined;
  let accepted: { readonly key: string; readonly fault: unknown } | undefined;
  await vscodeStepPrompts.promptForText({
    title: titleFor(profile.name),
    canGoBack: false,
    prompt: vscode.l10n.t("It is stored in VS Code's secret storage and sent to {0} only.", profile.origin),
    password: true,
    check: keyFault,
    accept: async (key, signal) => {
      const fault = await faultOfKey(parts, profile, key, signal);
      // The user has closed the input.
      if (signal.aborted) return 'cancel';
      if (isKeyFault(fault) && rejected !== key) {
        rejected = key;
        return { rejection: withRepeatHint(vscode.l10n.t('The service rejected the API key.')) };
      }
      accepted = { key, fault };
      return 'done';
    },
  });
  if (!accepted) return;
  // Save after the input has closed: the settings page has its focus back before the new key changes it.
  const { key, fault } = accepted;
  const { keys, localKeys, clients } = parts;
  if (!(await confirmReplacement(keys, profile, key, tested => clients.openWith(profile, tested)))) return;
  const keyBefore = await keys.stored(profile);
  await keys.setEntered(profile, key);
  if (keyBefore?.key !== key) revokeInBackground(localKeys, keyBefore);
  if (fault === undefined) return;
  void showWarning(vscode.l10n.t("Saved the API key of '{0}'. {1}", profile.name, errorMessage(fault)));
}

/** Undefined if the key works. */
async function faultOfKey(
  { clients }: KeyCommandParts,
  profile: Profile,
  key: string,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    await using client = await clients.openWith(profile, key);
    const report = await testConnection(client, profile.projectId, { clock: monotonicClock, signal });
    void showInformation(connectionReportMessage(profile, report, await statusOf(client, profile.projectId)));
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

const titleFor = (name: string): string => vscode.l10n.t("API Key of '{0}'", name);

export async function forgetKey(
  { projects, keys, localKeys }: KeyCommandParts,
  argument: ProjectArgument,
): Promise<void> {
  const profile = await projectOfArgument(projects, argument);
  if (!profile) return;
  const question = vscode.l10n.t("Forget the API key of '{0}'?", profile.name);
  const detail =
    profile.source === 'local'
      ? vscode.l10n.t('The local service issues a new key with the next refresh.')
      : vscode.l10n.t('Its statements do not run until you set a key again.');
  if (!(await confirm(question, detail, projectLook(profile), vscode.l10n.t('Forget API Key')))) return;
  const keyBefore = await keys.stored(profile);
  await keys.forget(profile);
  revokeInBackground(localKeys, keyBefore);
}
