import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { connectorTo } from '../../model/provenConnection.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import { sampleProject } from '../../wire/serviceFile.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';
import type { ReachableProject } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import { readLocalFolder } from '../connections/profileSettings.ts';
import { LocalServiceKeys } from '../connections/localServiceKeys.ts';
import type { ClientListeners } from '../log/callLog.ts';
import type { Projects } from '../connections/projects.ts';
import { commandId, settings, views } from '../names.ts';
import { showError } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { EmbeddedService } from './embeddedService.ts';
import { sampleStatements } from './sampleStatements.ts';

interface LocalProjectsParts {
  readonly context: vscode.ExtensionContext;
  readonly keys: KeyStore;
  readonly listeners: ClientListeners;
  readonly onDidChange: () => void;
}

/**
 * The projects of services on this machine: of the service whose data folder the settings name, and of the embedded one. An
 * empty `folder` stands for the embedded one.
 */
export class LocalProjects extends DisposableStore {
  readonly #serviceKeys: LocalServiceKeys;
  readonly #embeddedService: EmbeddedService;
  readonly #storage: vscode.Uri;

  constructor({ context, keys, listeners, onDidChange }: LocalProjectsParts) {
    super();
    this.#serviceKeys = new LocalServiceKeys(keys, listeners);
    this.#storage = context.globalStorageUri;
    this.#embeddedService = this.add(
      new EmbeddedService({
        folder: vscode.Uri.joinPath(context.globalStorageUri, 'localService').fsPath,
        script: context.asAbsolutePath('dist/service.mjs'),
        serviceKeys: this.#serviceKeys,
        keys,
      }),
    );
    this.add(this.#embeddedService.onDidChange(onDidChange));
    this.add(
      // The user may come from another window, and have tried the service there.
      vscode.window.onDidChangeWindowState(({ focused }) => void (focused && this.#embeddedService.refresh())),
    );
  }

  async profiles(folder: string): Promise<readonly Profile[]> {
    return folder ? this.#serviceKeys.profiles(folder) : this.#embeddedService.listedProjects();
  }

  /** Asks the embedded service which projects it has now. A service that was never used stays stopped. */
  async relist(): Promise<void> {
    const isEmpty = (await this.#embeddedService.listedProjects()).length === 0;
    if (readLocalFolder() === '' && !isEmpty) await this.#embeddedService.start();
  }

  /** Starts the embedded service for one of its projects. Others connect only to a service of the folder that proves itself. */
  async ensureRunning(folder: string, profile: Profile): Promise<ReachableProject> {
    const embedded = await this.#embeddedService.ensureRunning(profile);
    return embedded ?? { profile, connect: connectorTo(this.dataFolder(folder), profile) };
  }

  dataFolder(folder: string): string {
    return folder || this.#embeddedService.dataFolder;
  }

  /** Whether a call of the project would start the embedded service. */
  wouldStartService(folder: string, { source }: Profile): boolean {
    return source === 'local' && folder === '' && !this.#embeddedService.isInUse;
  }

  async issue(folder: string, profile: Profile): Promise<void> {
    await this.#serviceKeys.issue(folder || (await this.#embeddedService.runningFolder()), profile);
  }

  async revoke(folder: string, keyId: string): Promise<void> {
    await this.#serviceKeys.revoke(folder || (await this.#embeddedService.runningFolder()), keyId);
  }

  async tryLocally(parts: Omit<SampleParts, 'storage'>): Promise<void> {
    return tryLocally({ ...parts, storage: this.#storage }, this.#embeddedService);
  }
}

interface SampleParts {
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  /** Where the SQL file of the sample is kept. */
  readonly storage: vscode.Uri;
  /** Shows a project in the tree and expands it. */
  readonly reveal: (profile: Profile) => Promise<void>;
  /** The SQL file to open instead of the stored one. */
  readonly file: vscode.Uri | undefined;
}

/** Starts the embedded service unless it is running, and shows its sample project: in the tree, as SQL, and as rows. */
export async function tryLocally(parts: SampleParts, embedded: EmbeddedService): Promise<void> {
  const { projects } = parts;
  if (readLocalFolder() !== '') return showConfigured(parts);
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  try {
    const started = await vscode.window.withProgress({ location: { viewId: views.projects } }, () => embedded.start());
    projects.refresh();
    const project = started.find(isSample) ?? started[0];
    // The settings may list it too, and their entry counts.
    const { profiles } = await projects.list();
    const profile = profiles.find(
      ({ origin, projectId }) => origin === project?.origin && projectId === project.projectId,
    );
    if (profile) await openSample(parts, profile);
  } catch (thrown) {
    const retry = remedyLabels().tryAgain;
    if ((await showError(errorMessage(thrown), retry)) === retry) {
      await vscode.commands.executeCommand(commandId('tryLocally'), parts.file);
    }
  }
}

/** The user starts and stops the service that the setting names. The extension only finds it. */
async function showConfigured(parts: SampleParts): Promise<void> {
  const { projects } = parts;
  projects.refresh();
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  const { profiles, localFault } = await projects.list();
  if (localFault === undefined) {
    const local = profiles.filter(({ source }) => source === 'local');
    const profile = local.find(isSample) ?? local[0];
    if (profile) await openSample(parts, profile);
    return;
  }
  const openSetting = vscode.l10n.t('Open Setting');
  const message = vscode.l10n.t(
    "The setting '{0}' names a local service that does not run. Start it, or clear the setting.",
    settings.localServiceFolder,
  );
  if ((await showError(message, openSetting)) === openSetting) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.localServiceFolder);
  }
}

const isSample = ({ holderId, projectName }: Pick<Profile, 'holderId' | 'projectName'>): boolean =>
  holderId === sampleProject.holderId && projectName === sampleProject.projectName;

/** Shows a project in the tree. For the sample, also opens its SQL file and runs the first statement, so that rows appear. */
async function openSample({ documents, storage, reveal, file }: SampleParts, profile: Profile): Promise<void> {
  await reveal(profile);
  if (!isSample(profile)) return;
  const document = await vscode.workspace.openTextDocument(file ?? (await storedFile(storage)));
  await documents.assign(document.uri, profile);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const first = firstStatement(document.getText());
  const start = document.positionAt(first?.start ?? 0);
  editor.selection = new vscode.Selection(start, start);
  // A statement that the user has changed runs only on the user's own command.
  if (first?.sql === firstStatement(sampleStatements)?.sql) {
    await vscode.commands.executeCommand(commandId('runStatement'));
  }
}

function firstStatement(text: string): { readonly start: number; readonly sql: string } | undefined {
  const [first] = splitStatements(text);
  return first && { start: first.start, sql: text.slice(first.start, first.end) };
}

/** The SQL file of the sample. An existing one keeps the changes of the user. */
async function storedFile(storage: vscode.Uri): Promise<vscode.Uri> {
  const file = vscode.Uri.joinPath(storage, 'sample', 'shop.sql');
  try {
    await vscode.workspace.fs.stat(file);
  } catch {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(storage, 'sample'));
    await vscode.workspace.fs.writeFile(file, Buffer.from(sampleStatements));
  }
  return file;
}
