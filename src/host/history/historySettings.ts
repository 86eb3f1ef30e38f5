import * as vscode from 'vscode';
import { asArray, asCount, asString } from '../../base/decode.ts';
import { settings } from '../names.ts';

const setting = (name: string): unknown => vscode.workspace.getConfiguration().get(name);

export const maxEntries = (): number => asCount(setting(settings.historyMaxEntries)) || 100_000;
export const maxKeptBytes = (): number => (asCount(setting(settings.historyMaxRowsMb)) ?? 512) * 1024 * 1024;

/** The names and ids of all scopes: a workspace can leave out more projects, and none less. */
function excludedProjects(): readonly string[] {
  const { globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration().inspect(settings.historyExcluded) ?? {};
  return [globalValue, workspaceValue, workspaceFolderValue].flatMap(list =>
    (asArray(list) ?? []).flatMap(name => asString(name) ?? []),
  );
}

export function isExcluded({ id, name }: { readonly id: string; readonly name: string }): boolean {
  const excluded = excludedProjects();
  return excluded.includes(id) || excluded.includes(name);
}
