import { quoteIdentifier } from '../text/quoting.ts';
import { coarseTokens } from '../text/tokens.ts';
import type { ResultColumn } from './shadowReport.ts';

export interface Word {
  readonly text: string;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The first words of a statement, without looking at more of it than is wanted. */
export function* wordsOf(sql: string): Generator<Word> {
  for (const { kind, start, end } of coarseTokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = sql.slice(start, end);
    yield { text, key: kind === 'word' ? text.toUpperCase() : text, start, end };
  }
}

export const firstWords = (sql: string, count: number): Word[] => wordsOf(sql).take(count).toArray();

/** Whether preparing it could already act: a PRAGMA sets some things when it is prepared, also behind EXPLAIN. */
export function mayActWhenPrepared(sql: string): boolean {
  if (/^[a-df-oq-z]/i.test(sql)) return false;
  const keys = firstWords(sql, 4).map(({ key }) => key);
  const rest = keys[0] === 'EXPLAIN' ? keys.slice(keys[1] === 'QUERY' ? 3 : 1) : keys;
  return rest[0] === 'PRAGMA';
}

/** CREATE TABLE … AS in its two halves. To run it would be to run its query. */
export function tableFromQuery(sql: string): { readonly head: string; readonly query: string } | undefined {
  const words = wordsOf(sql).take(16).toArray();
  let at = 1;
  if (words[0]?.key !== 'CREATE') return undefined;
  if (/^TEMP(?:ORARY)?$/.test(words[at]?.key ?? '')) at++;
  if (words[at++]?.key !== 'TABLE') return undefined;
  if (words[at]?.key === 'IF' && words[at + 1]?.key === 'NOT') at += 3;
  at += words[at + 1]?.key === '.' ? 3 : 1;
  const as = words[at];
  return as?.key === 'AS' ? { head: sql.slice(0, as.start), query: sql.slice(as.end) } : undefined;
}

/** The columns of a query as CREATE TABLE … AS names them: a name that is there already gets a number. */
export function columnDefinitions(columns: readonly ResultColumn[]): string {
  const taken = new Set<string>();
  const written = columns.map(({ name, declaredType }) => {
    let unique = name;
    for (let number = 1; taken.has(unique.toLowerCase()); number++) unique = `${name}:${number}`;
    taken.add(unique.toLowerCase());
    return `${quoteIdentifier(unique)} ${declaredType === undefined ? '' : quoteIdentifier(declaredType)}`.trimEnd();
  });
  return `(${written.join(', ')})`;
}

/**
 * What can stand for a virtual table whose module is not there, the best first: FTS5 for its predecessors, and else a
 * plain table with a column for each argument that looks like one.
 */
export function virtualTableStandIns(sql: string): string[] {
  const words = [...wordsOf(sql)];
  const using = words.findIndex(({ key }) => key === 'USING');
  const table = words.findIndex(({ key }) => key === 'TABLE');
  if (using === -1 || table === -1) return [];
  const name = sql.slice(words[table]?.end, words[using]?.start);
  const columns: string[] = [];
  let depth = 0;
  for (const [index, word] of words.entries()) {
    if (index <= using + 1) continue;
    const opens = word.key === '(';
    if (opens) depth++;
    if (word.key === ')') depth--;
    const begins = depth === 1 && (opens || word.key === ',');
    const column = words[index + 1];
    if (begins && column && words[index + 2]?.key !== '=' && !/^[(),]$/.test(column.key)) columns.push(column.text);
  }
  const list = columns.length > 0 ? columns.join(', ') : 'content';
  const plain = `CREATE TABLE ${name} (${list})`;
  return /^FTS[34]$/.test(words[using + 1]?.key ?? '')
    ? [`CREATE VIRTUAL TABLE ${name} USING fts5(${list})`, plain]
    : [plain];
}
