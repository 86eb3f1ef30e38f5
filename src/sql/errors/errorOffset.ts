import { coarseTokens } from '../text/tokens.ts';

/**
 * The UTF-16 offset of an error in a statement. The interface counts UTF-16 code units, but a service may pass on SQLite's
 * offset, which counts bytes. An error is at the start of a token or at the end of the text. If both offsets are, the one in
 * bytes is right only if the word that the message names is there and not at the other.
 */
export function errorOffset(sql: string, message: string, serviceOffset: number): number {
  const offsetFromBytes = new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, serviceOffset)).length;
  if (offsetFromBytes === serviceOffset) return serviceOffset;
  const starts = new Set([...coarseTokens(sql)].filter(({ kind }) => kind !== 'space').map(({ start }) => start));
  starts.add(sql.length);
  if (!starts.has(serviceOffset)) return offsetFromBytes;
  if (!starts.has(offsetFromBytes)) return serviceOffset;
  const [, nearWord, namedWord = nearWord] = /^near "(.+?)"|: "?([^\s"]+)"?$/s.exec(message) ?? [];
  const isInBytes =
    namedWord !== undefined && sql.startsWith(namedWord, offsetFromBytes) && !sql.startsWith(namedWord, serviceOffset);
  return isInBytes ? offsetFromBytes : serviceOffset;
}
