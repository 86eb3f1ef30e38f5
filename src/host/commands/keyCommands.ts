import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { isKey, type KeyStore } from '../connections/keyStore.ts';
import { type LocalKeys, revokeInBackground } from '../connections/localKeys.ts';
import type { Projects } from '../connections/projects.ts';
import { confirm } from '../notifications.ts';
import { type ProjectArgument, resolveProject } from './projectArgument.ts';

export interface KeyCommandParts {
  readonly projects: Projects;
  readonly keys: KeyStore;
  readonly localKeys: LocalKeys;
}

/** Stores a key that the user enters. For a local project, the local service can issue one instead. */
export async function setKey(parts: KeyCommandParts, argument: ProjectArgument): Promise<void> {
  const profile = await resolveProject(parts.projects, argument);
  if (!profile) return;
  const source = profile.source === 'local' ? await promptForKeySource(profile) : 'user';
  if (source === 'service') await issueNewKey(parts, profile);
  if (source === 'user') await enterKey(parts, profile);
}

async function promptForKeySource({ name }: Profile): Promise<'service' | 'user' | undefined> {
  const items = [
    {
      label: vscode.l10n.t('Issue a New Key'),
      detail: vscode.l10n.t('The local service makes a key for VS Code, and ends the one that it made before.'),
      source: 'service',
    },
    {
      label: vscode.l10n.t('Enter a Key…'),
      detail: vscode.l10n.t('For a key that you were given.'),
      source: 'user',
    },
  ] as const;
  return (await vscode.window.showQuickPick(items, { title: titleFor(name), ignoreFocusOut: true }))?.source;
}

/** Has the local service issue a new key for one of its projects. */
export async function issueKey(parts: KeyCommandParts, argument: ProjectArgument): Promise<void> {
  const profile = await resolveProject(parts.projects, argument, ({ source }) => source === 'local');
  if (profile) await issueNewKey(parts, profile);
}

async function issueNewKey({ keys, localKeys }: KeyCommandParts, profile: Profile): Promise<void> {
  const former = await keys.stored(profile);
  await localKeys.issue(profile);
  revokeInBackground(localKeys, former);
}

async function enterKey({ keys, localKeys }: KeyCommandParts, profile: Profile): Promise<void> {
  const key = await promptForKey(profile);
  if (key === undefined) return;
  const former = await keys.stored(profile);
  await keys.setEntered(profile, key);
  if (former?.key !== key) revokeInBackground(localKeys, former);
}

const titleFor = (name: string): string => vscode.l10n.t('API key for {0}', name);

/** VS Code's password input hides the key. From there it goes to the secret storage, and no part shows it. */
async function promptForKey(profile: Profile): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: titleFor(profile.name),
    prompt: vscode.l10n.t('It is kept in the secret storage and sent to {0} only.', profile.origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (isKey(text) ? undefined : vscode.l10n.t('A key is one word of printable characters.')),
  });
  return key?.trim();
}

export async function forgetKey(
  { projects, keys, localKeys }: KeyCommandParts,
  argument: ProjectArgument,
): Promise<void> {
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  const forget = vscode.l10n.t('Forget Key');
  const question = vscode.l10n.t('Forget the API key of {0}?', profile.name);
  const detail =
    profile.source === 'local'
      ? vscode.l10n.t('The local service issues a new one when its projects are looked up again.')
      : vscode.l10n.t('Statements for this project will not run until a key is entered again.');
  if (!(await confirm(question, detail, forget))) return;
  const former = await keys.stored(profile);
  await keys.forget(profile);
  revokeInBackground(localKeys, former);
}
