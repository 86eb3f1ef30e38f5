import { definitionScheme } from '../protocol/definitionUri.ts';

/** The names that package.json and the code share. A test compares both. */

export const commands = {
  runStatement: 'sqlProjects.runStatement',
  runSelection: 'sqlProjects.runSelection',
  runAll: 'sqlProjects.runAll',
  runInBackground: 'sqlProjects.runInBackground',
  runOnProjects: 'sqlProjects.runOnProjects',
  rerun: 'sqlProjects.rerun',
  cancelRun: 'sqlProjects.cancelRun',
  explain: 'sqlProjects.explain',
  newQuery: 'sqlProjects.newQuery',
  browseTable: 'sqlProjects.browseTable',
  exportStatement: 'sqlProjects.exportStatement',
  exportTable: 'sqlProjects.exportTable',
  previewTable: 'sqlProjects.previewTable',
  openSelected: 'sqlProjects.openSelected',
  findTable: 'sqlProjects.findTable',
  searchTables: 'sqlProjects.searchTables',
  refresh: 'sqlProjects.refresh',
  setKey: 'sqlProjects.setKey',
  issueKey: 'sqlProjects.issueKey',
  forgetKey: 'sqlProjects.forgetKey',
  manage: 'sqlProjects.manage',
  addProject: 'sqlProjects.addProject',
  editProject: 'sqlProjects.editProject',
  removeProject: 'sqlProjects.removeProject',
  testConnection: 'sqlProjects.testConnection',
  protectProject: 'sqlProjects.protectProject',
  colorProject: 'sqlProjects.colorProject',
  agentAccess: 'sqlProjects.agentAccess',
  copyToWorkspace: 'sqlProjects.copyToWorkspace',
  importProjects: 'sqlProjects.importProjects',
  exportProjects: 'sqlProjects.exportProjects',
  openSettings: 'sqlProjects.openSettings',
  copyName: 'sqlProjects.copyName',
  copyDefinition: 'sqlProjects.copyDefinition',
  showDefinition: 'sqlProjects.showDefinition',
  compareDefinition: 'sqlProjects.compareDefinition',
  compareSchemas: 'sqlProjects.compareSchemas',
  writeMigrationScript: 'sqlProjects.writeMigrationScript',
  countRows: 'sqlProjects.countRows',
  importRows: 'sqlProjects.importRows',
  importClipboard: 'sqlProjects.importClipboard',
  pauseImport: 'sqlProjects.pauseImport',
  newTable: 'sqlProjects.newTable',
  designTable: 'sqlProjects.designTable',
  renameTable: 'sqlProjects.renameTable',
  copyTable: 'sqlProjects.copyTable',
  compareRows: 'sqlProjects.compareRows',
  groupRows: 'sqlProjects.groupRows',
  generateRows: 'sqlProjects.generateRows',
  dropObject: 'sqlProjects.dropObject',
  loadMore: 'sqlProjects.loadMore',
  tryLocally: 'sqlProjects.tryLocally',
  chooseProject: 'sqlProjects.chooseProject',
  refreshSchema: 'sqlProjects.refreshSchema',
  openResultInEditor: 'sqlProjects.openResultInEditor',
  exportResult: 'sqlProjects.exportResult',
  showChart: 'sqlProjects.showChart',
  pinResult: 'sqlProjects.pinResult',
  unpinResult: 'sqlProjects.unpinResult',
  renameResult: 'sqlProjects.renameResult',
  closeResult: 'sqlProjects.closeResult',
  closeOtherResults: 'sqlProjects.closeOtherResults',
  toggleFilterRow: 'sqlProjects.toggleFilterRow',
  refreshTable: 'sqlProjects.refreshTable',
  goToRow: 'sqlProjects.goToRow',
  countTable: 'sqlProjects.countTable',
  showTableStatement: 'sqlProjects.showTableStatement',
  saveTable: 'sqlProjects.saveTable',
  reviewTable: 'sqlProjects.reviewTable',
  discardTable: 'sqlProjects.discardTable',
  addTableRow: 'sqlProjects.addTableRow',
  stopAgents: 'sqlProjects.stopAgents',
  searchHistory: 'sqlProjects.searchHistory',
  clearHistory: 'sqlProjects.clearHistory',
  showMoreHistory: 'sqlProjects.showMoreHistory',
  openHistoryEntry: 'sqlProjects.openHistoryEntry',
  runHistoryEntry: 'sqlProjects.runHistoryEntry',
  showHistoryRows: 'sqlProjects.showHistoryRows',
  compareHistoryEntry: 'sqlProjects.compareHistoryEntry',
  copyHistoryEntry: 'sqlProjects.copyHistoryEntry',
  saveHistoryEntry: 'sqlProjects.saveHistoryEntry',
  deleteHistoryEntry: 'sqlProjects.deleteHistoryEntry',
  toggleHistory: 'sqlProjects.toggleHistory',
  saveQuery: 'sqlProjects.saveQuery',
  newQueryFile: 'sqlProjects.newQueryFile',
  runQuery: 'sqlProjects.runQuery',
  renameQuery: 'sqlProjects.renameQuery',
  deleteQuery: 'sqlProjects.deleteQuery',
  revealQuery: 'sqlProjects.revealQuery',
} as const;

