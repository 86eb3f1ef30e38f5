export type FormatTokenKind = 'word' | 'name' | 'string' | 'number' | 'parameter' | 'operator' | 'punctuation';

export interface Comment {
  readonly text: string;
  /** `--` reaches to the end of its line, so nothing can follow it there. */
  readonly toLineEnd: boolean;
}

/** A token that means something, with the comments around it. */
export interface FormatToken {
  readonly kind: FormatTokenKind;
  readonly text: string;
  /** Upper case for words, else the text: what rules compare. */
  readonly key: string;
  /** Comments above, each on lines of its own. */
  above: readonly Comment[];
  /** Comments behind it on its line. */
  behind: readonly Comment[];
}

const id = String.raw`[\w$\u0080-\uffff]`;
const number = String.raw`(?:0x[\da-f]+(?:_[\da-f]+)*|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?)(?!${id}|\.)`;

/** SQLite's own tokens, in the order in which they are tried; what none takes is none. */
const patterns: readonly (readonly [FormatTokenKind | 'space' | 'comment', RegExp])[] = [
  ['space', /[ \t\n\f\r]+/y],
  ['comment', /--[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ['string', /(?:x(?='(?:[\da-f]{2})*'))?'[^']*(?:''[^']*)*'/iy],
  ['word', new RegExp(String.raw`(?!x')[a-z_\u0080-\uffff]${id}*`, 'iy')],
  ['name', /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ['number', new RegExp(number, 'iy')],
  ['parameter', new RegExp(String.raw`\?\d*|[$@#:](?:::)*${id}(?:${id}|::)*(?:\([^\s)]*\)|(?!\(|${id}|::))`, 'y')],
  ['operator', /->>?|\|\||<<|>>|[<>!=]=|<>|[=<>+\-*/%&|~]/y],
  ['punctuation', /[(),;.]/y],
];

/** The tokens of one statement, or undefined when SQLite knows a piece of it as no token. */
export function formatTokens(text: string): FormatToken[] | undefined {
  const tokens: FormatToken[] = [];
  let above: Comment[] = [];
  let onOwnLine = true;
  let at = 0;
  while (at < text.length) {
    const found = tokenAt(text, at);
    if (!found) return undefined;
    const [kind, piece] = found;
    at += piece.length;
    const last = tokens.at(-1);
    if (kind === 'space') onOwnLine ||= piece.includes('\n');
    else if (kind === 'comment') {
      const toLineEnd = piece.startsWith('--');
      const comment = { text: toLineEnd ? piece.trimEnd() : piece, toLineEnd };
      if (last && !onOwnLine && above.length === 0) last.behind = [...last.behind, comment];
      else above.push(comment);
      onOwnLine = false;
    } else {
      tokens.push({ kind, text: piece, key: kind === 'word' ? piece.toUpperCase() : piece, above, behind: [] });
      above = [];
      onOwnLine = false;
    }
  }
  return above.length === 0 ? tokens : undefined;
}

function tokenAt(text: string, at: number): readonly [FormatTokenKind | 'space' | 'comment', string] | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const piece = pattern.exec(text)?.[0];
    if (piece) return [kind, piece];
  }
  return undefined;
}
