import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import type { Methods, RpcPeer } from '../../protocol/rpc.ts';
import {
  budgetNames,
  decodeBudget,
  decodeProjectRef,
  decodeSaveRequest,
  decodeScope,
  settingsEvents,
  settingsMethods,
} from '../../protocol/settings.ts';
import { openSettings } from '../commands/openSettings.ts';
import { targetOf } from '../connections/profileSettings.ts';
import { commands, panels, settings } from '../names.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { type EditParts, saveProject, testProject } from './editProject.ts';
import { settingsLabels } from './settingsLabels.ts';
import { settingsState } from './settingsState.ts';

export interface SettingsPageParts extends EditParts {
  readonly extensionUri: vscode.Uri;
  /** Adds a project; the focus comes back to the page. */
  readonly add: () => Promise<void>;
}

/** The page of projects and credentials. It learns whether a key is set, and never the key. */
export class SettingsPage implements Disposable {
  readonly #parts: SettingsPageParts;
  #panel: vscode.WebviewPanel | undefined;
  #peer: RpcPeer | undefined;
  /** A project whose form is wanted before the page is there to show it. */
  #wanted: string | undefined;
  /** How many states were asked for, and which of them is the latest that the page has. */
  #asked = 0;
  #sent = 0;

  constructor(parts: SettingsPageParts) {
    this.#parts = parts;
  }

  /** Shows the page, and on it the form of a project when one is named. */
  open(id?: string): void {
    this.#wanted = id;
    if (!this.#panel) {
      this.#fill(vscode.window.createWebviewPanel(panels.settings, pageTitle(), vscode.ViewColumn.Active));
      return;
    }
    this.#panel.reveal();
    if (this.#peer) this.#edit(this.#peer);
  }

  /** Shows the page in the editor in which it was when the window was closed. */
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
    const peer = openPage(panel.webview, {
      extensionUri,
      bundle: 'settings',
      title: pageTitle(),
      labels: settingsLabels(),
      methods: this.#methods(() => peer),
    });
    this.#panel = panel;
    this.#peer = peer;
    owned.add(peer);
    owned.add(projects.onDidChange(() => void this.#send(peer)));
    owned.add(keys.onDidChange(() => void this.#send(peer)));
    owned.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (budgetNames.some(name => event.affectsConfiguration(settings[name]))) void this.#send(peer);
      }),
    );
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#peer = undefined;
      owned.dispose();
    });
  }

  #methods(peer: () => RpcPeer): Methods {
    return {
      [settingsMethods.ready]: async () => {
        await this.#send(peer());
        this.#edit(peer());
      },
      [settingsMethods.save]: async params => {
        const request = decodeSaveRequest(params);
        if (!request)
          throw new ProjectError('misuse', 'unreadable_message', 'The page asked for something that cannot be read.');
        await saveProject(this.#parts, request);
      },
      [settingsMethods.test]: async params => {
        const profile = await this.#parts.projects.find(decodeProjectRef(params) ?? '');
        return profile && testProject(this.#parts, profile);
      },
      [settingsMethods.saveBudget]: saveBudget,
      [settingsMethods.openSettings]: async params => openSettings(decodeScope(params) ?? 'user'),
      [settingsMethods.add]: async () => {
        await this.#parts.add();
        this.#takeFocusBack();
      },
      [settingsMethods.import]: this.#command(commands.importProjects),
      [settingsMethods.export]: this.#command(commands.exportProjects),
      [settingsMethods.remove]: this.#command(commands.removeProject),
      [settingsMethods.copyToWorkspace]: this.#command(commands.copyToWorkspace),
      [settingsMethods.setKey]: this.#command(commands.setKey),
      [settingsMethods.forgetKey]: this.#command(commands.forgetKey),
    };
  }

  /** Everything that asks the user is a command, so that it is the same from wherever it is called. */
  #command(name: string) {
    return async (params: unknown): Promise<void> => {
      await vscode.commands.executeCommand(name, decodeProjectRef(params));
      this.#takeFocusBack();
    };
  }

  /** After a dialog VS Code leaves the focus beside the page, where keys go nowhere. */
  #takeFocusBack(): void {
    if (this.#panel?.active) this.#panel.reveal();
  }

  async #send(peer: RpcPeer): Promise<void> {
    const current = ++this.#asked;
    const state = await settingsState(this.#parts.projects, this.#parts.keys);
    // While a local service is slow to answer, what was asked for later may be there sooner.
    if (current < this.#sent) return;
    this.#sent = current;
    peer.notify(settingsEvents.state, state);
  }

  #edit(peer: RpcPeer): void {
    if (this.#wanted !== undefined) peer.notify(settingsEvents.edit, this.#wanted);
    this.#wanted = undefined;
  }
}

const pageTitle = (): string => vscode.l10n.t('SQL Projects and Credentials');

/** Written to where it was set, as a person who edits the settings would. */
async function saveBudget(params: unknown): Promise<void> {
  const budget = decodeBudget(params);
  if (!budget)
    throw new ProjectError('misuse', 'unreadable_message', 'The page asked for something that cannot be read.');
  const configuration = vscode.workspace.getConfiguration();
  const name = settings[budget.name];
  const scope = configuration.inspect(name)?.workspaceValue === undefined ? 'user' : 'workspace';
  await configuration.update(name, Number(budget.value), targetOf(scope));
}
