import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
  CodeActionRequest,
  CompletionRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type DocumentSelector,
  type DynamicFeature,
  HoverRequest,
  SignatureHelpRequest,
  type TextDocumentRegistrationOptions,
  type TextDocumentChangeRegistrationOptions,
  TextDocumentSyncKind,
} from 'vscode-languageclient/node';
import { monotonicClock } from '../../base/clock.ts';
import type { Infer } from '../../base/decode.ts';
import { DisposableStore } from '../../base/disposable.ts';
import {
  answerCalls,
  hostCalls,
  type ProvenIndexes,
  type ProvenIndexesRequest,
  type ResultColumns,
  sendCall,
  sendEvent,
  serverCalls,
  type serverEvents,
  languageServerArguments,
} from '../../protocol/languageBridge.ts';
import type { Handlers } from '../../protocol/bridge.ts';
import { embeddingLanguages } from '../../sql/embedded/embeddingLanguages.ts';
import type { Catalogs } from '../connections/projects.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { showError } from '../notifications.ts';
import { embeddedProjectOfFolder, servedProject } from '../connections/embeddedProject.ts';
import { settings } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { crashLimit } from './crashLimit.ts';
import type { LanguageFaults } from './languageFaults.ts';
import type { ProjectSchemas } from './projectSchemas.ts';

interface SqlLanguageClientParts {
  readonly context: vscode.ExtensionContext;
  readonly documents: DocumentProjects;
  readonly catalogs: Catalogs;
  readonly schemas: ProjectSchemas;
  readonly faults: LanguageFaults;
  readonly log: vscode.LogOutputChannel;
}

/** A schema is fetched soon after a change. */
const schemaWaitMs = 5000;

/** Faults of the connection go only to the log: the server restarts, and the user need not know. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Runs the language server in its own process, and answers its questions. A restarted server asks for everything anew. */
export class SqlLanguageClient extends DisposableStore {
  readonly #parts: SqlLanguageClientParts;
  readonly #isAtCrashLimit = crashLimit(monotonicClock);
  /** The id of the project that the server knows for a document. Undefined for a document without one. */
  readonly #knownProjects = new Map<string, string | undefined>();
  #client: LanguageClient | undefined;
  #embeddedFeatures: EmbeddedFeatures | undefined;

  constructor(parts: SqlLanguageClientParts) {
    super();
    const { documents, catalogs, schemas } = parts;
    this.#parts = parts;
    this.add(
      documents.onDidChange(document => {
        if (document) void this.#checkProject(document);
        else this.#notify('documentProjectsChanged', {});
      }),
    );
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#knownProjects.delete(uri.toString())));
    this.add(
      schemas.onDidChange(({ profileId, hasNewStatements }) => {
        if (hasNewStatements) this.#notify('projectSchemaChanged', { id: profileId });
      }),
    );
    this.add(
      catalogs.onDidCount(({ profileId, table, count }) => {
        this.#notify('rowsCounted', { id: profileId, rowCount: { table, count: Number(count) } });
      }),
    );
    this.#start();
  }

  /** Undefined while the server does not run. The plan may be of a newer schema than the server's, so it gets time to follow. */
  async provenIndexes(request: ProvenIndexesRequest): Promise<ProvenIndexes | undefined> {
    const proven = await this.#provenNow(request);
    if (proven) return proven;
    await this.#schemaChange(request.project);
    return this.#provenNow(request);
  }

