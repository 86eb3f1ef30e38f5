/** The service's paths: written by the client, matched by the local service, both from here. */

export const defaultPathPrefix = '/serviceSql';

/** A prefix with a slash before and none behind, however it was typed; '' when there is none. */
export function normalPrefix(prefix: string): string {
  const inner = prefix.replaceAll(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

export const issueKeyPath = '/auth/issue';

const segment = encodeURIComponent;

export function projectPaths(prefix: string, projectId: string) {
  const project = `${prefix}/projects/${segment(projectId)}`;
  return {
    sql: `${project}/sql`,
    tables: `${project}/tables`,
    rows: (table: string): string => `${project}/tables/${segment(table)}/rows`,
    schema: (table: string): string => `${project}/tables/${segment(table)}/schema`,
    count: `${project}/tables/count`,
    status: `${project}/status`,
    commit: `${project}/commit`,
  };
}

export const projectsPath = (prefix: string): string => `${prefix}/projects`;
export const resolvePath = (prefix: string): string => `${prefix}/projects/resolve`;
export const initPath = (prefix: string): string => `${prefix}/projects/init`;

export type Route =
  | { readonly name: 'listProjects' }
  | { readonly name: 'issueKey' }
  | { readonly name: 'executeSql'; readonly projectId: string }
  | { readonly name: 'listTables'; readonly projectId: string }
  | { readonly name: 'browseRows'; readonly projectId: string; readonly table: string };

/** The route of a request's path (still percent-encoded) and the methods it takes; undefined when no such path exists. */
export function matchRoute(prefix: string, pathname: string): { route: Route; method: 'GET' | 'POST' } | undefined {
  if (pathname === issueKeyPath) return { route: { name: 'issueKey' }, method: 'POST' };
  if (pathname === projectsPath(prefix)) return { route: { name: 'listProjects' }, method: 'GET' };
  if (!pathname.startsWith(`${prefix}/projects/`)) return undefined;
  const parts = decodeSegments(pathname.slice(prefix.length + '/projects/'.length));
  const [projectId, collection, table, leaf] = parts ?? [];
  if (!parts || !projectId) return undefined;
  if (parts.length === 2 && collection === 'sql') return { route: { name: 'executeSql', projectId }, method: 'POST' };
  if (parts.length === 2 && collection === 'tables') {
    return { route: { name: 'listTables', projectId }, method: 'GET' };
  }
  if (parts.length === 4 && collection === 'tables' && table && leaf === 'rows') {
    return { route: { name: 'browseRows', projectId, table }, method: 'GET' };
  }
  return undefined;
}

function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
