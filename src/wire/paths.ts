// The service's paths as the client writes them. `routes.ts` reads them.

export const defaultPathPrefix = '/serviceSql';

/** A prefix with a slash at its beginning and none at its end, or ''. */
export function normalPrefix(prefix: string): string {
  const inner = prefix.replaceAll(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

export const issueKeyPath = '/auth/issue';

/** Paths for the operators of a service. Their programs expect exactly these paths, so there is no prefix. */
export const operatorPaths = {
  /** Whether the process answers. */
  health: '/healthz',
  /** Whether the service takes calls. */
  readiness: '/readyz',
  metrics: '/metrics',
} as const;

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

/** Paths for the admin key. Only `proof` needs no key. */
export function adminPaths(prefix: string) {
  const admin = `${prefix}/admin`;
  const project = (projectId: string): string => `${admin}/projects/${segment(projectId)}`;
  return {
    keys: (projectId?: string): string =>
      projectId === undefined ? `${admin}/keys` : `${admin}/keys?project_id=${segment(projectId)}`,
    revokeKey: (keyId: string): string => `${admin}/keys/${segment(keyId)}/revoke`,
    vacuum: (projectId: string): string => `${project(projectId)}/vacuum`,
    check: (projectId: string): string => `${project(projectId)}/check`,
    exportProject: (projectId: string): string => `${project(projectId)}/export`,
    backup: (projectId: string): string => `${project(projectId)}/backup`,
    deleteProject: (projectId: string): string => `${project(projectId)}/delete`,
    restore: `${admin}/restore`,
    importProject: `${admin}/import`,
    lease: `${admin}/lease`,
    proof: (nonce: string): string => `${admin}/proof?nonce=${nonce}`,
  };
}
