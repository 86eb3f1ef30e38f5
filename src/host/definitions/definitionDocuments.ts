import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Definition, ObjectKind } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { sentenceFor } from '../problems.ts';

export const definitionScheme = 'sqlproject';

/** Where the definition of an object can be read, as a document: so that it can be compared with another project's. */
export function definitionUri(profile: Profile, kind: ObjectKind, name: string): vscode.Uri {
  // The path is what people see; a name with a slash in it must not look like a folder.
  const segments = [profile.name, `${kind}s`, `${name}.sql`].map(segment => segment.replaceAll('/', '\u2215'));
  const query = new URLSearchParams({ project: profile.id, kind, name }).toString();
  return vscode.Uri.from({ scheme: definitionScheme, path: `/${segments.join('/')}`, query });
}

/** What objects were made by, as documents that nobody can edit. */
export class DefinitionDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #projects: Projects;
  readonly #catalogs: Catalogs;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());

  readonly onDidChange = this.#changes.event;

  constructor(projects: Projects, catalogs: Catalogs) {
    this.#projects = projects;
    this.#catalogs = catalogs;
    this.#owned.add(vscode.workspace.registerTextDocumentContentProvider(definitionScheme, this));
    this.#owned.add(catalogs.onDidChange(() => this.#tellOpenOnes()));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const profile = await this.#projects.find(query.get('project') ?? '');
    if (!profile) return comment(vscode.l10n.t('This project is not known here.'));
    try {
      const name = query.get('name') ?? '';
      const found = await this.#catalogs.for(profile).definitions(query.get('kind') as ObjectKind, name);
      return found.length > 0 ? scriptOf(found) : comment(vscode.l10n.t('{0} has no {1}.', profile.name, name));
    } catch (thrown) {
      return comment(sentenceFor(thrown));
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #tellOpenOnes(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === definitionScheme) this.#changes.fire(uri);
    }
  }
}

/** Definitions as a script that makes the objects anew. */
export const scriptOf = (definitions: readonly Definition[]): string =>
  definitions.map(({ sql }) => `${sql};\n`).join('\n');

const comment = (sentence: string): string => `-- ${sentence.replaceAll('\n', '\n-- ')}\n`;
