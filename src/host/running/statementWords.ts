import { oneLine } from '../../sql/oneLine.ts';

/** How much of a statement is shown where it is one of many. */
const longest = 80;

/** The beginning of a statement on one line, to know it by. */
export function firstWords(sql: string): string {
  const line = oneLine(sql);
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
