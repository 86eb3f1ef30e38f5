import type { TextEdit } from './statementIndex.ts';

/** The edit that turns one text into another: it replaces everything between their common beginning and end. */
export function textDifference(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let fromEnd = 0;
  while (
    fromEnd < shorter - start &&
    before.charCodeAt(before.length - 1 - fromEnd) === after.charCodeAt(after.length - 1 - fromEnd)
  ) {
    fromEnd++;
  }
  return { start, end: before.length - fromEnd, text: after.slice(start, after.length - fromEnd) };
}
