import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SettingsLabels } from '../../protocol/labels.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { decodeProjectRef, settingsEvents, settingsMethods, type SettingsState } from '../../protocol/settings.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { Projects } from '../connections/projects.ts';
import { commands } from '../names.ts';
import { sentenceFor, sentenceForProfile } from '../problems.ts';
import { openPage } from '../webviews/webviewPage.ts';

export interface SettingsPageParts {
  readonly extensionUri: vscode.Uri;
  readonly projects: Projects;
  readonly keys: KeyStore;
}

/** The page of projects and credentials. It learns whether a key is set, and never the key. */
export class SettingsPage implements Disposable {
  readonly #parts: SettingsPageParts;
  #panel: vscode.WebviewPanel | undefined;

  constructor(parts: SettingsPageParts) {
    this.#parts = parts;
  }

  open(): void {
    if (this.#panel) this.#panel.reveal();
    else this.#create();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #create(): void {
    const { extensionUri, projects, keys } = this.#parts;
    const title = vscode.l10n.t('SQL Projects and Credentials');
    const panel = vscode.window.createWebviewPanel('sqlProjects.settings', title, vscode.ViewColumn.Active);
    this.#panel = panel;
    panel.iconPath = new vscode.ThemeIcon('database');
    const owned = new DisposableStore();
    const peer = openPage(panel.webview, {
      extensionUri,
      bundle: 'settings',
      title,
      labels: settingsLabels(),
      methods: {
        [settingsMethods.ready]: () => this.#send(peer),
        [settingsMethods.setKey]: keyCommand(commands.setKey),
        [settingsMethods.forgetKey]: keyCommand(commands.forgetKey),
        [settingsMethods.openSettings]: async () => {
          await vscode.commands.executeCommand(commands.openSettings);
        },
      },
    });
    owned.add(peer);
    owned.add(projects.onDidChange(() => void this.#send(peer)));
    owned.add(keys.onDidChange(() => void this.#send(peer)));
    panel.onDidDispose(() => {
      this.#panel = undefined;
      owned.dispose();
    });
  }

  async #send(peer: RpcPeer): Promise<void> {
    const { projects, keys } = this.#parts;
    const { profiles, problems, localFault } = await projects.known();
    const state: SettingsState = {
      projects: await Promise.all(
        profiles.map(async profile => {
          const since = await keys.since(profile);
          const { id, name, baseUrl, projectId, source } = profile;
          return { id, name, baseUrl, projectId, source, keySince: since === undefined ? undefined : inWords(since) };
        }),
      ),
      problems: [...problems.map(sentenceForProfile), ...(localFault === undefined ? [] : [sentenceFor(localFault)])],
    };
    peer.notify(settingsEvents.state, state);
  }
}

const keyCommand =
  (command: string) =>
  async (params: unknown): Promise<void> => {
    await vscode.commands.executeCommand(command, decodeProjectRef(params));
  };

function inWords(isoDate: string): string {
  const date = new Date(isoDate);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(vscode.env.language);
}

function settingsLabels(): SettingsLabels {
  return {
    title: vscode.l10n.t('Projects and Credentials'),
    intro: vscode.l10n.t(
      'Keys are kept in the secret storage of VS Code. They are never shown and never written to a setting.',
    ),
    empty: vscode.l10n.t('No projects yet. Add one to the settings.'),
    keySince: vscode.l10n.t('Key set on {0}'),
    noKey: vscode.l10n.t('No key set'),
    setKey: vscode.l10n.t('Set Key…'),
    replaceKey: vscode.l10n.t('Replace Key…'),
    forgetKey: vscode.l10n.t('Forget Key'),
    editSettings: vscode.l10n.t('Edit Projects in Settings'),
    local: vscode.l10n.t('local service'),
    problems: vscode.l10n.t('Problems'),
    failed: vscode.l10n.t('This could not be done. Try again, or reload the window.'),
  };
}
