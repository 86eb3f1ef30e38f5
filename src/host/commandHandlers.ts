import * as vscode from 'vscode';
import { monotonicClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { lazy } from '../base/lazy.ts';
import type { TableEditor } from './browsing/tableEditor.ts';
import type { ProjectArgument } from './commands/projectArgument.ts';
import type { WindowParts } from './composition.ts';
import { activeSqlEditor, type SqlEditor } from './documents/sqlEditor.ts';
import type { HistoryActions } from './history/historyActions.ts';
import { commandId, type CommandName } from './names.ts';
import type { ResultCommand } from './results/resultsPanel.ts';
import type { Running } from './running/running.ts';
import { profileOf, type TableNode, type TreeNode } from './tree/treeNodes.ts';

/** `selected` are the selected nodes of a tree, if the argument is one of several. */
type CommandHandler = (argument: ProjectArgument, selected?: readonly TreeNode[]) => unknown;

const treeCommands = () => import('./commands/treeCommands.ts');
const queries = () => import('./queries/queries.ts');
const shaping = () => import('./shaping/compareSchemas.ts');

/** Maps each command of package.json to its handler. */
export function commandHandlers(parts: WindowParts) {
  const { projects, documents, projectsView, results, local, management, running, schemas, tables } = parts;
  const { imports, designers } = parts;
  // Read the editor first: the user may leave it while the code loads.
  const inEditor = async (act: (running: Running, editor: SqlEditor | undefined) => unknown): Promise<void> => {
    const editor = activeSqlEditor();
    await act(await running(), editor);
  };
  const inActiveTable = async (act: (editor: TableEditor) => unknown): Promise<void> => {
    await (await tables()).inActive(act);
  };
  /** The id of the active editor's project: of an SQL document, or of a browsed table. */
  const currentProject = async (): Promise<string | undefined> => {
    const editor = activeSqlEditor();
    const choice = editor && (await documents.choiceFor(editor.document));
    if (choice?.kind === 'project') return choice.profile.id;
    return (await (await tables.loaded)?.active())?.profileId;
  };
  const reveal = (node: TableNode): Promise<void> => projectsView.revealTable(node);
  const historyActions = lazy(async () => new (await import('./history/historyActions.ts')).HistoryActions(parts));
  const onEntry =
    (action: Parameters<HistoryActions['act']>[0]): CommandHandler =>
    async argument =>
      (await historyActions()).act(action, argument);
  const onResult =
    (command: ResultCommand): CommandHandler =>
    async argument =>
      (await results.panel()).run(command, argument);
  const openClicked = lazy(async () => (await treeCommands()).tableClicks());
  return {
    runStatement: argument => inEditor((runs, editor) => runs.runStatement(editor, argument)),
    runSelection: () => inEditor((runs, editor) => runs.runSelection(editor)),
    runAll: () => inEditor((runs, editor) => runs.runAll(editor)),
    runInBackground: () => inEditor((runs, editor) => runs.runSelection(editor, 'background')),
    runOnProjects: () => inEditor((runs, editor) => runs.runOnProjects(editor)),
    rerun: () => inEditor((runs, editor) => runs.rerun(editor)),
    cancelRun: () => inEditor((runs, editor) => runs.cancel(editor)),
    explain: () => inEditor((runs, editor) => runs.explain(editor)),
    exportStatement: () => inEditor((runs, editor) => runs.exportStatement(editor)),

    newQuery: async argument => (await treeCommands()).newQuery(projects, documents, argument),
    chooseProject: async () => {
      const { chooseProjectOfEditor } = await import('./documents/sqlDocuments.ts');
      await chooseProjectOfEditor(projects, documents);
    },
    refreshSchema: async () => {
      const { refreshSchema } = await import('./commands/refreshSchema.ts');
      await refreshSchema(documents, await schemas());
    },

    browseTable: async argument => (await treeCommands()).browseTable(parts, argument),
    exportTable: async (argument, selected) => (await treeCommands()).exportTables(parts, argument, selected),
    previewTable: async argument => (await openClicked())(parts, argument),
    openSelected: async () => {
      // Selects the focused row, as Enter does in every list.
      await vscode.commands.executeCommand('list.select');
      const { selectedTable } = projectsView;
      if (selectedTable) await (await treeCommands()).browseTable(parts, selectedTable);
    },
    toggleFilterRow: async () => {
      const { showFilterRow, showsFilterRow } = await import('./results/gridSettings.ts');
      await showFilterRow(!showsFilterRow());
    },
    refreshTable: () => inActiveTable(editor => editor.refresh()),
    goToRow: () => inActiveTable(editor => editor.goToRow()),
    countTable: () => inActiveTable(editor => editor.countAll()),
    showTableStatement: () => inActiveTable(editor => editor.showStatement()),
    saveTable: () => inActiveTable(editor => editor.save()),
    reviewTable: () => inActiveTable(editor => editor.review()),
    discardTable: () => inActiveTable(editor => editor.discard()),
    addTableRow: () => inActiveTable(editor => editor.addRow()),

    findTable: async argument => {
      const { findTable } = await import('./commands/findTable.ts');
      await findTable({ ...parts, currentProject, clock: monotonicClock, reveal }, argument);
    },
    refresh: argument => refresh(parts, argument),
    loadMore: async argument => {
      if (typeof argument === 'object' && argument.kind === 'more') await projectsView.loadMore(argument);
    },
    copyName: async argument => (await treeCommands()).copyName(argument),
    copyDefinition: async argument => (await treeCommands()).copyDefinition(parts, argument),
    showDefinition: async argument => (await treeCommands()).showDefinition(argument),
    compareDefinition: async argument => (await treeCommands()).compareDefinition(parts, argument),
    compareSchemas: async argument => (await shaping()).compareSchemas(parts, argument),
    writeMigrationScript: async argument => (await shaping()).writeMigrationScript(parts, argument),
    countRows: async argument => (await treeCommands()).showRowCount(parts, argument),
    importRows: async argument => (await imports()).importFile(argument),
    importClipboard: async argument => (await imports()).importClipboard(argument),
    copyTable: async argument => {
      const { copyTable } = await import('./copying/copyTable.ts');
      await copyTable({ ...parts, runs: (await imports()).runs }, argument);
    },
    searchTables: async argument => (await import('./searching/searchTables.ts')).searchProject(parts, argument),
    compareRows: async argument => (await import('./comparing/compareWith.ts')).compareWith(parts, argument),
    comparePlans: async argument => (await import('./comparing/comparePlans.ts')).comparePlans(parts, argument),
    groupRows: async argument => {
      const { groupBy } = await import('./grouping/groupBy.ts');
      await groupBy(parts, argument);
    },
    generateRows: async argument => {
      const { generateTableRows } = await import('./generating/generateRows.ts');
      await generateTableRows({ ...parts, imports: await imports() }, argument);
    },
    pauseImport: async () => (await imports()).runs.togglePause(),
    newTable: async argument => (await designers()).newTable(argument),
    designTable: async argument => (await designers()).designTable(argument),
    showDiagram: async argument => (await parts.diagrams()).show(argument),
    renameTable: async argument => (await designers()).renameTable(argument),
    dropObject: async argument => (await treeCommands()).dropObject(parts, argument),

    setKey: async argument => (await treeCommands()).setKey(parts, argument),
    issueKey: async argument => (await treeCommands()).issueLocalKey(parts, argument),
    forgetKey: async argument => (await treeCommands()).forgetKey(parts, argument),
    // `npm start` passes the SQL file to open.
    tryLocally: async argument =>
      (await local()).tryLocally({
        projects,
        documents,
        reveal: profile => projectsView.revealProject(profile),
        file: argument instanceof vscode.Uri ? argument : undefined,
      }),

    searchHistory: async () => (await historyActions()).search(),
    statementInsights: async argument => {
      const { projectOfArgument } = await import('./commands/projectArgument.ts');
      const profile = await projectOfArgument(projects, argument);
      if (profile) await (await historyActions()).showInsights(profile);
    },
    clearHistory: async () => (await historyActions()).clear(),
    showMoreHistory: async () => (await parts.historyTree()).showMore(),
    openHistoryEntry: onEntry('open'),
    runHistoryEntry: onEntry('run'),
    showHistoryRows: onEntry('showRows'),
    compareHistoryEntry: onEntry('compare'),
    saveHistoryEntry: onEntry('save'),
    copyHistoryEntry: onEntry('copy'),
    deleteHistoryEntry: onEntry('remove'),
    toggleHistory: async argument => (await management()).toggleHistory(argument),
    saveQuery: async argument => {
      const editor = activeSqlEditor();
      if (!(await (await queries()).saveQuery(parts, argument, editor))) await onResult('saveQuery')(argument);
    },
    newQueryFile: async argument => (await queries()).newQueryFile(parts, argument),
    runQuery: async argument => (await queries()).runQuery(parts, argument),
    renameQuery: async argument => (await queries()).renameQuery(parts, argument),
    deleteQuery: async argument => (await queries()).deleteQuery(parts, argument),
    revealQuery: async argument => (await queries()).revealQuery(parts, argument),

    stopAgents: async () => (await parts.agents.loaded)?.stop(),

    manage: async () => (await management()).page.open(),
    addProject: async () => (await management()).addProject(profile => projectsView.revealProject(profile)),
    editProject: async argument => (await management()).editProject(argument),
    removeProject: async argument => (await management()).removeProject(argument),
    testConnection: async argument => (await management()).testConnection(argument),
    protectProject: async argument => (await management()).protectProject(argument),
    colorProject: async argument => (await management()).colorProject(argument),
    agentAccess: async argument => (await management()).agentAccess(argument),
    copyToWorkspace: async argument => (await management()).copyToWorkspace(argument),
    importProjects: async () => (await management()).importProjects(),
    exportProjects: async () => (await management()).exportProjects(),
    openSettings: async argument => (await management()).openSettings(argument),

    openResultInEditor: onResult('openInEditor'),
    exportResult: onResult('export'),
    showChart: onResult('chart'),
    pinResult: onResult('pin'),
    unpinResult: onResult('unpin'),
    renameResult: onResult('rename'),
    closeResult: onResult('close'),
    closeOtherResults: onResult('closeOthers'),
  } satisfies Readonly<Record<string, CommandHandler>>;
}

export function registerCommands(handlers: ReturnType<typeof commandHandlers>): Disposable {
  const owned = new DisposableStore();
  for (const [name, handle] of Object.entries<CommandHandler>(handlers)) {
    // VS Code passes null if the selected row of a view is gone.
    const run = (argument: ProjectArgument | null, selected?: readonly TreeNode[]): unknown =>
      handle(argument ?? undefined, selected);
    owned.add(vscode.commands.registerCommand(commandId(name as CommandName), run));
  }
  return owned;
}

/** Refreshes one project; without an argument, the list of projects and all catalogs. */
async function refresh({ projects, catalogs, local }: WindowParts, argument: ProjectArgument): Promise<void> {
  const profile = typeof argument === 'object' ? profileOf(argument) : undefined;
  if (profile) {
    catalogs.for(profile).forget();
    return;
  }
  catalogs.forgetAll();
  projects.refresh();
  // The list changes if the service has other projects now. The nodes of its projects say why it does not answer.
  await (await local()).relist().catch(() => undefined);
}
