import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/decode.ts';
import type { ProfileSettings, SettingsScope } from '../../model/profiles.ts';
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

const targets = { user: vscode.ConfigurationTarget.Global, workspace: vscode.ConfigurationTarget.Workspace };

export const targetOf = (scope: SettingsScope): vscode.ConfigurationTarget => targets[scope];

/** What the user settled about projects of the local service. No workspace has a say in it. */
export function readLocalFields(): unknown {
  return vscode.workspace.getConfiguration().inspect(settings.localServiceProjects)?.globalValue;
}

/** The data folder of a local service that somebody else runs; '' when none is named. */
export function readLocalFolder(): string {
  return vscode.workspace.getConfiguration().get<string>(settings.localServiceFolder, '');
}

/** Opens the settings file of the user, or of the workspace, at the setting of the projects. */
export async function openProjectSettings(scope: SettingsScope): Promise<void> {
  // In the user's file, `edit` adds the setting if it is missing. The workspace's file only opens.
  const revealSetting = { key: settings.projects, edit: scope === 'user' };
  const command = scope === 'user' ? 'openSettingsJson' : 'openWorkspaceSettingsFile';
  await vscode.commands.executeCommand(`workbench.action.${command}`, { revealSetting });
}

/** Writes changes of the setting one after another, so that each is made to what the one before has written. */
export class ProfileWriter {
  #last: Promise<unknown> = Promise.resolve();

  /** Gives a list in place of the one that stands there. What `change` throws is thrown here, and nothing is written. */
  async write(scope: SettingsScope, change: (setting: unknown) => unknown[]): Promise<void> {
    await this.#next(async () => {
      const { trusted, ...standing } = readProfileSettings();
      // VS Code keeps to itself what stands there, so that a list in its place would be all that is left.
      if (scope === 'workspace' && !trusted) {
        throw new ProjectError('misuse', 'untrusted_workspace', 'The workspace is not trusted.');
      }
      const list = change(standing[scope]);
      await vscode.workspace.getConfiguration().update(settings.projects, list, targetOf(scope));
    });
  }

  /** The same for what is settled about projects of the local service. */
  async writeLocal(change: (setting: unknown) => UnknownRecord): Promise<void> {
    await this.#next(async () => {
      const changed = change(readLocalFields());
      await vscode.workspace.getConfiguration().update(settings.localServiceProjects, changed, targetOf('user'));
    });
  }

  async #next(write: () => Promise<void>): Promise<void> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    await written;
  }
}
