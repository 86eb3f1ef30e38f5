import { issueKeyPath, operatorPaths } from './paths.ts';

export type Route =
  | EnrolmentRoute
  | ProjectRoute
  | { readonly name: 'lease' | 'prove' }
  | { readonly name: 'health' | 'readiness' | 'metrics' }
  | AdminRoute;

export interface EnrolmentRoute {
  readonly name: 'listProjects' | 'resolveProject' | 'initProject' | 'issueKey';
}

export type ProjectRoute =
  | {
      readonly name: 'executeSql' | 'listTables' | 'countTables' | 'projectStatus' | 'commit';
      readonly projectId: string;
    }
  | { readonly name: 'browseRows' | 'tableSchema'; readonly projectId: string; readonly table: string };

export type AdminRoute =
  | { readonly name: 'listKeys' | 'restore' | 'importProject' }
  | { readonly name: 'revokeKey'; readonly keyId: string }
  | { readonly name: 'vacuum' | 'check' | 'exportProject' | 'backup' | 'deleteProject'; readonly projectId: string };

/** The calls of a project, which its key allows. */
export const projectRoutes = [
  'executeSql',
  'browseRows',
  'listTables',
  'tableSchema',
  'countTables',
  'projectStatus',
  'commit',
] as const satisfies readonly Route['name'][];

export type HttpMethod = 'GET' | 'POST';

const issueKey: MatchedRoute = { route: { name: 'issueKey' }, method: 'POST' };

type Rule = readonly [method: HttpMethod, pattern: string, route: (first: string, second: string) => Route];

const rules: readonly Rule[] = [
  ['GET', 'projects', () => ({ name: 'listProjects' })],
  ['POST', 'projects/resolve', () => ({ name: 'resolveProject' })],
  ['POST', 'projects/init', () => ({ name: 'initProject' })],
  // Also under the prefix: a proxy may pass on only such paths.
  [issueKey.method, issueKeyPath.slice(1), () => issueKey.route],
  ['POST', 'projects/*/sql', projectId => ({ name: 'executeSql', projectId })],
  ['GET', 'projects/*/status', projectId => ({ name: 'projectStatus', projectId })],
  ['POST', 'projects/*/commit', projectId => ({ name: 'commit', projectId })],
  ['GET', 'projects/*/tables', projectId => ({ name: 'listTables', projectId })],
  ['GET', 'projects/*/tables/count', projectId => ({ name: 'countTables', projectId })],
  ['GET', 'projects/*/tables/*/rows', (projectId, table) => ({ name: 'browseRows', projectId, table })],
  ['GET', 'projects/*/tables/*/schema', (projectId, table) => ({ name: 'tableSchema', projectId, table })],
  ['GET', 'admin/keys', () => ({ name: 'listKeys' })],
  ['POST', 'admin/keys/*/revoke', keyId => ({ name: 'revokeKey', keyId })],
  ['GET', 'admin/lease', () => ({ name: 'lease' })],
  ['GET', 'admin/proof', () => ({ name: 'prove' })],
  ['POST', 'admin/restore', () => ({ name: 'restore' })],
  ['POST', 'admin/import', () => ({ name: 'importProject' })],
  ['POST', 'admin/projects/*/vacuum', projectId => ({ name: 'vacuum', projectId })],
  ['POST', 'admin/projects/*/check', projectId => ({ name: 'check', projectId })],
  ['POST', 'admin/projects/*/export', projectId => ({ name: 'exportProject', projectId })],
  ['POST', 'admin/projects/*/delete', projectId => ({ name: 'deleteProject', projectId })],
  ['POST', 'admin/projects/*/backup', projectId => ({ name: 'backup', projectId })],
];

const patterns = rules.map(([method, pattern, route]) => ({ method, pattern: pattern.split('/'), route }));

/** The paths without a prefix. */
const rootRoutes: ReadonlyMap<string, MatchedRoute> = new Map<string, MatchedRoute>([
  [issueKeyPath, issueKey],
  [operatorPaths.health, { route: { name: 'health' }, method: 'GET' }],
  [operatorPaths.readiness, { route: { name: 'readiness' }, method: 'GET' }],
  [operatorPaths.metrics, { route: { name: 'metrics' }, method: 'GET' }],
]);

interface MatchedRoute {
  readonly route: Route;
  readonly method: HttpMethod;
}

/** Takes a percent-encoded path. Undefined if the service has no such path. */
export function matchRoute(prefix: string, pathname: string): MatchedRoute | undefined {
  const rootRoute = rootRoutes.get(pathname);
  if (rootRoute) return rootRoute;
  if (!pathname.startsWith(`${prefix}/`)) return undefined;
  const parts = decodeSegments(pathname.slice(prefix.length + 1));
  if (!parts) return undefined;
  for (const { method, pattern, route } of patterns) {
    if (!fits(pattern, parts)) continue;
    const [first = '', second = ''] = parts.filter((_, i) => pattern[i] === '*');
    return { route: route(first, second), method };
  }
  return undefined;
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length && pattern.every((word, i) => (word === '*' ? parts[i] !== '' : parts[i] === word))
  );
}

function decodeSegments(path: string): string[] | undefined {
  // SQLite would read a name only up to its NUL.
  if (path.includes('%00')) return undefined;
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