  async #schemaChange(project: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = this.#parts.schemas.onDidChange(({ profileId }) => {
      if (profileId === project) resolve();
    });
    const timer = setTimeout(resolve, schemaWaitMs);
    await promise;
    clearTimeout(timer);
    listener.dispose();
  }

  async #provenNow(request: ProvenIndexesRequest): Promise<ProvenIndexes | undefined> {
    if (!this.#client?.isRunning()) return undefined;
    // The server may end.
    return (await sendCall(this.#client, serverCalls, 'provenIndexes', request).catch(() => undefined)) ?? undefined;
  }

  /** The columns of a statement's result, by the start of the statement. Undefined if they are not known. */
  async resultColumns({ uri }: vscode.TextDocument, position: vscode.Position): Promise<ResultColumns | undefined> {
    const { line, character } = position;
    const params = { uri: uri.toString(), position: { line, character } };
    if (!this.#client?.isRunning()) return undefined;
    try {
      return (await sendCall(this.#client, serverCalls, 'resultColumns', params)) ?? undefined;
    } catch {
      // The server has ended.
      return undefined;
    }
  }

  override dispose(): void {
    super.dispose();
    this.#embeddedFeatures?.dispose();
    const client = this.#client;
    this.#client = undefined;
    // A client cannot be stopped while it starts.
    client
      ?.start()
      .then(() => client.dispose())
      .catch(() => undefined);
  }

  #start(): void {
    const client = new QuietClient('sqlProjects', 'SQL Projects', this.#serverOptions(), this.#clientOptions());
    this.#client = client;
    answerCalls(client, hostCalls, this.#handlers());
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped || newState === State.StartFailed) this.#onEnd(client);
    });
    void this.#offerWhenRunning(client);
  }

  async #offerWhenRunning(client: LanguageClient): Promise<void> {
    try {
      await client.start();
    } catch {
      // `onDidChangeState` reports a failed start.
      return;
    }
    if (client === this.#client) this.#embeddedFeatures = new EmbeddedFeatures(client);
  }

  #onEnd(client: LanguageClient): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.#embeddedFeatures?.dispose();
    this.#parts.faults.clear();
    if (this.#isAtCrashLimit()) void this.#offerRestart();
    else this.#start();
  }

  async #offerRestart(): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    const message = vscode.l10n.t('The SQL language server stopped several times. Completion and problems are off.');
    if ((await showError(message, restart)) === restart && !this.isDisposed && !this.#client) this.#start();
  }

  #serverOptions() {
    const module = this.#parts.context.asAbsolutePath('dist/languageServer.mjs');
    return { module, transport: TransportKind.ipc, options: { execArgv: [...languageServerArguments] } };
  }

  #clientOptions(): LanguageClientOptions {
    return {
      documentSelector: [{ language: 'sql' }],
      outputChannel: this.#parts.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // This class starts a new client in place of one whose server ended.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => {
          this.#parts.faults.set(uri, diagnostics);
          next(uri, diagnostics);
        },
      },
    };
  }

  #handlers(): Handlers<typeof hostCalls> {
    const { documents, schemas } = this.#parts;
    return {
      documentProject: async ({ uri }) => {
        const document = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri);
        const profile = document && (await servedProject(documents, document));
        if (document && !document.isClosed) this.#knownProjects.set(uri, profile?.id);
        return profile ? { id: profile.id, name: profile.name } : null;
      },
      projectSchema: async ({ id }) => {
        const schema = await schemas.get(id);
        const counts = await schemas.rowCounts(id);
        const rowCounts = Array.from(counts, ([table, count]) => ({ table, count: Number(count) }));
        return schema ? { statements: schema.statements, rowCounts } : null;
      },
      lookupValues: ({ id, ...column }) => schemas.lookupValues(id, column),
    };
  }

  /** A line at the head of a document may name another project after an edit. */
  async #checkProject(document: vscode.TextDocument): Promise<void> {
    const name = document.uri.toString();
    if (document.languageId !== 'sql' || !this.#knownProjects.has(name)) return;
    const profile = await servedProject(this.#parts.documents, document);
    if (document.isClosed || this.#knownProjects.get(name) === profile?.id) return;
    this.#notify('documentProjectsChanged', {});
  }

  #notify<Name extends keyof typeof serverEvents>(name: Name, payload: Infer<(typeof serverEvents)[Name]>): void {
    if (!this.#client?.isRunning()) return;
    // A server that has ended asks anew when it starts again.
    sendEvent(this.#client, name, payload).catch(() => undefined);
  }
}

/**
 * Sends the programs of the workspace folders that name a project to a running server, and offers some of its features
 * there. Others, such as formatting, would compete with those of the program's language. So would semantic tokens: VS Code
 * takes them from one extension only. Disposing unregisters nothing: the server has ended or will end.
 */
class EmbeddedFeatures extends DisposableStore {
  readonly #client: LanguageClient;
  #unregister: () => void = () => undefined;
  #folders = '';

  constructor(client: LanguageClient) {
    super();
    this.#client = client;
    const { workspace } = vscode;
    this.add(onSettingChange([settings.embeddedProject], () => this.#update()));
    this.add(workspace.onDidChangeWorkspaceFolders(() => this.#update()));
    this.add(workspace.onDidGrantWorkspaceTrust(() => this.#update()));
    this.#update();
  }

  #update(): void {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(embeddedProjectOfFolder);
    const names = folders.map(({ uri }) => uri.toString()).join('\n');
    if (names === this.#folders) return;
    this.#folders = names;
    const unregister = this.#unregister;
    // Register first: the client closes documents that no registration holds.
    this.#unregister = folders.length > 0 ? this.#register(this.#selectorOf(folders)) : () => undefined;
    unregister();
  }

  #selectorOf(folders: readonly vscode.WorkspaceFolder[]): DocumentSelector {
    const { code2ProtocolConverter } = this.#client;
    return folders.flatMap(({ uri }) => {
      const pattern = { baseUri: code2ProtocolConverter.asUri(uri), pattern: '**/*' };
      return embeddingLanguages.map(language => ({ language, pattern }));
    });
  }

  #register(documentSelector: DocumentSelector): () => void {
    const client = this.#client;
    const { codeActionProvider, completionProvider, hoverProvider, signatureHelpProvider } =
      client.initializeResult?.capabilities ?? {};
    const id = randomUUID();
    const registered: Pick<DynamicFeature<unknown>, 'unregister'>[] = [];
    const add = <T extends TextDocumentRegistrationOptions>(
      feature: DynamicFeature<T>,
      options: Omit<T, 'documentSelector'>,
    ) => {
      feature.register({ id, registerOptions: { ...options, documentSelector } as T });
      registered.push(feature);
    };
    const change: TextDocumentChangeRegistrationOptions = {
      documentSelector,
      syncKind: TextDocumentSyncKind.Incremental,
    };
    add(client.getFeature(DidChangeTextDocumentNotification.method), change);
    add(client.getFeature(DidCloseTextDocumentNotification.method), {});
    add(client.getFeature(DidOpenTextDocumentNotification.method), {});
    if (typeof codeActionProvider === 'object') add(client.getFeature(CodeActionRequest.method), codeActionProvider);
    if (completionProvider) add(client.getFeature(CompletionRequest.method), completionProvider);
    if (hoverProvider) add(client.getFeature(HoverRequest.method), {});
    if (signatureHelpProvider) add(client.getFeature(SignatureHelpRequest.method), signatureHelpProvider);
    return () => registered.forEach(feature => feature.unregister(id));
  }
}
