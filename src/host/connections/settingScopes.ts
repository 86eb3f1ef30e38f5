import * as vscode from 'vscode';
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
