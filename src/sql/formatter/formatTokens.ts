import type { Token } from 'sqlite3-parser';
import { CoarseScanner } from '../text/tokens.ts';

type FormatTokenKind = 'word' | 'name' | 'string' | 'number' | 'parameter' | 'operator' | 'punctuation';

export interface Comment {
  readonly text: string;
  /** A `--` comment ends its line, so nothing can follow it there. */
  readonly isLineComment: boolean;
}

/** A token of code, with the comments around it. */
export interface FormatToken {
  readonly kind: FormatTokenKind;
  readonly text: string;
  /** For comparisons: the text, in upper case if it is a word. */
  readonly key: string;
  /** Comments on lines of their own above the token. */
  commentsAbove: readonly Comment[];
  /** Comments after the token on its line. */
  commentsAfter: readonly Comment[];
}

/** The beginnings of tokens, in the order in which they are tried. All other tokens are operators. */
const beginnings: readonly (readonly [FormatTokenKind, RegExp])[] = [
  ['string', /^x?'/i],
  ['word', /^[a-z_\u0080-\uffff]/i],
  ['name', /^["`[]/],
  ['number', /^\.?\d/],
  ['parameter', /^[?:@$#]/],
  ['punctuation', /^[(),;.]/],
];

const kindOf = (token: string): FormatTokenKind =>
  beginnings.find(([, beginning]) => beginning.test(token))?.[0] ?? 'operator';

/**
 * The tokens of a text as the grammar reads them, with their comments. Undefined if a comment follows the last token on a line
 * of its own, or if the space between tokens is not only space.
 */
export function formatTokens(text: string, grammarTokens: readonly Token[]): FormatToken[] | undefined {
  const tokens: FormatToken[] = [];
  let commentsAbove: Comment[] = [];
  let isLineStart = true;
  const scanner = new CoarseScanner(text);
  while (scanner.next()) {
    const { kind, start } = scanner;
    const matched = text.slice(start, scanner.end);
    if (kind === 'space') {
      // SQLite reads a vertical tab and a byte order mark as space, but not everywhere.
      if (/[^ \t\n\f\r]/.test(matched)) return undefined;
      isLineStart ||= matched.includes('\n');
      continue;
    }
    if (kind === 'comment') {
      const isLineComment = matched.startsWith('--');
      const comment = { text: isLineComment ? matched.trimEnd() : matched, isLineComment };
      const previous = tokens.at(-1);
      if (previous && !isLineStart && commentsAbove.length === 0) {
        previous.commentsAfter = [...previous.commentsAfter, comment];
      } else {
        commentsAbove.push(comment);
      }
    } else {
      const span = grammarTokens[tokens.length]?.span;
      if (span?.offset !== start) return undefined;
      // The grammar has operators of several characters.
      scanner.end = start + span.length;
      const token = text.slice(start, scanner.end);
      const tokenKind = kindOf(token);
      const key = tokenKind === 'word' ? token.toUpperCase() : token;
      tokens.push({ kind: tokenKind, text: token, key, commentsAbove, commentsAfter: [] });
      commentsAbove = [];
    }
    isLineStart = false;
  }
  return commentsAbove.length === 0 ? tokens : undefined;
}
