import { meaningfulTokens } from '../text/tokens.ts';

/*
 * A cheap approximation of effectOf() by the first word of a statement. The service uses it, because its processes load no
 * parser. The host has a parser and uses effectOf(). They agree in one direction: a read by its first word is a read by
 * its tree.
 */

const readingWords = new Set(['SELECT', 'VALUES', 'EXPLAIN']);
const sourceWords = new Set(['SELECT', 'VALUES', 'WITH']);
const changingWords = new Set('ALTER ANALYZE CREATE DELETE DROP INSERT REINDEX REPLACE UPDATE'.split(' '));
const namingWords = new Set(['ALTER', 'CREATE']);
const countingWords = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH']);

/**
 * Whether the first word makes the text a read. False for anything that may write: WITH may introduce a DELETE, PRAGMA may
 * set a value, and a second statement may do anything.
 */
export function isReadByFirstWord(text: string): boolean {
  const { firstWord, isSingle } = outlineOf(text);
  return isSingle && readingWords.has(firstWord);
}

/** Whether SQLite counts the rows that the statement changes. After others, sqlite3_changes() still shows an earlier count. */
export function countsChangesByFirstWord(text: string): boolean {
  return countingWords.has(outlineOf(text).firstWord);
}

/** Whether the first word makes the text a change, or a second statement follows. The converse does not hold: WITH and PRAGMA may change something. */
export function changesByFirstWord(text: string): boolean {
  const { firstWord, isSingle } = outlineOf(text);
  return !isSingle || changingWords.has(firstWord);
}

export const explainsByFirstWord = (text: string): boolean => outlineOf(text).firstWord === 'EXPLAIN';

/** Whether other statements can select from a statement that reads. */
export const isSourceByFirstWord = (text: string): boolean => sourceWords.has(outlineOf(text).firstWord);

/** Whether the statement may give a name to something. */
export const namesByFirstWord = (text: string): boolean => namingWords.has(outlineOf(text).firstWord);

/** The first word in upper case, and whether no second statement follows the first semicolon. */
function outlineOf(text: string): { firstWord: string; isSingle: boolean } {
  let firstWord: string | undefined;
  let hasEnded = false;
  for (const { kind, start, end } of meaningfulTokens(text)) {
    if (kind === 'semicolon') {
      hasEnded ||= firstWord !== undefined;
      continue;
    }
    if (hasEnded) return { firstWord: firstWord ?? '', isSingle: false };
    firstWord ??= kind === 'word' ? text.slice(start, end).toUpperCase() : '';
  }
  return { firstWord: firstWord ?? '', isSingle: true };
}
