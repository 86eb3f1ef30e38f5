export type HttpMethod = 'GET' | 'POST';

/** The method and the path of a call. A word with a colon stands for a field of the route. */
type Rules = Readonly<Record<string, readonly [method: HttpMethod, path: string]>>;

const enrolmentRules = {
  listProjects: ['GET', 'projects'],
  resolveProject: ['POST', 'projects/resolve'],
  initProject: ['POST', 'projects/init'],
  issueKey: ['POST', 'auth/issue'],
} as const satisfies Rules;

/** The calls of a project, which its key allows. */
const projectRules = {
  executeSql: ['POST', 'projects/:projectId/sql'],
  projectStatus: ['GET', 'projects/:projectId/status'],
  commit: ['POST', 'projects/:projectId/commit'],
  listTables: ['GET', 'projects/:projectId/tables'],
  countTables: ['GET', 'projects/:projectId/tables/count'],
  browseRows: ['GET', 'projects/:projectId/tables/:table/rows'],
  tableSchema: ['GET', 'projects/:projectId/tables/:table/schema'],
} as const satisfies Rules;

const adminRules = {
  listKeys: ['GET', 'admin/keys'],
  revokeKey: ['POST', 'admin/keys/:keyId/revoke'],
  restore: ['POST', 'admin/restore'],
  importProject: ['POST', 'admin/import'],
  vacuum: ['POST', 'admin/projects/:projectId/vacuum'],
  check: ['POST', 'admin/projects/:projectId/check'],
  exportProject: ['POST', 'admin/projects/:projectId/export'],
  deleteProject: ['POST', 'admin/projects/:projectId/delete'],
  backup: ['POST', 'admin/projects/:projectId/backup'],
} as const satisfies Rules;

const prefixedRules = {
  ...enrolmentRules,
  ...projectRules,
  ...adminRules,
  lease: ['GET', 'admin/lease'],
  prove: ['GET', 'admin/proof'],
} as const satisfies Rules;

/** The programs of operators expect exactly these paths, so there is no prefix. */
const operatorRules = {
  /** Whether the process answers. */
  health: ['GET', 'healthz'],
  /** Whether the service takes calls. */
  readiness: ['GET', 'readyz'],
  metrics: ['GET', 'metrics'],
} as const satisfies Rules;

/** A key is also issued under the prefix: a proxy may pass on only such paths. */
const rootRules: Rules = { ...operatorRules, issueKey: enrolmentRules.issueKey };

const rules = { ...prefixedRules, ...operatorRules };

type RouteField = 'projectId' | 'table' | 'keyId';
type FieldsIn<Path> = Path extends `${string}:${infer Field}/${infer Rest}`
  ? Extract<Field, RouteField> | FieldsIn<Rest>
  : never;
type RouteOf<T extends Rules> = {
  [Name in keyof T]: { readonly name: Name } & { readonly [Field in FieldsIn<T[Name][1]>]: string };
}[keyof T];

export type EnrolmentRoute = RouteOf<typeof enrolmentRules>;
export type ProjectRoute = RouteOf<typeof projectRules>;
export type AdminRoute = RouteOf<typeof adminRules>;
export type Route = RouteOf<typeof rules>;

export const isProjectRoute = (route: Route): route is ProjectRoute => Object.hasOwn(projectRules, route.name);

export const methodOf = ({ name }: Route): HttpMethod => rules[name][0];

/** The path of a call, below the address of the service. */
export function routePath(prefix: string, { name, ...fields }: Route): string {
  const values: Partial<Record<RouteField, string>> = fields;
  const path = rules[name][1].replaceAll(/:(\w+)/g, (_, field: RouteField) => encodeURIComponent(values[field] ?? ''));
  return `${Object.hasOwn(rootRules, name) ? '' : prefix}/${path}`;
}

interface MatchedRoute {
  readonly route: Route;
  readonly method: HttpMethod;
}

/** The rules have the fields of each route. */
const matchOf = (name: string, method: HttpMethod, fields = {}): MatchedRoute => ({
  route: { name, ...fields } as Route,
  method,
});

const rootRoutes = new Map(
  Object.entries(rootRules).map(([name, [method, path]]) => [`/${path}`, matchOf(name, method)]),
);

const patterns = Object.entries<Rules[string]>(prefixedRules).map(([name, [method, path]]) => ({
  name,
  method,
  words: path.split('/'),
}));

/** Takes a percent-encoded path. Undefined if the service has no such path. */
export function matchRoute(prefix: string, pathname: string): MatchedRoute | undefined {
  const rootRoute = rootRoutes.get(pathname);
  if (rootRoute) return rootRoute;
  if (!pathname.startsWith(`${prefix}/`)) return undefined;
  const parts = decodeSegments(pathname.slice(prefix.length + 1));
  const found = parts && patterns.find(({ words }) => fits(words, parts));
  if (!found) return undefined;
  const fields = found.words.flatMap((word, i) => (word.startsWith(':') ? [[word.slice(1), parts[i]] as const] : []));
  return matchOf(found.name, found.method, Object.fromEntries(fields));
}

function fits(words: readonly string[], parts: readonly string[]): boolean {
  return (
    words.length === parts.length &&
    words.every((word, i) => (word.startsWith(':') ? parts[i] !== '' : parts[i] === word))
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
