import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import { unitedTexts } from '../connections/settingScopes.ts';
import { settings } from '../names.ts';

const setting = (name: string): unknown => vscode.workspace.getConfiguration().get(name);

export const maxEntries = (): number => asCount(setting(settings.historyMaxEntries)) || 100_000;
export const maxKeptBytes = (): number => (asCount(setting(settings.historyMaxRowsMb)) ?? 512) * 1024 * 1024;

/** The list names the project by its id or its name. A workspace can leave out more projects, and none less. */
export function isExcluded({ id, name }: Pick<Profile, 'id' | 'name'>): boolean {
  const excluded = unitedTexts(settings.historyExcluded);
  return excluded.has(id) || excluded.has(name);
}
