import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
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
import type { Catalogs } from '../connections/projects.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { showError } from '../notifications.ts';
import { CrashLimit } from './crashLimit.ts';
import { EmbeddedFeatures } from './embeddedFeatures.ts';
import type { LanguageFaults } from './languageFaults.ts';
import { servedProject } from './openDocuments.ts';
import type { ProjectSchemas } from './projectSchemas.ts';

interface SqlLanguageClientParts {
  readonly context: vscode.ExtensionContext;
  readonly documents: DocumentProjects;
  readonly catalogs: Catalogs;
  readonly schemas: ProjectSchemas;
  readonly faults: LanguageFaults;
  readonly log: vscode.LogOutputChannel;
}

/** Faults of the connection go only to the log: the server restarts, and the user need not know. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Runs the language server in its own process, and answers its questions. A restarted server asks for everything anew. */
export class SqlLanguageClient extends DisposableStore {
  readonly #parts: SqlLanguageClientParts;
  readonly #crashes = new CrashLimit(monotonicClock);
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

  /** Undefined while the server does not run. */
  async provenIndexes(request: ProvenIndexesRequest): Promise<ProvenIndexes | undefined> {
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
    if (this.#crashes.add()) void this.#offerRestart();
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
