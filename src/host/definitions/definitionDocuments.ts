import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Definition, ObjectKind } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { schemes } from '../names.ts';
import { errorMessage } from '../errorMessages.ts';

/** Where the definition of an object can be read, as a document: so that it can be compared with another project's. */
export function definitionUri(profile: Profile, kind: ObjectKind, name: string): vscode.Uri {
  // The path is what people see; a name with a slash in it must not look like a folder.
  const segments = [profile.name, `${kind}s`, `${name}.sql`].map(segment => segment.replaceAll('/', '\u2215'));
  const query = new URLSearchParams({ project: profile.id, kind, name }).toString();
  return vscode.Uri.from({ scheme: schemes.definition, path: `/${segments.join('/')}`, query });
}

interface Read {
  readonly text: string;
  /** When it was first read as it is, by which VS Code tells that a file has changed. */
  readonly since: number;
}

/**
 * What objects were made by, as files that nobody can edit. They are files, and not documents alone, because VS Code opens
 * only those again in a window that is opened again.
 */
export class DefinitionDocuments implements vscode.FileSystemProvider, Disposable {
  readonly #projects: Projects;
  readonly #catalogs: Catalogs;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #read = new Map<string, Read>();

  readonly onDidChangeFile = this.#changes.event;

  constructor(projects: Projects, catalogs: Catalogs) {
    this.#projects = projects;
    this.#catalogs = catalogs;
    const isReadonly = new vscode.MarkdownString(
      vscode.l10n.t('A definition is shown as its project has it. Run a statement to change what it defines.'),
    );
    this.#owned.add(
      vscode.workspace.registerFileSystemProvider(schemes.definition, this, { isReadonly, isCaseSensitive: true }),
    );
    this.#owned.add(catalogs.onDidChange(() => this.#tellOpenOnes()));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, since } = await this.#readNow(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: since, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#readNow(uri)).text);
  }

  /** All that are open are told of anyway. */
  watch(): Disposable {
    return toDisposable(() => {});
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #readNow(uri: vscode.Uri): Promise<Read> {
    const text = await this.#textOf(uri);
    const before = this.#read.get(uri.toString());
    if (before?.text === text) return before;
    const read = { text, since: Date.now() };
    this.#read.set(uri.toString(), read);
    return read;
  }

  async #textOf(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const [project, kind, name] = [query.get('project'), query.get('kind'), query.get('name')];
    if (project === null || kind === null || name === null) throw vscode.FileSystemError.FileNotFound(uri);
    const profile = await this.#projects.find(project);
    if (!profile) return comment(vscode.l10n.t('This project is not known here.'));
    try {
      const found = await this.#catalogs.for(profile).definitions(kind as ObjectKind, name);
      return found.length > 0 ? scriptOf(found) : comment(vscode.l10n.t('{0} has no {1}.', profile.name, name));
    } catch (thrown) {
      return comment(errorMessage(thrown));
    }
  }

  #tellOpenOnes(): void {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === schemes.definition);
    this.#changes.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

/** Definitions as a script that makes the objects anew. */
export const scriptOf = (definitions: readonly Definition[]): string =>
  definitions.map(({ sql }) => `${sql};\n`).join('\n');

const comment = (sentence: string): string => `-- ${sentence.replaceAll('\n', '\n-- ')}\n`;
