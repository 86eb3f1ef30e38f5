import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asRecord, asString } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import { SavedDocuments } from '../../model/savedDocuments.ts';
import { chooseProject, moveAssignments, type ProjectChoice } from '../../model/projectChoice.ts';
import { type ProjectLine, projectLineOf } from '../../sql/directives/projectLine.ts';
import { isEmbeddingLanguage } from '../../sql/embedded/embeddingLanguages.ts';
import { definitionProject } from '../../protocol/definitionUri.ts';
import { settings } from '../names.ts';
import { onSettingChange } from './profileSettings.ts';
import { embeddedProjectName } from './embeddedProject.ts';
import type { Projects } from './projects.ts';

const prompts = () => import('./projectPrompts.ts');

const storageKey = 'sqlProjects.documentProjects';
/** A line `-- @project` counts only among this many first lines of a document. */
const headLines = 100;

/**
 * Assigns documents to projects. A line at the head of a document names its project; otherwise the user chooses once. The
 * workspace stores the choice for files, and the window keeps it for untitled documents while they are open. If the project
 * of a document is missing, its statements go to no other project until the user chooses one.
 */
export class DocumentProjects extends DisposableStore {
  readonly #projects: Projects;
  readonly #memory: vscode.Memento;
  readonly #untitledChoices = new Map<string, string>();
  readonly #changes = this.add(new vscode.EventEmitter<vscode.TextDocument | undefined>());

  /** Fires with a document that may name another project; with undefined if any document may have another one. */
  readonly onDidChange = this.#changes.event;

  constructor(projects: Projects, memory: vscode.Memento) {
    super();
    this.#projects = projects;
    this.#memory = memory;
    this.add(onDidMoveDocument((from, to) => void this.#move(from.toString(), to.toString())));
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#untitledChoices.delete(uri.toString())));
    this.add(onSettingChange([settings.embeddedProject], () => this.#changes.fire(undefined)));
    this.add(projects.onDidChange(() => this.#changes.fire(undefined)));
    this.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.some(({ range }) => range.start.line < headLines)) this.#changes.fire(document);
      }),
    );
  }

  async assign(document: vscode.Uri, profile: Profile): Promise<void> {
    if (this.#assignedTo(document) === profile.id) return;
    if (document.scheme === 'untitled') this.#untitledChoices.set(document.toString(), profile.id);
    else await this.#memory.update(storageKey, { ...this.#storedChoices(), [document.toString()]: profile.id });
    this.#changes.fire(undefined);
  }

  /** The project of a document, without asking the user. */
  async choiceFor(document: vscode.TextDocument): Promise<ProjectChoice> {
    const { profiles } = await this.#projects.list();
    if (isEmbeddingLanguage(document.languageId)) return chooseBySetting(profiles, embeddedProjectName(document));
    // A line in a definition may come from anybody.
    const mayNameProject = definitionProject(document.uri) === undefined;
    const directiveName = mayNameProject ? projectLineIn(document)?.name : undefined;
    return chooseProject(profiles, { directiveName, assignedId: this.#assignedTo(document.uri) });
  }

  /** The project of a document. Asks if an SQL file has none. Undefined for a program without one, or if the user cancels. */
  async projectOf(document: vscode.TextDocument): Promise<Profile | undefined> {
    const choice = await this.choiceFor(document);
    const isProgram = isEmbeddingLanguage(document.languageId);
    if (choice.kind === 'project') {
      // Store the only project too: others may follow.
      if (!isProgram && !projectLineIn(document)) await this.assign(document.uri, choice.profile);
      return choice.profile;
    }
    if (isProgram && choice.kind === 'undecided') return undefined;
    if (choice.kind === 'unknownName' || choice.kind === 'ambiguousName') {
      await (await prompts()).showNameProblem(choice);
      return undefined;
    }
    const { promptForProject } = await prompts();
    const { profiles } = await this.#projects.list();
    const chosen = await promptForProject(profiles, { alwaysAsks: choice.kind === 'missing' });
    if (chosen) await this.choose(document, chosen);
    return chosen;
  }

  /** Assigns what the user has chosen, and offers it for the other files of the folder. */
  async choose({ uri }: vscode.TextDocument, profile: Profile): Promise<void> {
    await this.assign(uri, profile);
    if (uri.scheme === 'untitled') return;
    const { offerForFolder } = await prompts();
    void offerForFolder(uri, profile, folder => this.assign(folder, profile));
  }

  async #move(from: string, to: string): Promise<void> {
    const before = { ...this.#storedChoices() };
    if (this.#untitledChoices.has(from)) before[from] = this.#untitledChoices.get(from);
    await this.#memory.update(storageKey, moveAssignments(before, from, to));
    this.#changes.fire(undefined);
  }

  /** The id of the project of the document itself, or else of the nearest folder around it. A definition names its project. */
  #assignedTo(document: vscode.Uri): string | undefined {
    const definedIn = definitionProject(document);
    if (definedIn !== undefined) return definedIn;
    const choices = this.#storedChoices();
    let name = document.toString();
    const untitledChoice = this.#untitledChoices.get(name);
    if (untitledChoice !== undefined) return untitledChoice;
    while (!(name in choices) && name.includes('/')) name = name.slice(0, name.lastIndexOf('/'));
    return asString(choices[name]);
  }

  #storedChoices(): Readonly<Record<string, unknown>> {
    return asRecord(this.#memory.get(storageKey)) ?? {};
  }
}

/** Reports documents that continue at another URI: a file or a folder was renamed, or an untitled document was saved. */
function onDidMoveDocument(onMove: (from: vscode.Uri, to: vscode.Uri) => void): Disposable {
  const owned = new DisposableStore();
  const savedDocuments = new SavedDocuments<vscode.TextDocument>(monotonicClock);
  owned.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) onMove(oldUri, newUri);
    }),
  );
  owned.add(vscode.workspace.onDidOpenTextDocument(document => savedDocuments.noteOpened(document)));
  owned.add(
    vscode.workspace.onDidSaveTextDocument(file => savedDocuments.noteSaved(file, vscode.workspace.textDocuments)),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument(document => {
      const file = savedDocuments.takeSavedFile(document);
      if (file) onMove(document.uri, file.uri);
    }),
  );
  return owned;
}

/** SQL in a program goes only to the project that the setting names. */
function chooseBySetting(profiles: readonly Profile[], projectName: string | undefined): ProjectChoice {
  if (projectName === undefined) return { kind: 'undecided' };
  const choice = chooseProject(profiles, { directiveName: projectName, assignedId: undefined });
  return 'name' in choice ? { ...choice, isSetting: true } : choice;
}

export function projectLineIn(document: vscode.TextDocument): ProjectLine | undefined {
  return projectLineOf(document.getText(new vscode.Range(0, 0, headLines, 0)));
}
