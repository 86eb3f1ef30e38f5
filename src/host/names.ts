/** Every name that package.json and the code share. A test compares the two, both ways. */

export const commands = {
  runStatement: 'sqlProjects.runStatement',
  newQuery: 'sqlProjects.newQuery',
  refresh: 'sqlProjects.refresh',
  setKey: 'sqlProjects.setKey',
  forgetKey: 'sqlProjects.forgetKey',
  manage: 'sqlProjects.manage',
  openSettings: 'sqlProjects.openSettings',
  copyName: 'sqlProjects.copyName',
  copyDefinition: 'sqlProjects.copyDefinition',
  showDefinition: 'sqlProjects.showDefinition',
  countRows: 'sqlProjects.countRows',
  dropObject: 'sqlProjects.dropObject',
  showStatus: 'sqlProjects.showStatus',
  loadMore: 'sqlProjects.loadMore',
} as const;

export const settings = {
  projects: 'sqlProjects.projects',
  localServiceFolder: 'sqlProjects.localService.folder',
} as const;

export const views = {
  projects: 'sqlProjects.projects',
  results: 'sqlProjects.results',
} as const;

export const viewContainers = {
  explorer: 'sqlProjects',
  results: 'sqlProjectsResults',
} as const;

export const contextValues = {
  project: 'project',
  folder: 'folder',
  table: 'table',
  view: 'view',
  column: 'column',
  index: 'index',
  trigger: 'trigger',
} as const;
