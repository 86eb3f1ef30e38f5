import type { TextRange } from './textRange.ts';

/** These kinds suffice to find the ends of statements. A parser needs the tokens of `parser/grammar.ts`. */
type CoarseKind = 'space' | 'comment' | 'quoted' | 'word' | 'number' | 'parameter' | 'semicolon' | 'other';

export interface CoarseToken extends TextRange {
  readonly kind: CoarseKind;
}

/** The tokens of {@link CoarseScanner} as objects. For long texts use the scanner itself, which creates none. */
export function* coarseTokens(text: string): Generator<CoarseToken> {
  const scanner = new CoarseScanner(text);
  while (scanner.next()) yield { kind: scanner.kind, start: scanner.start, end: scanner.end };
}

/** The tokens other than space and comments. */
export const meaningfulTokens = (text: string): IteratorObject<CoarseToken> =>
  coarseTokens(text).filter(({ kind }) => kind !== 'space' && kind !== 'comment');

/**
 * Splits SQL into tokens as SQLite's tokenizer does (https://sqlite.org/src/file/src/tokenize.c): an unclosed string or
 * comment extends to the end of the text, and `$name(…)` is one parameter, whatever is between the parentheses.
 */
export class CoarseScanner {
  kind: CoarseKind = 'space';
  start: number;
  end: number;
  readonly #text: string;

  constructor(text: string, offset = 0) {
    this.#text = text;
    this.start = offset;
    this.end = offset;
  }

  /** Moves to the next token. Returns false at the end of the text. */
  next(): boolean {
    const text = this.#text;
    const offset = this.end;
    if (offset >= text.length) return false;
    this.start = offset;
    const code = text.charCodeAt(offset);
    if (isSpace(code) && code !== verticalTab) return this.#take('space', endOfSpace(text, offset + 1));
    if (code === byteOrderMark) return this.#take('space', offset + 1);
    const isBlob = (code === lowerX || code === upperX) && text.charCodeAt(offset + 1) === apostrophe;
    if (isBlob) return this.#take('quoted', endAfter(text, "'", offset + 2));
    if (isDigit(code) || (code === point && isDigit(text.charCodeAt(offset + 1)))) {
      return this.#take('number', endOfNumber(text, offset));
    }
    if (isNameCode(code) && code !== dollar) return this.#take('word', endOfName(text, offset + 1));
    return this.#takePunctuation(code);
  }

  #take(kind: CoarseKind, end: number): true {
    this.kind = kind;
    this.end = end;
    return true;
  }

  #takePunctuation(code: number): true {
    const text = this.#text;
    const offset = this.start;
    switch (text.charAt(offset)) {
      case ';':
        return this.#take('semicolon', offset + 1);
      case "'":
      case '"':
      case '`':
        return this.#take('quoted', endOfQuoted(text, offset));
      case '[':
        return this.#take('quoted', endAfter(text, ']', offset + 1));
      case '-':
        // The newline is not part of the comment, as in SQLite.
        return text.charCodeAt(offset + 1) === code
          ? this.#take('comment', endOfLine(text, offset + 2))
          : this.#take('other', offset + 1);
      case '/':
        return text.charAt(offset + 1) === '*' && offset + 2 < text.length
          ? this.#take('comment', endAfter(text, '*/', offset + 2))
          : this.#take('other', offset + 1);
      case '?':
        return this.#take('parameter', endOfDigits(text, offset + 1));
      case '$':
      case '@':
      case ':':
      case '#':
        return this.#takeNamedParameter();
      default:
        return this.#take('other', offset + 1);
    }
  }

  /** `:name` or `$name::part(suffix)`. Without a name or a closing parenthesis it is one token, but no parameter. */
  #takeNamedParameter(): true {
    const text = this.#text;
    let end = this.start + 1;
    let hasName = false;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (isNameCode(code)) hasName = true;
      else if (code === colon && text.charCodeAt(end + 1) === colon) end++;
      else if (code === leftParenthesis && hasName) {
        do end++;
        while (end < text.length && !isSpace(text.charCodeAt(end)) && text.charAt(end) !== ')');
        if (text.charAt(end) !== ')') return this.#take('other', end);
        end++;
        break;
      } else break;
    }
    return this.#take(hasName ? 'parameter' : 'other', end);
  }
}

const apostrophe = 0x27;
const lowerX = 0x78;
const upperX = 0x58;
const colon = 0x3a;
const leftParenthesis = 0x28;
const dollar = 0x24;
const point = 0x2e;
const underscore = 0x5f;
const verticalTab = 0x0b;
const byteOrderMark = 0xfeff;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** Whether a name may contain a character. Everything beyond ASCII is a letter to SQLite. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === underscore ||
    isDigit(code) ||
    code === dollar ||
    code >= 0x80
  );
}

function endOfSpace(text: string, start: number): number {
  let end = start;
  while (isSpace(text.charCodeAt(end))) end++;
  return end;
}

function endOfName(text: string, start: number): number {
  let end = start;
  while (isNameCode(text.charCodeAt(end))) end++;
  return end;
}

/** Letters directly after a number belong to its token, although SQLite then refuses it. */
function endOfNumber(text: string, start: number): number {
  let end = endOfSeparated(text, start);
  if (text.charCodeAt(end) === point) end = endOfSeparated(text, end + 1);
  if (/[eE]/.test(text.charAt(end))) {
    const signLength = /[+-]/.test(text.charAt(end + 1)) ? 1 : 0;
    if (isDigit(text.charCodeAt(end + 1 + signLength))) end = endOfSeparated(text, end + 1 + signLength);
  }
  return endOfName(text, end);
}

function endOfSeparated(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === underscore) end++;
  return end;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

export function endOfLine(text: string, start: number): number {
  const index = text.indexOf('\n', start);
  return index === -1 ? text.length : index;
}

export function endAfter(text: string, mark: string, start: number): number {
  const index = text.indexOf(mark, start);
  return index === -1 ? text.length : index + mark.length;
}

/** A doubled quote does not end the token. */
function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let end = text.indexOf(quote, start + 1); end !== -1; end = text.indexOf(quote, end + 2)) {
    if (text.charAt(end + 1) !== quote) return end + 1;
  }
  return text.length;
}
