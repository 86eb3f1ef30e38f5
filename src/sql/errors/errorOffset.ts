/**
 * The UTF-16 offset of an error in a statement. SQLite counts bytes, but a service may have converted the offset to
 * characters already. If the word that the message names is only at the offset in characters, that one is right.
 */
export function errorOffset(sql: string, message: string, serviceOffset: number): number {
  const offsetFromBytes = new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, serviceOffset)).length;
  if (offsetFromBytes === serviceOffset) return serviceOffset;
  const [, nearWord, namedWord = nearWord] = /^near "(.+?)"|: "?([^\s"]+)"?$/s.exec(message) ?? [];
  const isConverted =
    namedWord !== undefined && sql.startsWith(namedWord, serviceOffset) && !sql.startsWith(namedWord, offsetFromBytes);
  return isConverted ? serviceOffset : offsetFromBytes;
}
