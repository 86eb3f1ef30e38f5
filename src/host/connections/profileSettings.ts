import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/decode.ts';
import type { ProfileSettings, SettingsScope } from '../../model/profiles.ts';
import { settings } from '../names.ts';

/** Reads the scopes one by one: `get` gives only the list of the workspace. */
export function readProfileSettings(): ProfileSettings {
  const inspected = vscode.workspace.getConfiguration().inspect(settings.projects);
  return {
    user: inspected?.globalValue,
    workspace: inspected?.workspaceValue,
    trusted: vscode.workspace.isTrusted,
  };
}

const targets = { user: vscode.ConfigurationTarget.Global, workspace: vscode.ConfigurationTarget.Workspace };

const targetOf = (scope: SettingsScope): vscode.ConfigurationTarget => targets[scope];

/** The user's own fields of local projects. No workspace can set them. */
export function readLocalFields(): unknown {
  return vscode.workspace.getConfiguration().inspect(settings.localServiceProjects)?.globalValue;
}

/** The data folder of a local service that the user runs; '' stands for the extension's own service. */
export function readLocalFolder(): string {
  return vscode.workspace.getConfiguration().get<string>(settings.localServiceFolder, '');
}

/** Writes changes of the settings one after another: each change starts from the result of the one before. */
export class ProfileWriter {
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** Replaces the list of projects. If `change` throws, this rejects and writes nothing. */
  async write(scope: SettingsScope, change: (setting: unknown) => unknown[]): Promise<void> {
    await this.#next(async () => {
      const { trusted, ...lists } = readProfileSettings();
      // VS Code hides the settings of an untrusted workspace, so a new list would replace the hidden one.
      if (scope === 'workspace' && !trusted) {
        throw new ProjectError('misuse', 'untrusted_workspace', 'The workspace is not trusted.');
      }
      const list = change(lists[scope]);
      await vscode.workspace.getConfiguration().update(settings.projects, list, targetOf(scope));
    });
  }

  async writeLocal(change: (setting: unknown) => UnknownRecord): Promise<void> {
    await this.#next(async () => {
      const changed = change(readLocalFields());
      await vscode.workspace.getConfiguration().update(settings.localServiceProjects, changed, targetOf('user'));
    });
  }

  async #next(write: () => Promise<void>): Promise<void> {
    const writing = this.#lastWrite.then(write);
    this.#lastWrite = writing.catch(() => undefined);
    await writing;
  }
}

/** Writes a setting where it is set now: for the workspace, else for the user. */
export async function changeSetting(name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const scope = configuration.inspect(name)?.workspaceValue === undefined ? 'user' : 'workspace';
  await configuration.update(name, value, targetOf(scope));
}

/** Calls back when one of the settings has changed. */
export const onSettingChange = (names: readonly string[], listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration(event => {
    if (names.some(name => event.affectsConfiguration(name))) listener();
  });
