export const defaultPathPrefix = '/serviceSql';

/** A prefix with a slash at its beginning and none at its end, or ''. */
export function normalPrefix(prefix: string): string {
  const inner = prefix.replaceAll(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}
