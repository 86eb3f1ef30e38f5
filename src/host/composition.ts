import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { forgetKey, type ProjectArgument, setKey } from './commands/keyCommands.ts';
import { newQuery } from './commands/newQuery.ts';
import {
  copyDefinition,
  copyName,
  countRows,
  dropObject,
  showDefinition,
  showStatus,
} from './commands/objectCommands.ts';
import { refresh } from './commands/refresh.ts';
import { runStatement } from './commands/runStatement.ts';
import { Catalogs } from './connections/catalogs.ts';
import { Clients } from './connections/clients.ts';
import { DocumentProjects } from './connections/documentProjects.ts';
import { KeyStore } from './connections/keyStore.ts';
import { LocalService } from './connections/localService.ts';
import { Projects } from './connections/projects.ts';
import { DefinitionDocuments } from './definitions/definitionDocuments.ts';
import { commands, settings, views } from './names.ts';
import { ResultsView } from './results/resultsView.ts';
import { ScratchFolder } from './results/scratchFolder.ts';
import { SettingsPage } from './settings/settingsPage.ts';
import { ProjectsTree } from './tree/projectsTree.ts';

/** The one place where objects are made. Nothing here reads a file or a secret, or waits: activation must cost nothing. */
export function compose(context: vscode.ExtensionContext): { dispose(): Promise<void> } {
  const owned = new DisposableStore();
  const keys = new KeyStore(context.secrets, () => new Date());
  const projects = owned.add(new Projects(new LocalService(keys)));
  const clients = owned.add(new Clients(keys));
  const documents = owned.add(new DocumentProjects(projects, context.workspaceState));
  const scratch = new ScratchFolder();
  const results = owned.add(new ResultsView(context.extensionUri));
  const page = owned.add(new SettingsPage({ extensionUri: context.extensionUri, projects, keys }));
  const catalogs = owned.add(new Catalogs(clients, projects, keys));
  const tree = owned.add(new ProjectsTree(projects, catalogs));
  const objects = { clients, catalogs, documents };
  owned.add(new DefinitionDocuments(projects, catalogs));

  owned.add(vscode.window.createTreeView(views.projects, { treeDataProvider: tree, showCollapseAll: true }));
  owned.add(vscode.window.registerWebviewViewProvider(views.results, results));

  const handlers: Record<keyof typeof commands, (argument: ProjectArgument) => unknown> = {
    runStatement: () => runStatement({ projects, clients, catalogs, documents, results, scratch }),
    newQuery: argument => newQuery(projects, documents, argument),
    refresh: argument => refresh(projects, catalogs, argument),
    setKey: argument => setKey(projects, keys, argument),
    forgetKey: argument => forgetKey(projects, keys, argument),
    manage: () => page.open(),
    openSettings: () =>
      vscode.commands.executeCommand('workbench.action.openSettingsJson', {
        // Writes the setting into the file when it is not there yet, so that there is something to edit.
        revealSetting: { key: settings.projects, edit: true },
      }),
    copyName,
    copyDefinition: argument => copyDefinition(objects, argument),
    showDefinition: argument => showDefinition(objects, argument),
    countRows: argument => countRows(objects, argument),
    dropObject: argument => dropObject(objects, argument),
    showStatus: argument => showStatus(objects, argument),
    loadMore: argument => {
      if (typeof argument === 'object' && argument.kind === 'more') tree.loadMore(argument);
    },
  };
  for (const name of Object.keys(commands) as (keyof typeof commands)[]) {
    owned.add(vscode.commands.registerCommand(commands[name], handlers[name]));
  }
  owned.add(languageForSqlDocuments(context));
  return {
    async dispose() {
      owned.dispose();
      await scratch.remove();
    },
  };
}

/** The language server starts with the first SQL document, not with the window. */
function languageForSqlDocuments(context: vscode.ExtensionContext): Disposable {
  const owned = new DisposableStore();
  let starting = false;
  const startFor = (document: vscode.TextDocument): void => {
    if (starting || document.languageId !== 'sql') return;
    starting = true;
    import('./language/languageClient.ts')
      .then(({ startLanguageClient }) => startLanguageClient(context))
      .then(
        client => owned.add(client),
        (thrown: unknown) => {
          void vscode.window.showErrorMessage(
            vscode.l10n.t('The SQL language server did not start: {0}', String(thrown)),
          );
        },
      );
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(startFor));
  const soon = setImmediate(() => vscode.workspace.textDocuments.forEach(startFor));
  owned.add(toDisposable(() => clearImmediate(soon)));
  return owned;
}
