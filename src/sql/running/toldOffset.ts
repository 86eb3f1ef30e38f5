/**
 * Where in a text a service means with an offset. SQLite counts bytes, and who passes it on may have counted characters
 * from it: what the message names stands at the one that is meant.
 */
export function toldOffset(sql: string, message: string, offset: number): number {
  const asBytes = new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, offset)).length;
  if (asBytes === offset) return offset;
  const [, near, named = near] = /^near "(.+?)"|: "?([^\s"]+)"?$/s.exec(message) ?? [];
  return named !== undefined && sql.startsWith(named, offset) && !sql.startsWith(named, asBytes) ? offset : asBytes;
}
