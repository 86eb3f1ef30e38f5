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

type PatternKind = FormatTokenKind | 'space' | 'comment';

const nameCharacter = String.raw`[\w$\u0080-\uffff]`;
const numberPattern = String.raw`(?:0x[\da-f]+(?:_[\da-f]+)*|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?)(?!${nameCharacter}|\.)`;
const parameterPattern = String.raw`\?\d*|[$@#:](?:::)*${nameCharacter}(?:${nameCharacter}|::)*(?:\([^\s)]*\)|(?!\(|${nameCharacter}|::))`;

/** The valid tokens of SQLite, in the order in which they are tried. */
const patterns: readonly (readonly [PatternKind, RegExp])[] = [
  ['space', /[ \t\n\f\r]+/y],
  ['comment', /--[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ['string', /(?:x(?='(?:[\da-f]{2})*'))?'[^']*(?:''[^']*)*'/iy],
  ['word', new RegExp(String.raw`(?!x')[a-z_\u0080-\uffff]${nameCharacter}*`, 'iy')],
  ['name', /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ['number', new RegExp(numberPattern, 'iy')],
  ['parameter', new RegExp(parameterPattern, 'y')],
  ['operator', /->>?|\|\||<<|>>|[<>!=]=|<>|[=<>+\-*/%&|~]/y],
  ['punctuation', /[(),;.]/y],
];

/** Undefined if SQLite would refuse a token, or if a comment follows the last token on a line of its own. */
export function formatTokens(text: string): FormatToken[] | undefined {
  const tokens: FormatToken[] = [];
  let commentsAbove: Comment[] = [];
  let isLineStart = true;
  let offset = 0;
  while (offset < text.length) {
    const match = matchAt(text, offset);
    if (!match) return undefined;
    const { kind, text: matched } = match;
    offset += matched.length;
    if (kind === 'space') {
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
      const key = kind === 'word' ? matched.toUpperCase() : matched;
      tokens.push({ kind, text: matched, key, commentsAbove, commentsAfter: [] });
      commentsAbove = [];
    }
    isLineStart = false;
  }
  return commentsAbove.length === 0 ? tokens : undefined;
}

function matchAt(text: string, offset: number): { readonly kind: PatternKind; readonly text: string } | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = offset;
    const matched = pattern.exec(text)?.[0];
    if (matched) return { kind, text: matched };
  }
  return undefined;
}
