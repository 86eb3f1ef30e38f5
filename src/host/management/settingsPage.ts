import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type ServedMethods, serve } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import { type BudgetName, budgetNames, settingsBridge } from '../../protocol/settings.ts';
import { openProjectSettings, targetOf } from '../connections/profileSettings.ts';
import { commands, panels, settings } from '../names.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { type EditParts, saveProject, testProject } from './editProject.ts';
import { settingsLabels } from './settingsLabels.ts';
import { settingsState } from './settingsState.ts';

export interface SettingsPageParts extends EditParts {
  readonly extensionUri: vscode.Uri;
  readonly addProject: () => Promise<void>;
}

/** The page of projects and credentials. It sees whether a key is set, but never the key. */
export class SettingsPage implements Disposable {
  readonly #parts: SettingsPageParts;
  #panel: vscode.WebviewPanel | undefined;
  #bridge: SettingsBridge | undefined;
  /** The project whose form the page opens as soon as it is loaded. */
  #editedId: string | undefined;
  /** The number of the latest state that was requested, and of the latest that the page has. */
  #requestedState = 0;
  #sentState = 0;

  constructor(parts: SettingsPageParts) {
    this.#parts = parts;
  }

  /** Shows the page, with the form of a project if there is an id. */
  open(id?: string): void {
    this.#editedId = id;
    if (!this.#panel) {
      this.#fill(vscode.window.createWebviewPanel(panels.settings, pageTitle(), vscode.ViewColumn.Active));
      return;
    }
    this.#panel.reveal();
    if (this.#bridge) this.#edit(this.#bridge);
  }

  /** Fills the editor that VS Code restored. */
  restore(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#fill(panel);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #fill(panel: vscode.WebviewPanel): void {
    const { extensionUri, projects, keys } = this.#parts;
    panel.iconPath = new vscode.ThemeIcon('database');
    const owned = new DisposableStore();
    const bridge: SettingsBridge = openPage(panel.webview, {
      extensionUri,
      bridge: settingsBridge,
      title: pageTitle(),
      labels: settingsLabels(),
      methods: this.#methods(() => bridge),
    });
    this.#panel = panel;
    this.#bridge = bridge;
    owned.add(bridge);
    owned.add(projects.onDidChange(() => void this.#send(bridge)));
    owned.add(keys.onDidChange(() => void this.#send(bridge)));
    owned.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (budgetNames.some(name => event.affectsConfiguration(settings[name]))) void this.#send(bridge);
      }),
    );
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#bridge = undefined;
      owned.dispose();
    });
  }

  #methods(bridge: () => SettingsBridge): ServedMethods {
    return serve(settingsBridge.methods, {
      ready: async () => {
        await this.#send(bridge());
        this.#edit(bridge());
      },
      save: request => saveProject(this.#parts, request),
      test: async ({ id }) => {
        const profile = await this.#parts.projects.find(id);
        return profile ? testProject(this.#parts, profile) : null;
      },
      saveBudget: ({ name, value }) => saveBudget(name, value),
      openSettings: ({ scope }) => openProjectSettings(scope),
      add: async () => {
        await this.#parts.addProject();
        this.#restoreFocus();
      },
      import: () => this.#run(commands.importProjects),
      export: () => this.#run(commands.exportProjects),
      remove: ({ id }) => this.#run(commands.removeProject, id),
      copyToWorkspace: ({ id }) => this.#run(commands.copyToWorkspace, id),
      setKey: ({ id }) => this.#run(commands.setKey, id),
      issueKey: ({ id }) => this.#run(commands.issueKey, id),
      forgetKey: ({ id }) => this.#run(commands.forgetKey, id),
    });
  }

  /** A question to the user is a command, so that it works the same from every place. */
  async #run(command: string, id?: string): Promise<void> {
    await vscode.commands.executeCommand(command, id);
    this.#restoreFocus();
  }

  /** After a dialog VS Code leaves the focus beside the page, where keys go nowhere. */
  #restoreFocus(): void {
    if (this.#panel?.active) this.#panel.reveal();
  }

  async #send(bridge: SettingsBridge): Promise<void> {
    const current = ++this.#requestedState;
    const state = await settingsState(this.#parts.projects, this.#parts.keys);
    // A slow local service may answer an earlier request after a later one.
    if (current < this.#sentState) return;
    this.#sentState = current;
    bridge.notify('state', state);
  }

  #edit(bridge: SettingsBridge): void {
    if (this.#editedId !== undefined) bridge.notify('edit', { id: this.#editedId });
    this.#editedId = undefined;
  }
}

type SettingsBridge = BridgeServer<typeof settingsBridge.events>;

const pageTitle = (): string => vscode.l10n.t('SQL Projects and Credentials');

/** Written to where it was set, as a person who edits the settings would. */
async function saveBudget(budget: BudgetName, value: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const name = settings[budget];
  const scope = configuration.inspect(name)?.workspaceValue === undefined ? 'user' : 'workspace';
  await configuration.update(name, Number(value), targetOf(scope));
}
