import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import {
  type CompletionClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  IPCMessageReader,
  IPCMessageWriter,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { languageMethod, languageServerArguments } from '../../src/protocol/languageBridge.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';

/** The shipped server. Its start takes half the processor time of its source, and each test starts one. */
const built = new URL('../../dist/languageServer.mjs', import.meta.url);

export interface LanguageServerOptions {
  /** The schema of the project. Undefined if it is not known. */
  readonly ddl?: string | readonly string[];
  readonly rowCounts?: Readonly<Record<string, number>>;
  /** The values of the lookup tables, by table. */
  readonly lookups?: Readonly<Record<string, Promise<readonly { value: string; text: string }[]>>>;
  /** The settings below `sqlProjects`, such as `format`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The capabilities of the editor for proposals. */
  readonly completionItem?: NonNullable<CompletionClientCapabilities['completionItem']>;
  readonly module?: URL;
}

const allOfCompletionItem = { snippetSupport: true, labelDetailsSupport: true, insertReplaceSupport: true };

/** A real language server in its own process, and the editor's side of its connection. */
export class TestLanguageServer {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  /** The project of each document. A document that is not here belongs to the project of the options. */
  readonly projects = new Map<string, string | null>();
  settings: Readonly<Record<string, unknown>>;
  capabilities: InitializeResult['capabilities'] = {};
  #ddl: readonly string[] | undefined;
  readonly #rowCounts: Readonly<Record<string, number>>;
  readonly #lookups: NonNullable<LanguageServerOptions['lookups']>;
  readonly #completionItem: NonNullable<LanguageServerOptions['completionItem']>;
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  #onPublished = new Set<() => void>();
  #documentCount = 0;

  constructor({
    ddl,
    rowCounts = {},
    lookups = {},
    settings = {},
    completionItem = allOfCompletionItem,
    module = built,
  }: LanguageServerOptions) {
    this.#ddl = statementsOf(ddl);
    this.#rowCounts = rowCounts;
    this.#lookups = lookups;
    this.#completionItem = completionItem;
    this.settings = settings;
    this.process = fork(module, ['--node-ipc'], { execArgv: [...languageServerArguments] });
    this.connection = createProtocolConnection(new IPCMessageReader(this.process), new IPCMessageWriter(this.process));
    this.#answerCalls();
    this.connection.listen();
  }

  async initialize(): Promise<void> {
    const capabilities = {
      workspace: { configuration: true },
      textDocument: {
        completion: { completionItem: this.#completionItem },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      },
    };
    const parameters = { processId: process.pid, rootUri: null, capabilities };
    const result: InitializeResult = await this.connection.sendRequest('initialize', parameters);
    this.capabilities = result.capabilities;
    await this.connection.sendNotification('initialized', {});
  }

  async open(
    text: string,
    { uri, languageId = 'sql' }: { uri?: string; languageId?: string } = {},
  ): Promise<TestDocument> {
    const document = new TestDocument(this, uri ?? `untitled:document${++this.#documentCount}`, languageId, text);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: document.uri, languageId, version: 1, text },
    });
    return document;
  }

  async changeSchema(ddl: string | readonly string[] | undefined): Promise<void> {
    this.setSchema(ddl);
    await this.connection.sendNotification(languageMethod('projectSchemaChanged'), { id: 'project' });
  }

  /** The host knows another schema now, and has not said so. */
  setSchema(ddl: string | readonly string[] | undefined): void {
    this.#ddl = statementsOf(ddl);
  }

  /** Documents belong to other projects now, as {@link projects} says. */
  async changeProjects(): Promise<void> {
    await this.connection.sendNotification(languageMethod('documentProjectsChanged'), {});
  }

  async countRows(table: string, count: number): Promise<void> {
    await this.connection.sendNotification(languageMethod('rowsCounted'), {
      id: 'project',
      rowCount: { table, count },
    });
  }

  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.settings = settings;
    await this.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  async request<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest(method, params);
  }

  published(uri: string): PublishDiagnosticsParams | undefined {
    return this.#published.get(uri);
  }

  /** Resolves when the server has published diagnostics of a document that fulfil a condition. */
  async diagnosticsWhere(
    uri: string,
    isWanted: (published: PublishDiagnosticsParams) => boolean,
  ): Promise<Diagnostic[]> {
    for (;;) {
      const published = this.#published.get(uri);
      if (published && isWanted(published)) return published.diagnostics;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onPublished.add(resolve);
      await promise;
    }
  }

  async stop(): Promise<void> {
    this.connection.dispose();
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
  }

  #answerCalls(): void {
    this.connection.onRequest(languageMethod('documentProject'), ({ uri }: { uri: string }) => {
      const id = this.projects.has(uri) ? this.projects.get(uri) : 'project';
      return id ? { id, name: id } : null;
    });
    this.connection.onRequest(languageMethod('projectSchema'), () =>
      this.#ddl
        ? {
            statements: this.#ddl,
            rowCounts: Object.entries(this.#rowCounts).map(([table, count]) => ({ table, count })),
          }
        : null,
    );
    this.connection.onRequest(
      languageMethod('lookupValues'),
      ({ table }: { table: string }) => this.#lookups[table] ?? [],
    );
    this.connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section?: string }[] }) =>
      items.map(({ section = '' }) => this.settings[section.replace('sqlProjects.', '')] ?? null),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (published: PublishDiagnosticsParams) => {
      this.#published.set(published.uri, published);
      const waiting = this.#onPublished;
      this.#onPublished = new Set();
      for (const resolve of waiting) resolve();
    });
  }
}