export const settings = {
  projects: 'sqlProjects.projects',
  localServiceFolder: 'sqlProjects.localService.folder',
  localServiceProjects: 'sqlProjects.localService.projects',
  projectGroups: 'sqlProjects.projectGroups',
  rowCounts: 'sqlProjects.tree.rowCounts',
  browsePageSize: 'sqlProjects.browse.pageSize',
  maxRows: 'sqlProjects.results.maxRows',
  maxBytesMb: 'sqlProjects.results.maxBytesMb',
  maxDiskMb: 'sqlProjects.results.maxDiskMb',
  keep: 'sqlProjects.results.keep',
  saveParameterValues: 'sqlProjects.results.saveParameterValues',
  columnTypes: 'sqlProjects.grid.columnTypes',
  filterRow: 'sqlProjects.grid.filterRow',
  copyBlobsAs: 'sqlProjects.grid.copyBlobsAs',
  runLens: 'sqlProjects.run.lens',
  runBounds: 'sqlProjects.run.bounds',
  onFault: 'sqlProjects.run.onFault',
  statementEnd: 'sqlProjects.run.statementEnd',
  logStatements: 'sqlProjects.log.statements',
  insertColumnHints: 'sqlProjects.inlayHints.insertColumns',
  parameterHints: 'sqlProjects.inlayHints.parameters',
  keywordCase: 'sqlProjects.format.keywordCase',
  commas: 'sqlProjects.format.commas',
  lineWidth: 'sqlProjects.format.lineWidth',
  embeddedProject: 'sqlProjects.embedded.project',
  lintRules: 'sqlProjects.lint.rules',
  queriesFolder: 'sqlProjects.queries.folder',
  agentsMasked: 'sqlProjects.agents.masked',
  agentsHidden: 'sqlProjects.agents.hidden',
  agentsLimits: 'sqlProjects.agents.limits',
  agentsWritable: 'sqlProjects.agents.writable',
  historyMaxEntries: 'sqlProjects.history.maxEntries',
  historyMaxRowsMb: 'sqlProjects.history.maxRowsMb',
  historyExcluded: 'sqlProjects.history.excluded',
} as const;

export const views = {
  projects: 'sqlProjects.projects',
  history: 'sqlProjects.history',
  queries: 'sqlProjects.queries',
  results: 'sqlProjects.results',
} as const;

/** Types of webview editors. */
export const panels = {
  result: 'sqlProjects.result',
  settings: 'sqlProjects.settings',
  design: 'sqlProjects.design',
} as const;

export const customEditors = {
  table: 'sqlProjects.table',
} as const;

/** The tools for AI agents, by the names that agents call them by. */
export const agentToolNames = [
  'sql_projects',
  'sql_schema',
  'sql_query',
  'sql_explain',
  'sql_open',
  'sql_write',
] as const;

export type AgentToolName = (typeof agentToolNames)[number];

export const mcpProviders = {
  local: 'sqlProjects.localProjects',
} as const;

/** Colors that themes can define. */
export const themeColors = {
  orange: 'sqlProjects.orange',
  statementBackground: 'sqlProjects.statementBackground',
  yellow: 'sqlProjects.yellow',
} as const;

export const schemes = {
  definition: definitionScheme,
  table: 'sqltable',
  review: 'sqlproject-review',
} as const;

export const contextKeys = {
  workspaceTrusted: 'isWorkspaceTrusted',
  hasResult: 'sqlProjects.hasResult',
  /** Whether there is a project that an SQL document could use. */
  hasProjects: 'sqlProjects.hasProjects',
  /** The paths of the open documents that have a project, and of those with a running statement. */
  documentsWithProject: 'sqlProjects.documentsWithProject',
  documentsRunning: 'sqlProjects.documentsRunning',
} as const;

export const contextValues = {
  project: 'project',
  localProject: 'localProject',
  folder: 'folder',
  table: 'table',
  view: 'view',
  column: 'column',
  index: 'index',
  trigger: 'trigger',
  historyEntry: 'historyEntry',
  historyRows: 'historyRows',
  queryRoot: 'queryRoot',
  queryFolder: 'queryFolder',
  queryFile: 'queryFile',
} as const;
