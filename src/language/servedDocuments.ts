import {
  type Connection,
  type TextDocumentContentChangeEvent,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
  TextDocuments,
} from 'vscode-languageserver/node';
import { oneOf } from '../base/decode.ts';
import { Emitter } from '../base/emitter.ts';
import { statementEnds } from '../sql/text/splitter.ts';
import type { LanguageSettings } from './languageSettings.ts';
import type { ServedSchemas } from './servedSchemas.ts';
import { ServedFile } from './servedFile.ts';
import type { SqlDocument } from './sqlDocument.ts';

export interface PlaceInSql {
  readonly document: SqlDocument;
  readonly offset: number;
}

/** The open files. The server serves those that belong to a project. */
export class ServedDocuments {
  readonly #projects: ServedSchemas;
  readonly #settings: LanguageSettings;
  readonly #files = new TextDocuments<ServedFile>({
    create: (uri, languageId, version, text) => new ServedFile(uri, languageId, version, text),
    update: (file: ServedFile, changes: readonly TextDocumentContentChangeEvent[], version) => {
      file.update(changes, version);
      return file;
    },
  });
  /** The last request for the project of each file, by its address. */
  readonly #projectRequests = new Map<string, Promise<void>>();
  readonly #changes = new Emitter<ServedFile>();
  readonly #projectChanges = new Emitter<void>();
  readonly #closed = new Emitter<ServedFile>();

  /** Fires when the text, the project or the schema of a file has changed. */
  readonly onDidChange = this.#changes.on;
  /** Fires when a file gets another project or schema. The editor repeats its requests only when the text changes. */
  readonly onDidChangeProject = this.#projectChanges.on;
  readonly onDidClose = this.#closed.on;

  constructor(connection: Connection, projects: ServedSchemas, settings: LanguageSettings) {
    this.#projects = projects;
    this.#settings = settings;
    this.#files.onDidOpen(({ document }) => this.#requestProject(document));
    this.#files.onDidChangeContent(({ document }) => this.#changes.fire(document));
    this.#files.onDidClose(({ document }) => {
      document.close();
      this.#projectRequests.delete(document.uri);
      projects.forget(document.uri);
      this.#closed.fire(document);
    });
    projects.onDidChange(uris => this.#requestProjects(uris));
    settings.onDidChange(() => this.#requestProjects());
    this.#files.listen(connection);
  }

  /** Undefined if no SQL is at the position, or if the file has no project. */
  async placeAt({ textDocument, position }: TextDocumentPositionParams): Promise<PlaceInSql | undefined> {
    const file = await this.#served(textDocument, { withSchema: true });
    const document = file?.documentAt(file.offsetAt(position));
    return document && { document, offset: document.offsetAt(position) };
  }

  /** The SQL of a file, in order. Empty if the file has no project. Waits for the schema only if the caller needs it. */
  async documentsIn(
    textDocument: TextDocumentIdentifier,
    needs?: { withSchema: boolean },
  ): Promise<readonly SqlDocument[]> {
    return (await this.#served(textDocument, needs))?.documents ?? [];
  }

  /** Resolves when the host has sent the present project and schema of a file. */
  async waitForProject(uri: string): Promise<void> {
    await this.#projectRequests.get(uri);
  }

  /** The files with a project. */
  get servedFiles(): readonly ServedFile[] {
    return this.#files.all().filter(({ isServed }) => isServed);
  }

  async #served({ uri }: TextDocumentIdentifier, { withSchema = false } = {}): Promise<ServedFile | undefined> {
    const file = this.#files.get(uri);
    if (file?.isServed === undefined) await this.#projectRequests.get(uri);
    if (!file?.isServed) return undefined;
    const pending = () => file.pendingChanges ?? (withSchema ? file.project?.readInTurns() : undefined);
    for (let waiting = pending(); waiting; waiting = pending()) await waiting;
    return file;
  }

  #requestProjects(uris: Iterable<string> = this.#files.keys()): void {
    for (const uri of uris) {
      const file = this.#files.get(uri);
      if (file) this.#requestProject(file);
    }
  }

  #requestProject(file: ServedFile): void {
    const { uri } = file;
    const request = this.#receiveProject(file, () => this.#projectRequests.get(uri) === request);
    this.#projectRequests.set(uri, request);
  }

  async #receiveProject(file: ServedFile, isCurrent: () => boolean): Promise<void> {
    const [answer, statementEnd = 'semicolon'] = await Promise.all([
      this.#projects.projectOf(file.uri),
      this.#settings.get('run.statementEnd', oneOf(statementEnds), file.uri),
    ]);
    if (!isCurrent()) {
      // The user closed the file before the host answered.
      if (!this.#files.get(file.uri)) this.#projects.forget(file.uri);
      return this.#projectRequests.get(file.uri);
    }
    const { isServed, project } = file;
    file.isServed = answer !== undefined;
    file.project = answer?.schema;
    file.endStatementsAt(statementEnd);
    this.#changes.fire(file);
    // Until now, requests have waited for the first project.
    if (isServed !== undefined && (isServed !== file.isServed || project !== file.project)) this.#projectChanges.fire();
  }
}
