/** The coarsest cut of SQL text that still knows what is code and what is not: just enough to find where statements end. */
export type CoarseKind = 'space' | 'comment' | 'quoted' | 'word' | 'number' | 'parameter' | 'semicolon' | 'other';

export interface CoarseToken {
  readonly kind: CoarseKind;
  readonly start: number;
  readonly end: number;
}

/** Yields what {@link CoarseScanner} finds. It is for short texts: the scanner itself makes no objects. */
export function* coarseTokens(text: string, from = 0): Generator<CoarseToken> {
  const scanner = new CoarseScanner(text, from);
  while (scanner.next()) yield { kind: scanner.kind, start: scanner.start, end: scanner.end };
}

/**
 * Cuts SQL as SQLite's own tokenizer does (https://sqlite.org/src/file/src/tokenize.c): an unclosed string or comment
 * reaches to the end of the text, and `$name(…)` is one parameter, whatever stands between the parentheses.
 */
export class CoarseScanner {
  kind: CoarseKind = 'space';
  start: number;
  end: number;
  readonly #text: string;

  constructor(text: string, from = 0) {
    this.#text = text;
    this.start = from;
    this.end = from;
  }

  /** Goes to the next token. False at the end of the text. */
  next(): boolean {
    const text = this.#text;
    const at = this.end;
    if (at >= text.length) return false;
    this.start = at;
    const code = text.charCodeAt(at);
    if (isSpace(code) && code !== verticalTab) return this.#take('space', endOfSpace(text, at + 1));
    if (code === byteOrderMark) return this.#take('space', at + 1);
    if ((code === 0x78 || code === 0x58) && text.charCodeAt(at + 1) === apostrophe) {
      return this.#take('quoted', endAfter(text, "'", at + 2));
    }
    if (isDigit(code) || (code === point && isDigit(text.charCodeAt(at + 1)))) {
      return this.#take('number', endOfNumber(text, at));
    }
    if (isNameCode(code) && code !== dollar) return this.#take('word', endOfName(text, at + 1));
    return this.#takeMark(code);
  }

  #take(kind: CoarseKind, end: number): true {
    this.kind = kind;
    this.end = end;
    return true;
  }

  #takeMark(code: number): true {
    const text = this.#text;
    const at = this.start;
    switch (text.charAt(at)) {
      case ';':
        return this.#take('semicolon', at + 1);
      case "'":
      case '"':
      case '`':
        return this.#take('quoted', endOfQuoted(text, at));
      case '[':
        return this.#take('quoted', endAfter(text, ']', at + 1));
      case '-':
        // The line's end is left to the space behind it, as SQLite does.
        return text.charCodeAt(at + 1) === code
          ? this.#take('comment', endBefore(text, '\n', at + 2))
          : this.#take('other', at + 1);
      case '/':
        return text.charAt(at + 1) === '*' && at + 2 < text.length
          ? this.#take('comment', endAfter(text, '*/', at + 2))
          : this.#take('other', at + 1);
      case '?':
        return this.#take('parameter', endOfDigits(text, at + 1));
      case '$':
      case '@':
      case ':':
      case '#':
        return this.#takeNamed();
      default:
        return this.#take('other', at + 1);
    }
  }

  /** `:name`, `$name::part(suffix)`. Without a name it is no parameter, but what it swallows stays swallowed. */
  #takeNamed(): true {
    const text = this.#text;
    let at = this.start + 1;
    let named = false;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isNameCode(code)) named = true;
      else if (code === 0x3a && text.charCodeAt(at + 1) === 0x3a) at++;
      else if (code === 0x28 && named) {
        do at++;
        while (at < text.length && !isSpace(text.charCodeAt(at)) && text.charAt(at) !== ')');
        if (text.charAt(at) !== ')') return this.#take('other', at);
        at++;
        break;
      } else break;
    }
    return this.#take(named ? 'parameter' : 'other', at);
  }
}

const apostrophe = 0x27;
const dollar = 0x24;
const point = 0x2e;
const underscore = 0x5f;
const verticalTab = 0x0b;
const byteOrderMark = 0xfeff;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** What a name may go on with: everything beyond ASCII is a letter to SQLite. */
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

function endOfSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function endOfName(text: string, from: number): number {
  let at = from;
  while (isNameCode(text.charCodeAt(at))) at++;
  return at;
}

/** Letters that are stuck to a number belong to it, although the number is none then. */
function endOfNumber(text: string, from: number): number {
  let at = endOfSeparated(text, from);
  if (text.charCodeAt(at) === point) at = endOfSeparated(text, at + 1);
  if (/[eE]/.test(text.charAt(at))) {
    const sign = /[+-]/.test(text.charAt(at + 1)) ? 1 : 0;
    if (isDigit(text.charCodeAt(at + 1 + sign))) at = endOfSeparated(text, at + 1 + sign);
  }
  return endOfName(text, at);
}

function endOfSeparated(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === underscore) at++;
  return at;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function endBefore(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

/** A doubled quote stands for itself. */
function endOfQuoted(text: string, at: number): number {
  const quote = text.charAt(at);
  for (let end = text.indexOf(quote, at + 1); end !== -1; end = text.indexOf(quote, end + 2)) {
    if (text.charAt(end + 1) !== quote) return end + 1;
  }
  return text.length;
}