/** An open document of the server. `¦` in its text marks the cursor and is not sent by {@link openMarked}. */
export class TestDocument {
  readonly uri: string;
  readonly server: TestLanguageServer;
  readonly #document: TextDocument;

  constructor(server: TestLanguageServer, uri: string, languageId: string, text: string) {
    this.server = server;
    this.uri = uri;
    this.#document = TextDocument.create(uri, languageId, 1, text);
  }

  get text(): string {
    return this.#document.getText();
  }

  get version(): number {
    return this.#document.version;
  }

  positionAt(offset: number): Position {
    return this.#document.positionAt(offset);
  }

  offsetAt(position: Position): number {
    return this.#document.offsetAt(position);
  }

  /** The parameters of a request at an offset. */
  at(offset: number): { textDocument: { uri: string }; position: Position } {
    return { textDocument: { uri: this.uri }, position: this.positionAt(offset) };
  }

  textOf(range: { readonly start: Position; readonly end: Position }): string {
    return this.#document.getText(range);
  }

  /** The text after some edits, without making them. */
  withEdits(edits: TextEdit[]): string {
    return TextDocument.applyEdits(this.#document, edits);
  }

  async edit(start: number, end: number, text: string): Promise<void> {
    const range = { start: this.positionAt(start), end: this.positionAt(end) };
    const version = this.version + 1;
    TextDocument.update(this.#document, [{ range, text }], version);
    await this.server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.uri, version },
      contentChanges: [{ range, text }],
    });
  }

  async close(): Promise<void> {
    await this.server.connection.sendNotification('textDocument/didClose', { textDocument: { uri: this.uri } });
  }

  /** The diagnostics of the present version. A document that never had any publishes none. */
  async diagnostics(): Promise<Diagnostic[]> {
    return this.server.diagnosticsWhere(this.uri, ({ version }) => version === this.version);
  }

  async request<T>(method: string, offset: number, extra: object = {}): Promise<T> {
    return this.server.request(method, { ...this.at(offset), ...extra });
  }
}

/** A server that ends with its test. */
export async function startLanguageServer(
  context: TestContext,
  options: LanguageServerOptions = {},
): Promise<TestLanguageServer> {
  const server = new TestLanguageServer(options);
  context.after(() => server.stop());
  await server.initialize();
  return server;
}

/** Opens a document with the cursor at `¦`. */
export async function openMarked(
  server: TestLanguageServer,
  marked: string,
  languageId = 'sql',
): Promise<{ readonly document: TestDocument; readonly offset: number }> {
  const offset = marked.indexOf('¦');
  return { document: await server.open(marked.replace('¦', ''), { languageId }), offset };
}

function statementsOf(ddl: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof ddl === 'string' ? splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end)) : ddl;
}
