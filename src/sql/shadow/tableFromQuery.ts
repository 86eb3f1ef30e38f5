import { keyOf } from '../text/names.ts';
import { quoteIdentifier } from '../text/quoting.ts';
import type { ResultColumn } from './shadowReport.ts';
import { firstWords } from './statementWords.ts';

/** Enough words for `CREATE TEMP TABLE IF NOT EXISTS database.name AS`. */
const maxHeadWords = 16;

/** Splits CREATE TABLE … AS before and after AS. The statement is never executed, because that would execute its query. */
export function tableFromQuery(sql: string): { readonly head: string; readonly query: string } | undefined {
  const words = firstWords(sql, maxHeadWords);
  if (words[0]?.key !== 'CREATE') return undefined;
  let index = /^TEMP(?:ORARY)?$/.test(words[1]?.key ?? '') ? 2 : 1;
  if (words[index]?.key !== 'TABLE') return undefined;
  index++;
  if (words[index]?.key === 'IF' && words[index + 1]?.key === 'NOT') index += 3;
  index += words[index + 1]?.key === '.' ? 3 : 1;
  const as = words[index];
  return as?.key === 'AS' ? { head: sql.slice(0, as.start), query: sql.slice(as.end) } : undefined;
}

/** The column definitions that CREATE TABLE … AS makes of a query. Like SQLite, it numbers a repeated name. */
export function columnDefinitions(columns: readonly ResultColumn[]): string {
  const names = new Set<string>();
  const definitions = columns.map(({ name, declaredType }) => {
    let uniqueName = name;
    for (let number = 1; names.has(keyOf(uniqueName)); number++) uniqueName = `${name}:${number}`;
    names.add(keyOf(uniqueName));
    return `${quoteIdentifier(uniqueName)} ${declaredType === undefined ? '' : quoteIdentifier(declaredType)}`.trimEnd();
  });
  return `(${definitions.join(', ')})`;
}
