import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { hostCalls, languageMethod, type ServerEvents } from '../../protocol/languageBridge.ts';
import { languageServerArguments } from '../../protocol/languageServer.ts';
import { type Handlers, serve } from '../../protocol/bridge.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';

export interface LanguageClientParts {
  readonly context: vscode.ExtensionContext;
  readonly documents: DocumentProjects;
  readonly projects: Projects;
}

/** Starts the language server for SQL documents in its own process and answers its questions. */
export async function startLanguageClient({ context, documents, projects }: LanguageClientParts): Promise<Disposable> {
  const module = context.asAbsolutePath('dist/languageServer.mjs');
  const client = new LanguageClient(
    'sqlProjects',
    'SQL Projects',
    { module, transport: TransportKind.ipc, options: { execArgv: [...languageServerArguments] } },
    { documentSelector: [{ language: 'sql' }] },
  );
  const handlers: Handlers<typeof hostCalls> = {
    documentProject: async ({ uri }) => projectOf(documents, uri),
    projectSchema: () => null,
  };
  for (const [name, answer] of Object.entries(serve(hostCalls, handlers))) {
    client.onRequest(languageMethod(name), (params: unknown) => answer(params, new AbortController().signal));
  }
  await client.start();
  const owned = new DisposableStore();
  const tell = <Name extends keyof ServerEvents>(name: Name, payload: ServerEvents[Name]): void =>
    void client.sendNotification(languageMethod(name), payload);
  const tellProjects = (): void => tell('documentProjectsChanged', {});
  owned.add(documents.onDidChange(tellProjects));
  owned.add(projects.onDidChange(tellProjects));
  owned.add({ dispose: () => void client.dispose() });
  return owned;
}

async function projectOf(documents: DocumentProjects, uri: string): Promise<{ id: string; name: string } | null> {
  const document = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri);
  const choice = document && (await documents.choiceFor(document));
  return choice?.kind === 'project' ? { id: choice.profile.id, name: choice.profile.name } : null;
}
