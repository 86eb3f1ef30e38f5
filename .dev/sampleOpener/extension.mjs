// Loaded by `npm start` beside the extension: shows the sample project as Try It Locally does.
import * as vscode from 'vscode';

/** Once for each start: the file that asks for it is gone afterwards, so that a reload does not run the statement again. */
export async function activate() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) return;
  try {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, '..', 'show-sample'));
  } catch {
    return;
  }
  await vscode.commands.executeCommand('sqlProjects.tryLocally', vscode.Uri.joinPath(folder, 'shop.sql'));
}
