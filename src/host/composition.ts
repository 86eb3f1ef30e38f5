import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import type { RowsThread } from '../model/results/queries/rowsThread.ts';
import { browseTable } from './commands/browseTable.ts';
import { findTable } from './commands/findTable.ts';
import { forgetKey, type KeyParts, type ProjectArgument, setKey } from './commands/keyCommands.ts';
import { newQuery } from './commands/newQuery.ts';
import {
  compareDefinition,
  copyDefinition,
  copyName,
  countRows,
  dropObject,
  showDefinition,
  showStatus,
} from './commands/objectCommands.ts';
import { openSettings } from './commands/openSettings.ts';
import { refresh } from './commands/refresh.ts';
import { Catalogs } from './connections/catalogs.ts';
import { type EnsureRunning, Clients, type ClientWatch } from './connections/clients.ts';
import { DocumentProjects } from './connections/documentProjects.ts';
import { KeyStore } from './connections/keyStore.ts';
import { readLocalFolder } from './connections/profileSettings.ts';
import { Projects } from './connections/projects.ts';
import type { Profile } from '../model/profiles.ts';
import { DefinitionDocuments } from './definitions/definitionDocuments.ts';
import type { TableEditors } from './browsing/tableEditors.ts';
import type { LocalProjects } from './local/localProjects.ts';
import type { SqlDocuments } from './documents/sqlDocuments.ts';
import type { Management } from './management/management.ts';
import { requestLogger } from './log/requestLogger.ts';
import { watchWaits } from './log/retryWaits.ts';
import { commands, panels, views } from './names.ts';
import { showError } from './notifications.ts';
import { ResultsView } from './results/resultsView.ts';
import { ScratchFolder } from './results/scratchFolder.ts';
import type { Running } from './running/running.ts';
import { activeSqlEditor, type SqlEditor } from './documents/sqlEditor.ts';
import { ProjectDecorations } from './tree/projectDecorations.ts';
import { ProjectsTree } from './tree/projectsTree.ts';
import type { TableNode } from './tree/treeNodes.ts';
import { restorePanels } from './webviews/restoredPanels.ts';

