import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/decode.ts';
import { WorkQueue } from '../../base/workQueue.ts';
import type { SettingsScope } from '../../model/profiles.ts';
import { readLocalFields, readProfileSettings } from '../connections/profileSettings.ts';
import { settings } from '../names.ts';

const targets = { user: vscode.ConfigurationTarget.Global, workspace: vscode.ConfigurationTarget.Workspace };

/** Writes changes of the settings one after another: each change starts from the result of the one before. */
export class ProfileWriter {
  readonly #writes = new WorkQueue();

  /** Replaces the list of projects. If `change` throws, this rejects and writes nothing. */
  async write(scope: SettingsScope, change: (setting: unknown) => unknown[]): Promise<void> {
    await this.#writes.run(async () => {
      const { trusted, ...lists } = readProfileSettings();
      // VS Code hides the settings of an untrusted workspace, so a new list would replace the hidden one.
      if (scope === 'workspace' && !trusted) {
        throw new ProjectError('misuse', 'untrusted_workspace', 'The workspace is not trusted.');
      }
      const list = change(lists[scope]);
      await vscode.workspace.getConfiguration().update(settings.projects, list, targets[scope]);
    });
  }

  async writeLocal(change: (setting: unknown) => UnknownRecord): Promise<void> {
    await this.#writes.run(async () => {
      const changed = change(readLocalFields());
      await vscode.workspace.getConfiguration().update(settings.localServiceProjects, changed, targets.user);
    });
  }
}
