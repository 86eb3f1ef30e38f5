import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { ObjectDefinition } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import { definitionUriText } from '../../protocol/definitionUri.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import { schemes } from '../names.ts';
import { errorMessage } from '../errorMessages.ts';

export function definitionUri(profile: Profile, kind: ObjectKind, name: string): vscode.Uri {
  return vscode.Uri.parse(definitionUriText({ project: profile, kind, name }), true);
}

interface DefinitionText {
  readonly text: string;
  /** When this text was first read. VS Code recognizes a changed file by its time. */
  readonly readAt: number;
}

const refuse = (uri: vscode.Uri): never => {
  throw vscode.FileSystemError.NoPermissions(uri);
};

/** The definitions of objects as read-only files. VS Code reopens files after a reload, but not plain virtual documents. */
export class DefinitionDocuments extends DisposableStore implements vscode.FileSystemProvider {
  readonly #projects: Projects;
  readonly #catalogs: Catalogs;
  readonly #changes = this.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #texts = new Map<string, DefinitionText>();

  readonly onDidChangeFile = this.#changes.event;

  constructor(projects: Projects, catalogs: Catalogs) {
    super();
    this.#projects = projects;
    this.#catalogs = catalogs;
    const isReadonly = new vscode.MarkdownString(
      vscode.l10n.t('Definitions are read-only. Run a statement to change the object.'),
    );
    this.add(
      vscode.workspace.registerFileSystemProvider(schemes.definition, this, { isReadonly, isCaseSensitive: true }),
    );
    this.add(catalogs.onDidChange(() => this.#fireForOpenDocuments()));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, readAt } = await this.#read(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: readAt, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#read(uri)).text);
  }

  /** All open documents are watched anyway. */
  watch(): Disposable {
    return toDisposable(() => {});
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  async #read(uri: vscode.Uri): Promise<DefinitionText> {
    const text = await this.#textOf(uri);
    const textBefore = this.#texts.get(uri.toString());
    if (textBefore?.text === text) return textBefore;
    const latest = { text, readAt: Date.now() };
    this.#texts.set(uri.toString(), latest);
    return latest;
  }

  async #textOf(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const projectId = query.get('project');
    const kind = query.get('kind');
    const name = query.get('name');
    if (projectId === null || kind === null || name === null) throw vscode.FileSystemError.FileNotFound(uri);
    const profile = await this.#projects.find(projectId);
    if (!profile) return comment(vscode.l10n.t('This project does not exist.'));
    try {
      const definitions = await this.#catalogs.for(profile).definitions(kind as ObjectKind, name);
      return definitions.length > 0
        ? scriptOf(definitions)
        : comment(vscode.l10n.t("{0} has no '{1}'.", profile.name, name));
    } catch (thrown) {
      return comment(errorMessage(thrown));
    }
  }

  #fireForOpenDocuments(): void {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === schemes.definition);
    this.#changes.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

/** A script that creates the objects again. */
export const scriptOf = (definitions: readonly ObjectDefinition[]): string =>
  definitions.map(({ sql }) => `${sql};\n`).join('\n');

const comment = (message: string): string => `-- ${message.replaceAll(/\r\n?|\n/g, '\n-- ')}\n`;
