import { meaningfulTokens } from '../text/tokens.ts';

/** A token other than space and comments. */
export interface Word {
  readonly text: string;
  /** The text, in upper case if it is an unquoted word. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Yields the words of a statement. A caller that stops early does not read a long statement to its end. */
export function* wordsOf(sql: string): Generator<Word> {
  for (const { kind, start, end } of meaningfulTokens(sql)) {
    const text = sql.slice(start, end);
    yield { text, key: kind === 'word' ? text.toUpperCase() : text, start, end };
  }
}

export const firstWords = (sql: string, count: number): Word[] => wordsOf(sql).take(count).toArray();

/** Whether SQLite may execute a statement while it prepares it, as it does with some PRAGMAs, also after EXPLAIN. */
export function actsWhenPrepared(sql: string): boolean {
  // Most statements begin with a letter other than E (EXPLAIN) and P (PRAGMA).
  if (/^[a-df-oq-z]/i.test(sql)) return false;
  const keys = firstWords(sql, 4).map(({ key }) => key);
  const explainLength = keys[0] === 'EXPLAIN' ? (keys[1] === 'QUERY' ? 3 : 1) : 0;
  return keys[explainLength] === 'PRAGMA';
}
