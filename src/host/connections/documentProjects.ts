import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asRecord, asString } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import { chooseProject, moveAssignments, type ProjectChoice } from '../../model/projectChoice.ts';
import { type ProjectLine, projectLineOf } from '../../sql/directives/projectLine.ts';
import { commands } from '../names.ts';
import { showError, withoutIcons } from '../notifications.ts';
import { projectIcon, protectionNote } from '../projectAppearance.ts';
import { onDidMoveDocument } from './documentMoves.ts';
import type { Projects } from './projects.ts';

const storageKey = 'sqlProjects.documentProjects';
/** The head of a document, in lines: what names its project stands there or nowhere. */
export const headLines = 100;

/**
 * Which project the statements of a document go to. A line at its head says so, or it was asked once: for files that is
 * remembered in the workspace, for untitled ones as long as they are open. A document whose project is not there is
 * never run in another one unasked.
 */
export class DocumentProjects implements Disposable {
  readonly #projects: Projects;
  readonly #memory: vscode.Memento;
  readonly #untitled = new Map<string, string>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());

  /** Heard when a document was assigned to another project. */
  readonly onDidChange = this.#changes.event;

  constructor(projects: Projects, memory: vscode.Memento) {
    this.#projects = projects;
    this.#memory = memory;
    this.#owned.add(onDidMoveDocument((from, to) => void this.#move(from.toString(), to.toString())));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#untitled.delete(uri.toString())));
  }

  async assign(document: vscode.Uri, profile: Profile): Promise<void> {
    if (this.#assignedTo(document) === profile.id) return;
    if (document.scheme === 'untitled') this.#untitled.set(document.toString(), profile.id);
    else await this.#memory.update(storageKey, { ...this.#remembered(), [document.toString()]: profile.id });
    this.#changes.fire();
  }

  /** Where the document's statements go, as far as that is known without asking. */
  async choiceFor(document: vscode.TextDocument): Promise<ProjectChoice> {
    const { profiles } = await this.#projects.list();
    const assignedId = this.#assignedTo(document.uri);
    return chooseProject(profiles, { named: projectLineIn(document)?.name, assignedId });
  }

  /** The document's project; undefined when nothing was chosen. The user is asked unless there is but one answer. */
  async projectOf(document: vscode.TextDocument): Promise<Profile | undefined> {
    const choice = await this.choiceFor(document);
    if (choice.kind === 'project') {
      // The only project of today need not be the only one tomorrow.
      if (!projectLineIn(document)) await this.assign(document.uri, choice.profile);
      return choice.profile;
    }
    if (choice.kind === 'unknownName' || choice.kind === 'ambiguousName') {
      await offerOtherName(choice);
      return undefined;
    }
    const chosen = await promptForProject((await this.#projects.list()).profiles);
    if (chosen) await this.assign(document.uri, chosen);
    return chosen;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #move(from: string, to: string): Promise<void> {
    const before = { ...this.#remembered(), ...(this.#untitled.has(from) ? { [from]: this.#untitled.get(from) } : {}) };
    await this.#memory.update(storageKey, moveAssignments(before, from, to));
    this.#changes.fire();
  }

  #assignedTo(document: vscode.Uri): string | undefined {
    const name = document.toString();
    return this.#untitled.get(name) ?? asString(this.#remembered()[name]);
  }

  #remembered(): Readonly<Record<string, unknown>> {
    return asRecord(this.#memory.get(storageKey)) ?? {};
  }
}

/** The line of the document's head that names its project. */
export function projectLineIn(document: vscode.TextDocument): ProjectLine | undefined {
  return projectLineOf(document.getText(new vscode.Range(0, 0, headLines, 0)));
}

/** Why a name that stands in the document leads nowhere. */
export function projectNameMessage({ kind, name }: Extract<ProjectChoice, { name: string }>): string {
  return kind === 'unknownName'
    ? vscode.l10n.t('The first lines of this file name the project "{0}", and there is no project of that name.', name)
    : vscode.l10n.t('The first lines of this file name the project "{0}", and several projects have that name.', name);
}

async function offerOtherName(choice: Extract<ProjectChoice, { name: string }>): Promise<void> {
  const choose = vscode.l10n.t('Choose Project');
  const message = vscode.l10n.t('{0} Nothing was run.', projectNameMessage(choice));
  if ((await showError(message, choose)) === choose) {
    await vscode.commands.executeCommand(commands.chooseProject);
  }
}

/** Lets the user choose; undefined when nothing is chosen or there is nothing to choose from. */
export async function promptForProject(profiles: readonly Profile[]): Promise<Profile | undefined> {
  if (profiles.length === 0) return undefined;
  const items = profiles.map(profile => ({
    label: withoutIcons(profile.name),
    iconPath: projectIcon(profile),
    // The rule first, since a narrow list cuts off what is last.
    description: withoutIcons([protectionNote(profile.protection), profile.baseUrl].filter(Boolean).join(' · ')),
    profile,
  }));
  const title = vscode.l10n.t('Choose a project');
  // A page that had the focus takes it back when the palette closes, which may be after this has opened.
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true });
  return picked?.profile;
}
