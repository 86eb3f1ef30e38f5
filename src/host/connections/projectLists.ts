import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { scopesOf, textsIn, unitedTexts } from './settingScopes.ts';

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
