import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { asArray, asNonBlankString } from '../../base/decode.ts';

/** The values of a setting by scope. `get` would mix them, or let a workspace replace those of the user. */
export function scopesOf(name: string): { readonly user: unknown; readonly others: readonly unknown[] } {
  const inspected = vscode.workspace.getConfiguration().inspect(name);
  return { user: inspected?.globalValue, others: [inspected?.workspaceValue, inspected?.workspaceFolderValue] };
}

export const textsIn = (setting: unknown): readonly string[] =>
  (asArray(setting) ?? []).flatMap(item => asNonBlankString(item) ?? []);

/** The values of all scopes together. A workspace can add texts, but remove none of the user's. */
export function unitedTexts(name: string): ReadonlySet<string> {
  const { user, others } = scopesOf(name);
  return new Set([user, ...others].flatMap(textsIn));
}

type NamedProject = Pick<Profile, 'id' | 'name'>;

/** Whether a list of the settings names a project, by its name or its id. A workspace can only add projects to such a list. */
export function isListed(setting: string, { id, name }: NamedProject): boolean {
  const list = unitedTexts(setting);
  return list.has(id) || list.has(name);
}

/**
 * Adds a project to a list of the user's own settings, or removes it. Its namesakes stay on the list.
 * True if the project is on the list now: that of the workspace may name it too.
 */
export async function toggleListed(
  setting: string,
  profile: NamedProject,
  profiles: readonly NamedProject[],
): Promise<boolean> {
  const { id, name } = profile;
  const own = textsIn(scopesOf(setting).user);
  const namesakes = profiles.filter(other => other.name === name && other.id !== id).map(other => other.id);
  const others = own.flatMap(entry => (entry === name ? namesakes : [entry])).filter(entry => entry !== id);
  const list = isListed(setting, profile) ? others : [...own, id];
  await vscode.workspace.getConfiguration().update(setting, [...new Set(list)], vscode.ConfigurationTarget.Global);
  return isListed(setting, profile);
}
