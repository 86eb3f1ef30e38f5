import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type ServedMethods, serveMethods } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import {
  type BudgetName,
  budgetNames,
  type SaveRequest,
  settingsBridge,
  type FieldTexts,
  type ProjectEntry,
  type SettingsProblem,
  type SettingsState,
} from '../../protocol/settings.ts';
import { changeSetting, onSettingChange, readProfileSettings } from '../connections/profileSettings.ts';
import { commandId, panels, settings } from '../names.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { showError } from '../notifications.ts';
import { choose } from '../questions.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { type EditParts, saveProject, testProject } from './editProject.ts';
import { openProjectSettings } from './openSettings.ts';
import { decodeProfiles, type Profile } from '../../model/profiles.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { Projects } from '../connections/projects.ts';
import { defaultResultLimits, projectFieldNames, protectionLabels } from '../../protocol/projectFields.ts';

export interface SettingsPageParts extends EditParts {
  readonly extensionUri: vscode.Uri;
  readonly addProject: () => Promise<void>;
}

/** The page of projects and credentials. It sees whether a key is set, but never the key. */
export class SettingsPage implements Disposable {
  readonly #parts: SettingsPageParts;
  #panel: vscode.WebviewPanel | undefined;
  #bridge: BridgeServer<typeof settingsBridge.events> | undefined;
  /** Unsaved texts by project. The page may be hidden, and VS Code removes a hidden page. */
  readonly #drafts = new Map<string, SaveRequest>();
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
    this.#edit();
  }

  restore(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#fill(panel);
  }

  dispose(): void {
    this.#drafts.clear();
    this.#panel?.dispose();
  }

  #fill(panel: vscode.WebviewPanel): void {
    const { extensionUri, projects, keys } = this.#parts;
    panel.iconPath = new vscode.ThemeIcon('database');
    const owned = new DisposableStore();
    this.#bridge = openPage(panel.webview, {
      extensionUri,
      bridge: settingsBridge,
      title: pageTitle(),
      methods: this.#methods(),
    });
    this.#panel = panel;
    owned.add(this.#bridge);
    owned.add(projects.onDidChange(() => void this.#send()));
    owned.add(keys.onDidChange(() => void this.#send()));
    const budgetSettings = budgetNames.map(name => settings[name]);
    owned.add(onSettingChange(budgetSettings, () => void this.#send()));
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#bridge = undefined;
      owned.dispose();
      void this.#offerToSave();
    });
    this.#showTitle();
  }

  #methods(): ServedMethods {
    return serveMethods(settingsBridge.methods, {
      ready: async () => {
        await this.#send();
        if (this.#drafts.size > 0) this.#bridge?.notify('drafts', [...this.#drafts.values()]);
        this.#edit();
      },
      edited: draft => this.#keepDraft(draft),
      save: async request => {
        await saveProject(this.#parts, request);
        this.#keepDraft({ id: request.id, fields: {} });
      },
      test: async ({ id }) => {
        const profile = await this.#parts.projects.find(id);
        return profile ? testProject(this.#parts, profile) : null;
      },
      saveBudget: ({ name, value }) => changeSetting(settings[name], Number(value)),
      openSettings: openProjectSettings,
      add: async () => {
        await this.#parts.addProject();
        this.#restoreFocus();
      },
      tryLocally: () => this.#run(commandId('tryLocally')),
      import: () => this.#run(commandId('importProjects')),
      export: () => this.#run(commandId('exportProjects')),
      remove: ({ id }) => this.#run(commandId('removeProject'), id),
      copyToWorkspace: ({ id }) => this.#run(commandId('copyToWorkspace'), id),
      setKey: ({ id }) => this.#run(commandId('setKey'), id),
      issueKey: ({ id }) => this.#run(commandId('issueKey'), id),
      forgetKey: ({ id }) => this.#run(commandId('forgetKey'), id),
    });
  }

  /** A question to the user is a command, so that it works the same from every place. */
  async #run(command: string, id?: string): Promise<void> {
    await vscode.commands.executeCommand(command, id);
    this.#restoreFocus();
  }

  /** After a dialog, VS Code leaves the focus beside the page, where keys go nowhere. */
  #restoreFocus(): void {
    if (this.#panel?.active) this.#panel.reveal();
  }

  async #send(): Promise<void> {
    const current = ++this.#requestedState;
    const state = await settingsState(this.#parts.projects, this.#parts.keys);
    // A slow local service may answer an earlier request after a later one.
    if (current < this.#sentState) return;
    this.#sentState = current;
    this.#bridge?.notify('state', state);
  }

  #keepDraft(draft: SaveRequest): void {
    if (Object.keys(draft.fields).length > 0) this.#drafts.set(draft.id, draft);
    else this.#drafts.delete(draft.id);
    this.#showTitle();
  }

  /** Marks the tab while texts are unsaved, as VS Code marks the tabs of files. */
  #showTitle(): void {
    const title = this.#drafts.size > 0 ? `● ${pageTitle()}` : pageTitle();
    if (this.#panel && this.#panel.title !== title) this.#panel.title = title;
  }

  /** VS Code closes the tab without a question, so the question comes afterwards. Cancel brings the page back. */
  async #offerToSave(): Promise<void> {
    const drafts = [...this.#drafts.values()];
    if (drafts.length === 0) return;
    const save = vscode.l10n.t('Save');
    const discard = vscode.l10n.t("Don't Save");
    const detail = vscode.l10n.t("Your changes will be lost if you don't save them.");
    const chosen = await choose(await this.#saveQuestion(drafts), detail, [save, discard]);
    if (chosen === discard) return this.#drafts.clear();
    if (chosen !== save) return this.open();
    try {
      for (const draft of drafts) {
        await saveProject(this.#parts, draft);
        this.#drafts.delete(draft.id);
      }
    } catch (thrown) {
      this.open();
      void showError(errorMessage(thrown));
    }
  }

  async #saveQuestion([draft, ...others]: readonly SaveRequest[]): Promise<string> {
    if (others.length > 0) return vscode.l10n.t('Save the changes to all edited projects?');
    const profile = await this.#parts.projects.find(draft!.id);
    return vscode.l10n.t("Save the changes to '{0}'?", profile?.name ?? draft!.id);
  }

  #edit(): void {
    if (!this.#bridge) return;
    if (this.#editedId !== undefined) this.#bridge.notify('edit', { id: this.#editedId });
    this.#editedId = undefined;
  }
}

const pageTitle = (): string => vscode.l10n.t('Manage Projects');

async function settingsState(projects: Projects, keys: KeyStore): Promise<SettingsState> {
  const { profiles, problems, localFault } = await projects.list();
  // The workspace may raise the protection of a user's project. The form shows the user's own value.
  const userProfiles = decodeProfiles(readProfileSettings().user).profiles;
  const entries = profiles.map(async profile => {
    const own = userProfiles.find(({ id }) => id === profile.id) ?? profile;
    const key = await keys.stored(profile);
    return projectEntry(profile, own, key && (key.since ?? ''));
  });
  const shownProblems: SettingsProblem[] = problems.map(problem => ({
    message: profileProblemMessage(problem),
    scope: problem.scope,
  }));
  if (localFault !== undefined) shownProblems.push({ message: errorMessage(localFault), scope: undefined });
  return {
    projects: await Promise.all(entries),
    problems: shownProblems,
    budgets: { maxRows: budgetText('maxRows'), maxBytesMb: budgetText('maxBytesMb') },
    hasWorkspace: vscode.workspace.workspaceFolders !== undefined && vscode.workspace.isTrusted,
  };
}

function projectEntry(profile: Profile, own: Profile, keySince: string | undefined): ProjectEntry {
  const { id, name, scope, protection } = profile;
  const raised = protection === own.protection ? undefined : protectionLabels()[protection];
  return {
    id,
    name,
    scope,
    fields: fieldTexts(own),
    keySince: keySince === undefined ? undefined : localDate(keySince),
    note: raised && vscode.l10n.t('The workspace settings raise the protection to {0}.', raised),
  };
}

const fieldTexts = (profile: Profile): FieldTexts =>
  Object.fromEntries(projectFieldNames.map(name => [name, String(profile[name] ?? '')])) as FieldTexts;

/** The setting as text. The field shows a wrong value too, with a message. */
function budgetText(name: BudgetName): string {
  const value = vscode.workspace.getConfiguration().get<unknown>(settings[name]) ?? defaultResultLimits[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function localDate(isoDate: string): string {
  const date = new Date(isoDate);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(vscode.env.language);
}
