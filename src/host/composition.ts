import { join } from 'node:path';
import * as vscode from 'vscode';
import { monotonicClock, systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { type Lazy, lazy } from '../base/lazy.ts';
import type { CallReport, ClientOptions } from '../client/index.ts';
import { registerAgents } from './agents/registerAgents.ts';
import { commandHandlers, registerCommands } from './commandHandlers.ts';
import { Catalogs, type ProjectParts, Projects } from './connections/projects.ts';
import {
  type AskForReuse,
  Clients,
  type ClientsParts,
  type ClientWatch,
  type EnsureRunning,
} from './connections/clients.ts';
import { DocumentProjects } from './connections/documentProjects.ts';
import { canHaveProject, hasOpenDocument } from './connections/embeddedProject.ts';
import { KeyStore, type LocalKeys } from './connections/keyStore.ts';
import { onSettingChange, readLocalFolder } from './connections/profileSettings.ts';
import type { History } from './history/history.ts';
import type { HistoryNode, HistoryTree } from './history/historyTree.ts';
import { DefinitionDocuments } from './definitions/definitionDocuments.ts';
import type { FindColumns } from './documents/runLenses.ts';
import type { TableEditors } from './browsing/tableEditors.ts';
import { TableProvider } from './browsing/tableProvider.ts';
import type { ClientListeners } from './log/callLog.ts';
import { LanguageFaults } from './language/languageFaults.ts';
import { LazyView } from './lazyView.ts';
import { panels, schemes, settings, views } from './names.ts';
import { showError } from './notifications.ts';
import type { QueryNode, QueryTree } from './queries/queryTree.ts';
import type { ExportRows } from './results/exportRows.ts';
import { ResultsView } from './results/resultsView.ts';
import { ScratchFolder } from './results/scratchFolder.ts';
import { watchSavedValues } from './savedValues.ts';
import { ProjectsView } from './tree/projectsView.ts';
import { restorePanels } from './webviews/restoredPanels.ts';

/** Makes the objects of a window, and the commands that use them. */
export function compose(context: vscode.ExtensionContext): { dispose(): Promise<void> } {
  const owned = new DisposableStore();
  const parts = createParts(context, owned);
  owned.add(registerCommands(commandHandlers(parts)));
  return parts;
}

export type WindowParts = ReturnType<typeof createParts>;

/** Makes and connects the objects of a window. No part reads a file or a secret here, and lazy parts load on first use. */
function createParts(context: vscode.ExtensionContext, owned: DisposableStore) {
  const { extensionUri, globalState, workspaceState } = context;
  const log = owned.add(vscode.window.createOutputChannel('SQL Projects', { log: true }));
  const historyFolder = join(context.globalStorageUri.fsPath, 'history');
  const history = lazy(async () => {
    const { History } = await import('./history/history.ts');
    const entry = context.asAbsolutePath('dist/historyThread.mjs');
    return new History({ entry, folder: historyFolder, log });
  });
  const withHistory = (use: (loaded: History) => void): void => {
    history().then(use, (thrown: unknown) => log.warn(`history: ${messageOf(thrown)}`));
  };
  const record: History['record'] = (...ended) => withHistory(loaded => loaded.record(...ended));
  const watch = async (profile: Parameters<ClientWatch>[0]): Promise<ClientListeners> => {
    const [{ logCalls }, { watchWaits }] = await Promise.all([
      import('./log/callLog.ts'),
      import('./log/retryWaits.ts'),
    ]);
    const name = (): string => profile.name;
    const listeners = logCalls({ log, name, showsStatements });
    const onCallEnd = (report: CallReport): void => {
      listeners.onCallEnd?.(report);
      if (report.purpose !== undefined) withHistory(loaded => loaded.recordReport(profile, report));
    };
    return { ...listeners, onCallEnd, onWait: watchWaits(log, name) };
  };

  // Projects and connections
  const keys = owned.add(new KeyStore(context.secrets, { clock: systemClock, workspace: workspaceName }));
  const local = lazy(async () => {
    const { LocalProjects } = await import('./local/localProjects.ts');
    const listeners = await watch({ name: vscode.l10n.t('Local service') });
    return owned.add(new LocalProjects({ context, keys, listeners, onDidChange: () => projects.refresh() }));
  });
  const localKeys: LocalKeys = {
    issue: async profile => (await local()).issue(readLocalFolder(), profile),
    revoke: async keyId => (await local()).revoke(readLocalFolder(), keyId),
  };
  const projects: Projects = owned.add(new Projects(async folder => (await local()).profiles(folder)));
  const ensureRunning: EnsureRunning = async profile => {
    // A key that the local service issued goes only to that service, even if a settings entry has its address.
    const isLocal = profile.source === 'local' || (await keys.stored(profile))?.issuedAs !== undefined;
    return isLocal ? (await local()).ensureRunning(readLocalFolder(), profile) : { profile };
  };
  const reuse = lazy(async () => (await import('./connections/keyReuse.ts')).keyReuse(keys));
  const askForReuse: AskForReuse = async profile => (await reuse())(profile);
  const connections: ClientsParts = { keys, ensureRunning, askForReuse, watch };
  const openClients = (overrides: Partial<ClientOptions>): Clients => new Clients({ ...connections, overrides });
  const clients = owned.add(new Clients(connections));
  const catalogs = owned.add(new Catalogs(clients, projects, keys));
  const services: ProjectParts = { projects, clients, catalogs };
  const management = lazy(async () => {
    const { Management } = await import('./management/management.ts');
    return owned.add(new Management({ extensionUri, projects, clients, keys, localKeys, watch }));
  });

  // Documents, runs and results
  const documents = owned.add(new DocumentProjects(projects, workspaceState));
  owned.add(watchSavedValues(context));
  owned.add(onSettingChange([settings.saveParameterValues], () => withHistory(loaded => loaded.dropForbiddenValues())));
  const scratch = new ScratchFolder();
  const rowsThread = lazy(async () => {
    const { RowsThread } = await import('../model/results/queries/rowsThread.ts');
    return new RowsThread(context.asAbsolutePath('dist/rowsThread.mjs'));
  });
  const exportRows: ExportRows = async (...request) =>
    (await import('./results/exportRows.ts')).exportRows(globalState, ...request);
  const results = new ResultsView({
    context,
    scratch,
    rowsThread,
    exportRows,
    rerun: async (from, writeKey) => (await running()).rerunResult(from, writeKey),
    follow: async (profileId, run, row, column) => (await running()).followKey(profileId, run, row, column),
  });
  const tables: Lazy<TableEditors> = lazy(async () => {
    const { createTableEditors } = await import('./browsing/tableEditors.ts');
    return owned.add(
      createTableEditors({
        ...services,
        extensionUri,
        exportRows,
        documents,
        downloadParts: async () => results.runParts(),
        onEdit: tableProvider.onEdit,
        globalStorage: context.globalStorageUri.fsPath,
      }),
    );
  });
  const tableProvider: TableProvider = owned.add(new TableProvider(tables));
  const schemas = lazy(async () => {
    const { ProjectSchemas } = await import('./language/projectSchemas.ts');
    return owned.add(
      new ProjectSchemas({
        listProjects: () => projects.list(),
        catalogs,
        isInUse: profileId => hasOpenDocument(documents, profileId),
        isTrusted: () => vscode.workspace.isTrusted,
        wouldStartService: async profile => (await local()).wouldStartService(readLocalFolder(), profile),
        keyOf: async profile => (await keys.stored(profile))?.key,
        storage: context.storageUri?.fsPath,
        log,
        clock: monotonicClock,
        systemTime: systemClock,
      }),
    );
  });
  const faults = new LanguageFaults();
  const language = lazy(async () => {
    const { SqlLanguageClient } = await import('./language/languageClient.ts');
    const projectSchemas = await schemas();
    return owned.add(new SqlLanguageClient({ context, documents, catalogs, schemas: projectSchemas, faults, log }));
  });
  const resultColumns: FindColumns = async (document, start) => (await language.loaded)?.resultColumns(document, start);
  const sqlDocuments = lazy(async () => {
    const { SqlDocuments } = await import('./documents/sqlDocuments.ts');
    const projectSchemas = await schemas();
    return owned.add(
      new SqlDocuments({ extensionUri, documents, projects, schemas: projectSchemas, faults, resultColumns }),
    );
  });
  const running = lazy(async () => {
    const [{ Running }, { statements, marks }] = await Promise.all([import('./running/running.ts'), sqlDocuments()]);
    return owned.add(
      new Running({
        ...services,
        documents,
        results,
        statements,
        marks,
        memory: workspaceState,
        exportMemory: globalState,
        resultColumns,
        proveIndexes: async request => (await language.loaded)?.provenIndexes(request),
        record: ended => withHistory(loaded => loaded.recordStatement(ended)),
        openFiltered: async (profile, rows) => (await tables()).openFiltered(profile, rows),
        clock: systemClock,
      }),
    );
  });

  const queriesView: LazyView<QueryNode, QueryTree> = owned.add(
    new LazyView<QueryNode, QueryTree>(
      views.queries,
      async view => new (await import('./queries/queryTree.ts')).QueryTree(context.globalStorageUri, view),
      async (...move) => (await import('./queries/queries.ts')).moveQueries(refreshQueries, ...move),
    ),
  );
  const refreshQueries = async (): Promise<void> => (await queriesView.tree.loaded)?.refresh();

  /** Holds the journals of imports and their copied files. */
  const importFolder = join(context.globalStorageUri.fsPath, 'imports');
  const imports = lazy(async () => {
    const { Imports } = await import('./importing/imports.ts');
    const loaded = new Imports({
      ...services,
      folder: importFolder,
      context,
      tables,
      designers,
      results,
      record,
    });
    owned.add(loaded.runs);
    return loaded;
  });

  const designers = lazy(async () => {
    const { TableDesigners } = await import('./designing/tableDesigners.ts');
    return owned.add(new TableDesigners({ ...services, extensionUri, documents, tables }));
  });

  const diagrams = lazy(async () => {
    const { Diagrams } = await import('./diagram/diagrams.ts');
    return owned.add(new Diagrams({ ...services, extensionUri, memory: workspaceState }));
  });

  const agents = lazy(async () => {
    const { Agents } = await import('./agents/agents.ts');
    const wasmFile = context.asAbsolutePath('dist/sqlite3.wasm');
    return owned.add(new Agents({ projects, documents, openClients, log, showsStatements, wasmFile, record }));
  });
  const servers = lazy(async () => {
    const { mcpServers } = await import('./agents/mcpServers.ts');
    const script = context.asAbsolutePath('dist/service.mjs');
    return mcpServers({ projects, local, script, history: historyFolder });
  });

  // Contributions to the window
  const projectsView = owned.add(
    new ProjectsView({
      projects,
      catalogs,
      memory: workspaceState,
      imports: {
        importFile: async (node, file) => (await imports()).importFile(node, file),
        copyFile: async file => (await imports()).copyFile(file),
      },
    }),
  );
  const { tree: historyTree } = owned.add(
    new LazyView<HistoryNode, HistoryTree>(views.history, async view => {
      const { HistoryTree } = await import('./history/historyTree.ts');
      return new HistoryTree(await history(), view);
    }),
  );
  owned.add(new DefinitionDocuments(projects, catalogs));
  // The address of a compared plan has its text.
  const plans: vscode.TextDocumentContentProvider = { provideTextDocumentContent: ({ query }) => query };
  owned.add(vscode.workspace.registerTextDocumentContentProvider(schemes.plan, plans));
  owned.add(vscode.window.registerWebviewViewProvider(views.results, results));
  owned.add(restorePanels(panels.result, async restored => (await results.panel()).results.restoreEditor(restored)));
  owned.add(restorePanels(panels.settings, async restored => (await management()).restorePage(restored)));
  owned.add(restorePanels(panels.design, async restored => (await designers()).restore(restored)));
  owned.add(restorePanels(panels.diagram, async restored => (await diagrams()).restore(restored)));
  owned.add(registerAgents(agents, servers, projects));
  owned.add(onUnfinishedImports(importFolder, log, async () => (await imports()).runs.offerUnfinished()));
  owned.add(
    onFirstSqlDocument(() => {
      language().catch((thrown: unknown) =>
        showError(vscode.l10n.t('The SQL language server did not start: {0} Reload the window.', messageOf(thrown))),
      );
      void sqlDocuments();
    }),
  );

  return {
    ...services,
    documents,
    keys,
    localKeys,
    local,
    management,
    projectsView,
    results,
    running,
    schemas,
    tables,
    imports,
    designers,
    diagrams,
    agents,
    history,
    historyTree,
    sqlDocuments,
    refreshQueries,
    globalStorage: context.globalStorageUri,
    /** The path of the program that generates rows. */
    generator: context.asAbsolutePath('dist/generator.mjs'),
    async dispose() {
      owned.dispose();
      try {
        await results.dispose();
        await (await rowsThread.loaded)?.dispose();
        await (await history.loaded)?.dispose();
      } finally {
        await scratch.remove();
      }
    },
  };
}

/** Calls `offer` after activation if the folder has journals. A note in VS Code's memory could be lost with a window. */
function onUnfinishedImports(folder: string, log: vscode.LogOutputChannel, offer: () => Promise<void>): Disposable {
  const look = async (): Promise<void> => {
    const { journalNames } = await import('../model/importing/journalFiles.ts');
    if ((await journalNames(folder)).length > 0) await offer();
  };
  const afterActivation = setImmediate(() => {
    // The next window tries again.
    if (!vscode.workspace.isTrusted) return;
    look().catch((thrown: unknown) => log.warn(`unfinished imports were not found: ${messageOf(thrown)}`));
  });
  return toDisposable(() => clearImmediate(afterActivation));
}

/** Whether the log may show the start of statements. */
const showsStatements = (): boolean => vscode.workspace.getConfiguration().get(settings.logStatements) !== false;

/** Undefined while the workspace is not trusted: it has no projects then. */
function workspaceName(): string | undefined {
  const { isTrusted, workspaceFile, workspaceFolders } = vscode.workspace;
  return isTrusted ? (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() : undefined;
}

/** Calls `start` once, when the first document is open that is SQL or a program with SQL of a project. */
function onFirstSqlDocument(start: () => void): Disposable {
  const owned = new DisposableStore();
  let started = false;
  const startFor = (document: vscode.TextDocument): void => {
    if (started || !canHaveProject(document)) return;
    started = true;
    start();
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(startFor));
  const startForOpen = (): void => vscode.workspace.textDocuments.forEach(startFor);
  owned.add(onSettingChange([settings.embeddedProject], startForOpen));
  // Documents that are already open wait for the end of activation.
  const afterActivation = setImmediate(startForOpen);
  owned.add(toDisposable(() => clearImmediate(afterActivation)));
  return owned;
}
