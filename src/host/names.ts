import { definitionScheme } from '../protocol/definitionUri.ts';
import type { commandHandlers } from './commandHandlers.ts';

/** The names that package.json and the code share. A test compares both. */

/** The handlers name the commands. */
export type CommandName = keyof ReturnType<typeof commandHandlers>;

/** The id of a command in package.json. */
export const commandId = (name: CommandName): string => `sqlProjects.${name}`;

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
  diagram: 'sqlProjects.diagram',
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
  plan: 'sqlproject-plan',
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
