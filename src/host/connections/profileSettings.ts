import * as vscode from 'vscode';
import type { ProfileSettings } from '../../model/profiles.ts';
import { settings } from '../names.ts';

/** The setting as it stands in each place. VS Code itself would let the workspace's list hide the user's. */
export function readProfileSettings(): ProfileSettings {
  const found = vscode.workspace.getConfiguration().inspect(settings.projects);
  return {
    user: found?.globalValue,
    workspace: found?.workspaceValue,
    trusted: vscode.workspace.isTrusted,
  };
}
