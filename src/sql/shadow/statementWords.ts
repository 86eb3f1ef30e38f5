import { coarseTokens } from '../text/tokens.ts';

/** A token that is neither space nor a comment. */
export interface Word {
  readonly text: string;
  /** The text, in upper case if it is a keyword or an unquoted name. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Yields the words of a statement. The caller stops when it has enough, so that a long statement is not read to its end. */
export function* wordsOf(sql: string): Generator<Word> {
  for (const { kind, start, end } of coarseTokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = sql.slice(start, end);
    yield { text, key: kind === 'word' ? text.toUpperCase() : text, start, end };
  }
}

export const firstWords = (sql: string, count: number): Word[] => wordsOf(sql).take(count).toArray();

/** Whether sqlite3_prepare() already has an effect. Some PRAGMAs act while they are prepared, also after EXPLAIN. */
export function actsWhenPrepared(sql: string): boolean {
  // Most statements begin with a letter that is neither that of EXPLAIN nor that of PRAGMA.
  if (/^[a-df-oq-z]/i.test(sql)) return false;
  const keys = firstWords(sql, 4).map(({ key }) => key);
  const explainLength = keys[0] === 'EXPLAIN' ? (keys[1] === 'QUERY' ? 3 : 1) : 0;
  return keys[explainLength] === 'PRAGMA';
}
