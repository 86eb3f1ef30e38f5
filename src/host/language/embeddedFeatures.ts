import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import {
  CodeActionRequest,
  CompletionRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type DocumentSelector,
  type DynamicFeature,
  HoverRequest,
  type LanguageClient,
  SignatureHelpRequest,
  type TextDocumentRegistrationOptions,
  type TextDocumentChangeRegistrationOptions,
  TextDocumentSyncKind,
} from 'vscode-languageclient/node';
import { DisposableStore } from '../../base/disposable.ts';
import { embeddingLanguages } from '../../sql/embedded/embeddingLanguages.ts';
import { embeddedProjectOfFolder } from '../connections/embeddedProject.ts';
import { settings } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';

/**
 * Sends the programs of the workspace folders that name a project to a running server, and offers some of its features
 * there. Others, such as formatting, would compete with those of the program's language. So would semantic tokens: VS Code
 * takes them from one extension only. Disposing unregisters nothing: the server has ended or will end.
 */
export class EmbeddedFeatures extends DisposableStore {
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
