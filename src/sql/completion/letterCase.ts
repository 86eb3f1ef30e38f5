import type { Token } from 'sqlite3-parser';
import { fallsBackToName } from '../parser/grammar.ts';
import { keywordList } from '../text/keywordList.ts';
import type { CursorContext } from './cursorContext.ts';

export type LetterCase = 'upper' | 'lower';

/** The cases in which words of SQL are proposed. Names stay as the schema writes them. */
export interface LetterCases {
  /** Applies to a keyword that replaces the typed word. */
  readonly keywords: LetterCase;
  /** Applies to a keyword that comes with a name, such as the FROM after a column. */
  readonly statement: LetterCase;
  readonly functions: LetterCase;
}

/** One upper-case letter makes a word upper case. Undefined without letters. */
export function letterCaseOf(word: string): LetterCase | undefined {
  if (/[A-Z]/.test(word)) return 'upper';
  return /[a-z]/.test(word) ? 'lower' : undefined;
}

export const inCase = (text: string, letterCase: LetterCase): string =>
  letterCase === 'upper' ? text.toUpperCase() : text.toLowerCase();

/** Tokens farther from the cursor are not read, because each keystroke reads them again. */
const maxDistance = 200;

/**
 * The case of the typed word, or else of the nearest words of the same kind in the statement, or else of the keywords
 * `elsewhere`, in other statements. By default keywords are in upper case and functions in lower case, as in SQLite's
 * documentation.
 */
export function letterCasesAt(context: CursorContext, typed: string, elsewhere: LetterCase | undefined): LetterCases {
  const ofTyped = letterCaseOf(typed);
  const statement = nearestCase(context, isKeyword) ?? elsewhere ?? 'upper';
  return {
    keywords: ofTyped ?? statement,
    statement,
    functions: ofTyped ?? nearestCase(context, isFunctionName) ?? 'lower',
  };
}

type WordTest = (tokens: readonly Token[], index: number) => boolean;

/** A keyword that may be a name counts as the first word of the statement only. */
const isKeyword: WordTest = (tokens, index) => {
  const { text, type } = tokens[index]!;
  return keywordList.has(text.toUpperCase()) && (index === 0 || !fallsBackToName(type));
};

const isFunctionName: WordTest = (tokens, index) =>
  /^\w+$/.test(tokens[index]!.text) &&
  !isKeyword(tokens, index) &&
  tokens[index + 1]?.text === '(' &&
  !tablePrefixes.has(tokens[index - 1]?.text.toUpperCase() ?? '');

/** A table follows these words. A parenthesis after its name does not make it a function. */
const tablePrefixes: ReadonlySet<string> = new Set(['INTO', 'TABLE', 'REFERENCES', 'ON', 'USING', 'WITH', 'RECURSIVE']);

/** Looks at the words before the cursor first. */
function nearestCase({ tokens, index }: CursorContext, matches: WordTest): LetterCase | undefined {
  const first = Math.max(0, index - maxDistance);
  for (let before = index - 1; before >= first; before--) {
    if (matches(tokens, before)) return letterCaseOf(tokens[before]!.text);
  }
  const end = Math.min(tokens.length, index + maxDistance);
  for (let after = index + 1; after < end; after++) {
    if (matches(tokens, after)) return letterCaseOf(tokens[after]!.text);
  }
  return undefined;
}