/** The one place where objects are made. Nothing here reads a file or a secret, or waits: activation must cost nothing. */
export function compose(context: vscode.ExtensionContext): { dispose(): Promise<void> } {
  const owned = new DisposableStore();
  const keys = owned.add(new KeyStore(context.secrets, () => new Date()));
  const log = owned.add(vscode.window.createOutputChannel('SQL Projects', { log: true }));
  let localLoaded: Promise<LocalProjects> | undefined;
  const local = (): Promise<LocalProjects> =>
    (localLoaded ??= import('./local/localProjects.ts').then(({ LocalProjects: Made }) =>
      owned.add(
        new Made({ context, keys, logger: requestLogger(log, 'local'), onDidChange: () => projects.refresh() }),
      ),
    ));
  const projects = owned.add(new Projects(async folder => (await local()).profiles(folder)));
  const ensureRunning: EnsureRunning = async profile =>
    profile.source === 'local' ? (await local()).ensureRunning(profile) : profile;
  const watch: ClientWatch = ({ name }) => ({ logger: requestLogger(log, name), onWait: watchWaits(log, name) });
  const clients = owned.add(new Clients(keys, ensureRunning, watch));
  const documents = owned.add(new DocumentProjects(projects, context.workspaceState));
  const scratch = new ScratchFolder();
  let rowsWorker: Promise<RowsThread> | undefined;
  const worker = (): Promise<RowsThread> =>
    (rowsWorker ??= import('../model/results/resultRuns.ts').then(
      ({ RowsThread: Made }) => new Made(context.asAbsolutePath('dist/rowsThread.mjs')),
    ));
  const results = new ResultsView({
    ...{ context, worker, clock: systemClock },
    rerun: async (from, writeKey) => (await running()).rerunResult(from, writeKey),
  });
  const { extensionUri } = context;
  let managing: Promise<Management> | undefined;
  const management = (): Promise<Management> =>
    (managing ??= import('./management/management.ts').then(({ Management: Made }) =>
      owned.add(new Made({ extensionUri, projects, clients, keys, watch })),
    ));
  const catalogs = owned.add(new Catalogs(clients, projects, keys));
  const tree = owned.add(new ProjectsTree(projects, catalogs));
  let browsing: Promise<TableEditors> | undefined;
  const tables = (): Promise<TableEditors> =>
    (browsing ??= import('./browsing/tableEditors.ts').then(({ TableEditors: Made }) =>
      owned.add(
        new Made({
          extensionUri,
          projects,
          clients,
          catalogs,
          documents,
          downloads: { folder: async () => scratch.path(), worker },
        }),
      ),
    ));
  const objects = { projects, clients, catalogs, documents };
  let surrounding: Promise<SqlDocuments> | undefined;
  const sqlDocuments = (): Promise<SqlDocuments> =>
    (surrounding ??= import('./documents/sqlDocuments.ts').then(({ SqlDocuments: Made }) =>
      owned.add(new Made(extensionUri, documents, projects)),
    ));
  let runs: Promise<Running> | undefined;
  const running = (): Promise<Running> =>
    (runs ??= Promise.all([import('./running/running.ts'), sqlDocuments()]).then(([{ Running: Made }, around]) => {
      const { statements, marks } = around;
      return owned.add(
        new Made({
          ...objects,
          results,
          scratch,
          worker,
          statements,
          marks,
          ...{ memory: context.workspaceState, clock: systemClock },
        }),
      );
    }));
  // Whoever asks may be in another editor by the time that what runs statements has been read.
  const inEditor = async (act: (made: Running, editor: SqlEditor | undefined) => unknown): Promise<void> => {
    const editor = activeSqlEditor();
    await act(await running(), editor);
  };
  owned.add(new DefinitionDocuments(projects, catalogs));
  owned.add(new ProjectDecorations(projects));

  const treeView = owned.add(
    vscode.window.createTreeView(views.projects, { treeDataProvider: tree, showCollapseAll: true }),
  );
  const revealProject = async (profile: Profile): Promise<void> =>
    treeView.reveal({ kind: 'project', profile }, { expand: true, select: true, focus: true });
  const revealTable = async (node: TableNode): Promise<void> => {
    await tree.makeRoomFor(node);
    await treeView.reveal(node, { select: true, focus: true });
  };
  owned.add(vscode.window.registerWebviewViewProvider(views.results, results));
  owned.add(restorePanels(panels.result, restored => results.restore(restored)));
  owned.add(restorePanels(panels.table, async restored => (await tables()).restore(restored)));
  owned.add(restorePanels(panels.settings, async restored => (await management()).restorePage(restored)));

  const keyParts: KeyParts = {
    ...{ projects, keys },
    issue: async profile => (await local()).issue(readLocalFolder(), profile),
    revoke: async keyId => (await local()).revoke(readLocalFolder(), keyId),
  };
  const handlers: Record<keyof typeof commands, (argument: ProjectArgument) => unknown> = {
    runStatement: argument => inEditor((made, editor) => made.runStatement(editor, argument)),
    runSelection: () => inEditor((made, editor) => made.runSelection(editor)),
    runAll: () => inEditor((made, editor) => made.runAll(editor)),
    runInBackground: () => inEditor((made, editor) => made.runInBackground(editor)),
    rerun: () => inEditor((made, editor) => made.rerun(editor)),
    cancelRun: () => inEditor((made, editor) => made.cancel(editor)),
    explain: () => inEditor((made, editor) => made.explain(editor)),
    copyPlan: async argument => (await running()).plan.copy(argument),
    closePlan: async () => (await running()).plan.close(),
    newQuery: argument => newQuery(projects, documents, argument),
    browseTable: argument => browseTable({ projects, catalogs, tables }, argument),
    refreshTable: async () => (await (await tables()).active())?.refresh(),
    goToRow: async () => (await (await tables()).active())?.goToRow(),
    countTable: async () => (await (await tables()).active())?.countAll(),
    showTableStatement: async () => (await (await tables()).active())?.showStatement(),
    findTable: argument => findTable({ projects, catalogs, reveal: revealTable }, argument),
    refresh: argument => refresh(projects, catalogs, argument),
    setKey: argument => setKey(keyParts, argument),
    forgetKey: argument => forgetKey(keyParts, argument),
    manage: async () => (await management()).openPage(),
    chooseProject: async () => {
      const { chooseProjectOfEditor } = await import('./documents/sqlDocuments.ts');
      await chooseProjectOfEditor(projects, documents);
    },
    tryLocally: async () => (await local()).tryLocally(projects, revealProject),
    addProject: async () => (await management()).addProject(revealProject),
    editProject: async argument => (await management()).editProject(argument),
    removeProject: async argument => (await management()).removeProject(argument),
    testConnection: async argument => (await management()).testConnection(argument),
    protectProject: async argument => (await management()).protectProject(argument),
    colorProject: async argument => (await management()).colorProject(argument),
    copyToWorkspace: async argument => (await management()).copyToWorkspace(argument),
    importProjects: async () => (await management()).importProjects(),
    exportProjects: async () => (await management()).exportProjects(),
    openSettings: argument => openSettings(argument === 'workspace' ? 'workspace' : 'user'),
    copyName,
    copyDefinition: argument => copyDefinition(objects, argument),
    showDefinition: argument => showDefinition(objects, argument),
    compareDefinition: argument => compareDefinition(objects, argument),
    countRows: argument => countRows(objects, argument),
    dropObject: argument => dropObject(objects, argument),
    showStatus: argument => showStatus(objects, argument),
    openResultInEditor: argument => results.run('openInEditor', argument),
    exportResult: argument => results.run('export', argument),
    pinResult: argument => results.run('pin', argument),
    unpinResult: argument => results.run('unpin', argument),
    renameResult: argument => results.run('rename', argument),
    closeResult: argument => results.run('close', argument),
    closeOtherResults: argument => results.run('closeOthers', argument),
    loadMore: async argument => {
      if (typeof argument !== 'object' || argument.kind !== 'more') return;
      const next = tree.loadMore(argument);
      if (next) await treeView.reveal(next, { select: true, focus: true });
    },
  };
  for (const name of Object.keys(commands) as (keyof typeof commands)[]) {
    // Of a row that has gone since it was selected, VS Code gives the buttons of a view null.
    const handle = (argument: ProjectArgument | null): unknown => handlers[name](argument ?? undefined);
    owned.add(vscode.commands.registerCommand(commands[name], handle));
  }
  owned.add(
    onFirstSqlDocument(() => {
      startLanguage(context, owned);
      void sqlDocuments();
    }),
  );
  return {
    async dispose() {
      owned.dispose();
      try {
        await results.dispose();
        await (await rowsWorker)?.dispose();
      } finally {
        await scratch.remove();
      }
    },
  };
}

/** What SQL documents need starts with the first of them, not with the window. */
function onFirstSqlDocument(start: () => void): Disposable {
  const owned = new DisposableStore();
  let started = false;
  const startFor = (document: vscode.TextDocument): void => {
    if (started || document.languageId !== 'sql') return;
    started = true;
    start();
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(startFor));
  const soon = setImmediate(() => vscode.workspace.textDocuments.forEach(startFor));
  owned.add(toDisposable(() => clearImmediate(soon)));
  return owned;
}

function startLanguage(context: vscode.ExtensionContext, owned: DisposableStore): void {
  import('./language/languageClient.ts')
    .then(({ startLanguageClient }) => startLanguageClient(context))
    .then(
      client => owned.add(client),
      (thrown: unknown) => {
        void showError(vscode.l10n.t('The SQL language server did not start: {0}', String(thrown)));
      },
    );
}
