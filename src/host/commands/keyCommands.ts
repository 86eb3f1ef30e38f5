import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { promptForProject } from '../connections/documentProjects.ts';
import type { KeyStore, StoredKey } from '../connections/keyStore.ts';
import type { Projects } from '../connections/projects.ts';
import { profileOf, type TreeNode } from '../tree/treeNodes.ts';
import { offerProjects } from '../remedies.ts';
import { confirm, showInformation } from '../notifications.ts';

/** What a command may be called with: a node of the tree, a project's id, or nothing, from the palette. */
export type ProjectArgument = TreeNode | string | undefined;

/** The project that a command is about. From the palette it is asked for, among those that the command can act on. */
export async function resolveProject(
  projects: Projects,
  argument: ProjectArgument,
  canBe: (profile: Profile) => boolean = () => true,
): Promise<Profile | undefined> {
  if (typeof argument === 'string') return projects.find(argument);
  const known = argument && profileOf(argument);
  if (known) return known;
  const { profiles } = await projects.list();
  if (profiles.length === 0) await offerProjects();
  const offered = profiles.filter(canBe);
  if (profiles.length > 0 && offered.length === 0) void showInformation(noneInSettings());
  return promptForProject(offered);
}

const noneInSettings = (): string =>
  vscode.l10n.t(
    'This is for projects of your settings, and there is none. Those of a local service come and go with it.',
  );

export interface KeyParts {
  readonly projects: Projects;
  readonly keys: KeyStore;
  /** Has the local service issue a new key for one of its projects, and keeps it. */
  readonly issue: (profile: Profile) => Promise<void>;
  /** Has the local service end a key that it issued for us. */
  readonly revoke: (keyId: string) => Promise<void>;
}

/** Takes a key that somebody enters, or has a local service issue one: of its projects, nobody need have seen a key. */
export async function setKey(parts: KeyParts, argument: ProjectArgument): Promise<void> {
  const { projects, keys, issue } = parts;
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  const way = profile.source === 'local' ? await chooseWay(profile) : 'enter';
  const key = way === 'enter' ? await enteredKey(profile) : undefined;
  if (way !== 'issue' && key === undefined) return;
  const former = await keys.stored(profile);
  if (key === undefined) await issue(profile);
  else await keys.set(profile, key);
  if (former?.key !== key) revokeFormer(parts, former);
}

async function chooseWay({ name }: Profile): Promise<'issue' | 'enter' | undefined> {
  const issue = vscode.l10n.t('The local service makes a key for VS Code, and ends the one that it made before.');
  const items = [
    { label: vscode.l10n.t('Issue a New Key'), detail: issue, way: 'issue' },
    { label: vscode.l10n.t('Enter a Key…'), detail: vscode.l10n.t('For a key that you were given.'), way: 'enter' },
  ] as const;
  return (await vscode.window.showQuickPick(items, { title: titleFor(name), ignoreFocusOut: true }))?.way;
}

const titleFor = (name: string): string => vscode.l10n.t('API key for {0}', name);

/** By VS Code's own password input. The key goes from there to SecretStorage and is shown nowhere. */
async function enteredKey(profile: Profile): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: titleFor(profile.name),
    prompt: vscode.l10n.t('It is kept in the secret storage and sent to {0} only.', profile.origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (isKey(text) ? undefined : vscode.l10n.t('A key is one word of printable characters.')),
  });
  return key?.trim();
}

export async function forgetKey(parts: KeyParts, argument: ProjectArgument): Promise<void> {
  const { projects, keys } = parts;
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
  revokeFormer(parts, former);
}

/** Nobody waits for it: the service may be gone for good, and its key with it. The log tells what came of it. */
function revokeFormer({ revoke }: KeyParts, former: StoredKey | undefined): void {
  if (former?.issuedAs !== undefined) void revoke(former.issuedAs).catch(() => undefined);
}

/** What may stand in an HTTP header. */
export const isKey = (text: string): boolean => /^\s*[\x21-\x7e]+\s*$/.test(text);
