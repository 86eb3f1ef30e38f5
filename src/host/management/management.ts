import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { type Profile, decodeProfiles } from '../../model/profiles.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';
import {
  colorLabels,
  type ProjectColor,
  projectColors,
  protectionDescriptions,
  protectionLabels,
  protections,
} from '../../protocol/projectFields.ts';
import { ProjectError } from '../../base/errors.ts';
import { addEntries, entryOf } from '../../model/profileEntries.ts';
import { projectEntriesIn } from '../../model/projectsFile.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { projectErrorMessage, remedyCommand, offerProjects } from '../remedies.ts';
import type { ClientWatch } from '../connections/clients.ts';
import type { LocalKeys } from '../connections/keyStore.ts';
import { isListed, toggleListed } from '../connections/settingLists.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { commandId, settings, views } from '../names.ts';
import { showError, showInformation, showWarning } from '../notifications.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { vscodeStepPrompts } from '../prompts/steps.ts';
import { protectionIcons } from '../projectAppearance.ts';
import type { Projects } from '../connections/projects.ts';
import { decodeSettingsPlace, openProjectSettings } from './openSettings.ts';
import { ProfileWriter } from './profileWriter.ts';
import { addProject } from './addProject.ts';
import { connectionMessage, copyToWorkspace, type EditParts, removeProject, saveProject } from './editProject.ts';
import { SettingsPage } from './settingsPage.ts';

export interface ManagementParts extends Omit<EditParts, 'writer'> {
  readonly localKeys: LocalKeys;
  readonly watch: ClientWatch;
  readonly extensionUri: vscode.Uri;
}

/** Adding, changing and removing projects. The bundle loads this file when the user first manages projects. */
export class Management extends DisposableStore {
  readonly #parts: EditParts & ManagementParts;
  readonly page: SettingsPage;

