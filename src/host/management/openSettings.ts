import * as vscode from 'vscode';
import { asCount, type Infer, object, oneOf, optional } from '../../base/decode.ts';
import { entryPartIn } from '../../model/projectsFile.ts';
import { settings } from '../names.ts';

/** A settings file, and the entry in its list of projects. */
export const decodeSettingsPlace = object({ scope: oneOf(['user', 'workspace']), index: optional(asCount) });

/** Opens the settings file of the user, or of the workspace, and selects the entry or the list. Changes nothing in it. */
export async function openProjectSettings({ scope, index }: Infer<typeof decodeSettingsPlace>): Promise<void> {
  const command = scope === 'user' ? 'openSettingsJson' : 'openWorkspaceSettingsFile';
  await vscode.commands.executeCommand(`workbench.action.${command}`);
  const editor = vscode.window.activeTextEditor;
  if (!editor || !/\.(json|code-workspace)$/.test(editor.document.uri.path)) return;
  const { document } = editor;
  const part =
    entryPartIn(document.getText(), settings.projects, index) ?? entryPartIn(document.getText(), settings.projects);
  if (!part) return;
  const range = new vscode.Range(document.positionAt(part.start), document.positionAt(part.end));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