  constructor(parts: ManagementParts) {
    super();
    this.#parts = { ...parts, writer: new ProfileWriter() };
    const addAnother = (): Promise<void> => showingErrors(async () => void (await this.#addProject()));
    this.page = this.add(new SettingsPage({ ...this.#parts, addProject: addAnother }));
  }

  restorePage({ panel, closeSignal }: RestoredPanel): void {
    if (!closeSignal.aborted) this.page.restore(panel);
  }

  async editProject(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (profile) this.page.open(profile.id);
  }

  /** Adds a project and gives it the focus: the welcome view with the button may be gone by then. */
  async addProject(reveal: (profile: Profile) => Promise<void>): Promise<void> {
    await showingErrors(async () => {
      const added = await this.#addProject();
      const listed = added && (await this.#parts.projects.find(added.id));
      if (listed) await reveal(listed);
    });
  }

  readonly removeProject = this.#changing(removeProject, ({ scope }) => scope !== undefined);
  readonly protectProject = this.#changing(chooseProtection);
  readonly colorProject = this.#changing(chooseColor);
  readonly copyToWorkspace = this.#changing(copyToWorkspace, ({ scope }) => scope === 'user');

  async testConnection(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (!profile) return;
    try {
      const test = (): Promise<string> => connectionMessage(this.#parts, profile);
      void showInformation(await vscode.window.withProgress({ location: { viewId: views.projects } }, test));
    } catch (thrown) {
      const retry = { command: commandId('testConnection'), title: remedyLabels().tryAgain, arguments: [profile.id] };
      const { command, title, arguments: args } = remedyCommand(thrown, profile) ?? retry;
      if ((await showError(projectErrorMessage(thrown, profile), title)) !== title) return;
      await vscode.commands.executeCommand(command, ...args);
    }
  }

  /** Hides a project from AI agents, or shows it to them. */
  async agentAccess(argument: ProjectArgument): Promise<void> {
    await this.#toggleListed(settings.agentsHidden, argument, name => ({
      listed: vscode.l10n.t("AI agents no longer see '{0}'.", name),
      unlisted: vscode.l10n.t("AI agents see '{0}' again.", name),
    }));
  }

  /** Leaves a project out of the history, or takes it in again. */
  async toggleHistory(argument: ProjectArgument): Promise<void> {
    await this.#toggleListed(settings.historyExcluded, argument, name => ({
      listed: vscode.l10n.t("The history records no more runs in '{0}'. Entries that it has stay.", name),
      unlisted: vscode.l10n.t("The history records runs in '{0}' again.", name),
    }));
  }

  async importProjects(): Promise<void> {
    await showingErrors(() => importProjects(this.#parts.writer));
  }

  /** Opens the settings file at the list of projects, or at the entry with a problem. */
  async openSettings(place: unknown): Promise<void> {
    await openProjectSettings(decodeSettingsPlace(place) ?? { scope: 'user' });
  }

  async exportProjects(): Promise<void> {
    await showingErrors(() => exportProjects(this.#parts.projects));
  }

  /** Makes a command that changes the project of its argument. */
  #changing(
    change: (parts: EditParts, profile: Profile) => Promise<void>,
    accepts?: (profile: Profile) => boolean,
  ): (argument: ProjectArgument) => Promise<void> {
    return async argument => {
      const profile = await projectOfArgument(this.#parts.projects, argument, accepts);
      if (profile) await showingErrors(() => change(this.#parts, profile));
    };
  }

  /** Adds a project to a list of the user's settings, or removes it. */
  async #toggleListed(
    setting: string,
    argument: ProjectArgument,
    textsFor: (name: string) => { readonly listed: string; readonly unlisted: string },
  ): Promise<void> {
    const { projects } = this.#parts;
    const profile = await projectOfArgument(projects, argument);
    if (!profile) return;
    const { listed, unlisted } = textsFor(profile.name);
    await showingErrors(async () => {
      const wasListed = isListed(setting, profile);
      const { profiles } = await projects.list();
      const isNowListed = await toggleListed(setting, profile, profiles);
      const kept = vscode.l10n.t("The workspace settings list '{0}'. Remove it there from {1}.", profile.name, setting);
      void showInformation(!isNowListed ? unlisted : wasListed ? kept : listed);
    });
  }

  async #addProject(): Promise<Profile | undefined> {
    const added = await addProject({
      ...this.#parts,
      prompts: vscodeStepPrompts,
      findProject: id => this.#parts.projects.find(id),
    });
    if (added) void showInformation(added.message);
    return added?.profile;
  }
}

/** VS Code shows no useful message when a command rejects, so this does. */
async function showingErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    void showError(errorMessage(thrown));
  }
}

interface FieldItem extends vscode.QuickPickItem {
  readonly value: string;
}

interface FieldPrompt {
  readonly field: 'protection' | 'color';
  readonly title: string;
  readonly items: readonly FieldItem[];
}

async function chooseProtection(parts: EditParts, profile: Profile): Promise<void> {
  const labels = protectionLabels();
  const chosen = await chooseField(parts, profile, {
    field: 'protection',
    title: vscode.l10n.t("Protection of '{0}'", profile.name),
    items: protections.map(value => ({
      value,
      label: labels[value],
      detail: protectionDescriptions()[value],
      iconPath: new vscode.ThemeIcon(protectionIcons[value]),
    })),
  });
  const saved = await parts.projects.find(profile.id);
  if (chosen === undefined || !saved || saved.protection === chosen) return;
  void showInformation(vscode.l10n.t('The workspace settings raise the protection to {0}.', labels[saved.protection]));
}

async function chooseColor(parts: EditParts, profile: Profile): Promise<void> {
  const labels = colorLabels();
  await chooseField(parts, profile, {
    field: 'color',
    title: vscode.l10n.t("Color of '{0}'", profile.name),
    items: [
      { value: '', label: vscode.l10n.t('None'), iconPath: new vscode.ThemeIcon('circle-slash') },
      ...projectColors.map(value => ({ value, label: labels[value], iconPath: colorDots[value] })),
    ],
  });
}

async function chooseField(
  parts: EditParts,
  profile: Profile,
  { field, title, items }: FieldPrompt,
): Promise<string | undefined> {
  const currentValue = profile[field] ?? '';
  const pick = vscode.window.createQuickPick<FieldItem>();
  const { promise, resolve } = Promise.withResolvers<FieldItem | undefined>();
  pick.title = title;
  pick.ignoreFocusOut = true;
  pick.items = items.map(item =>
    item.value === currentValue ? { ...item, description: vscode.l10n.t('current') } : item,
  );
  // Enter alone changes nothing.
  pick.activeItems = pick.items.filter(({ value }) => value === currentValue);
  pick.onDidAccept(() => resolve(pick.selectedItems[0]));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  const choice = await promise;
  pick.dispose();
  if (choice) await saveProject(parts, { id: profile.id, fields: { [field]: choice.value } });
  return choice?.value;
}

/** Quick picks show theme icons without their color, so the dots are images. */
const colorDots: Readonly<Record<ProjectColor, vscode.IconPath>> = {
  red: { light: dot('#d1242f'), dark: dot('#f85149') },
  orange: { light: dot('#c4620a'), dark: dot('#ff9b3d') },
  yellow: { light: dot('#8a7600'), dark: dot('#e5c100') },
  green: { light: dot('#2e7d32'), dark: dot('#89d185') },
  blue: { light: dot('#0b66d6'), dark: dot('#4aa0ff') },
  purple: { light: dot('#652d90'), dark: dot('#b180d7') },
};

function dot(color: string): vscode.Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5" fill="${color}"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

const fileName = 'sql-projects.json';
const filters = (): Record<string, string[]> => ({ [vscode.l10n.t('Projects')]: ['json'] });

/** Writes the projects of the settings into a file, in the form of the setting. The file has no keys. */
export async function exportProjects(projects: Projects): Promise<void> {
  const { profiles } = await projects.list();
  const entries = profiles.filter(({ scope }) => scope !== undefined).map(entryOf);
  if (entries.length === 0) {
    return offerProjects(vscode.l10n.t('There are no projects in the settings to export.'));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
    filters: filters(),
    title: vscode.l10n.t('Export Projects'),
  });
  if (!file) return;
  const text = `${JSON.stringify({ [settings.projects]: entries }, null, 2)}\n`;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  const count = entries.length;
  const summary = count === 1 ? vscode.l10n.t('Exported 1 project.') : vscode.l10n.t('Exported {0} projects.', count);
  void showInformation(`${summary} ${leftOut(profiles.length - count)}`);
}

function leftOut(localCount: number): string {
  if (localCount === 0) return vscode.l10n.t('API keys are not in the file.');
  return localCount === 1
    ? vscode.l10n.t('API keys and 1 project of a local service are not in the file.')
    : vscode.l10n.t('API keys and {0} projects of local services are not in the file.', localCount);
}

/** Adds the projects of a file to the user's settings. Projects that are there already stay as they are. */
export async function importProjects(writer: ProfileWriter): Promise<void> {
  const title = vscode.l10n.t('Import Projects');
  const [file] = (await vscode.window.showOpenDialog({ filters: filters(), title })) ?? [];
  if (!file) return;
  const { profiles, problems } = decodeProfiles(entriesIn(await vscode.workspace.fs.readFile(file)));
  let addedProfiles: readonly Profile[] = [];
  await writer.write('user', setting => {
    const presentIds = new Set(decodeProfiles(setting).profiles.map(({ id }) => id));
    addedProfiles = profiles.filter(({ id }) => !presentIds.has(id));
    return addEntries(setting, addedProfiles.map(entryOf));
  });
  const summary = [importedMessage(addedProfiles.length), presentMessage(profiles.length - addedProfiles.length)];
  const faults = problems.map(profileProblemMessage);
  const message = [...summary, ...faults].filter(text => text !== '').join(' ');
  const setKeys = addedProfiles.length === 1 ? vscode.l10n.t('Set API Key') : vscode.l10n.t('Set API Keys');
  const buttons = addedProfiles.length > 0 ? [setKeys] : [];
  const chosen = await (problems.length === 0 ? showInformation : showWarning)(message, ...buttons);
  if (chosen !== setKeys) return;
  for (const { id } of addedProfiles) await vscode.commands.executeCommand(commandId('setKey'), id);
}

function importedMessage(count: number): string {
  if (count === 0) return vscode.l10n.t('Imported no projects.');
  return count === 1
    ? vscode.l10n.t('Imported 1 project. Set its API key to use it.')
    : vscode.l10n.t('Imported {0} projects. Set their API keys to use them.', count);
}

function presentMessage(count: number): string {
  if (count === 0) return '';
  return count === 1 ? vscode.l10n.t('1 project already exists.') : vscode.l10n.t('{0} projects already exist.', count);
}

/** The file has the whole setting by its name, or its list alone. */
function entriesIn(bytes: Uint8Array): readonly unknown[] {
  const list = projectEntriesIn(Buffer.from(bytes).toString('utf8'), settings.projects);
  if (list) return list;
  throw new ProjectError('misuse', 'unreadable_file', vscode.l10n.t('The file is not a list of projects.'));
}
