import { endOfLine } from '../text/tokens.ts';
import type { LiteralQuote, EmbeddedSql } from './embeddedSql.ts';
import { pythonEscape } from './escapes.ts';
import { LiteralText } from './literalText.ts';

/** The SQL of a Python file: the first string of the statement below a comment `# sql`. */
export function pythonLiterals(file: string): EmbeddedSql[] {
  return new PythonScanner(file).scan();
}

/** The prefix of a string and its quotes. */
const stringStart = /([bfrtu]{0,2})("""|'''|["'])/iy;
const sqlComment = /^#\s*sql\s*$/i;
const word = /[\w\u0080-\uffff]+/y;
/** Code that changes the literal before it. */
const operator = /[ \t]*(?:[+%]|\.(?:format|replace|join)\b)/y;
const plain = /[^\\{}"'\r\n]+/y;

/** Strings in deeper interpolations count as text. */
const maxNesting = 20;

class PythonScanner {
  readonly #file: string;
  readonly #literals: EmbeddedSql[] = [];
  #offset = 0;
  /** How many brackets are open. */
  #depth = 0;
  /** The depth at the last comment `# sql`. Undefined if its string is found. */
  #markedDepth: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  scan(): EmbeddedSql[] {
    const file = this.#file;
    while (this.#offset < file.length) {
      const character = file.charAt(this.#offset);
      if (character === '#') this.#scanComment();
      else if (character === '\n') this.#endLine();
      else if (!this.#scanString() && !this.#skip(word)) {
        if ('([{'.includes(character)) this.#depth++;
        else if (')]}'.includes(character)) this.#depth = Math.max(0, this.#depth - 1);
        this.#offset += character === '\\' ? 2 : 1;
      }
    }
    return this.#literals;
  }

  #scanComment(): void {
    const start = this.#offset;
    this.#offset = endOfLine(this.#file, start);
    if (!sqlComment.test(this.#file.slice(start, Math.min(this.#offset, start + 100)))) return;
    this.#markedDepth = this.#depth;
    // The line end of the comment does not end the statement below.
    this.#offset++;
  }

  #endLine(): void {
    this.#offset++;
    if (this.#markedDepth !== undefined && this.#depth <= this.#markedDepth) this.#markedDepth = undefined;
  }

  /** Returns false if no string begins here. */
  #scanString(): boolean {
    const opening = this.#openingAt(this.#offset);
    if (!opening) return false;
    const { quote, end } = opening;
    this.#offset = end;
    const isMarked = this.#markedDepth !== undefined;
    this.#markedDepth = undefined;
    const literal = isMarked ? new LiteralText(this.#file, end, quote) : undefined;
    if (!this.#scanBody(quote, literal, 0) || !literal) return true;
    for (let next = this.#joined(); next; next = this.#joined()) {
      literal.join(next.end, next.quote);
      this.#offset = next.end;
      if (!this.#scanBody(next.quote, literal, 0)) return true;
    }
    this.#literals.push(literal.finish(lengthOf(operator, this.#file, this.#offset) > 0));
    return true;
  }

  /** The next string, if Python joins it with the string that ends here. */
  #joined(): { quote: LiteralQuote; end: number } | undefined {
    return this.#openingAt(endOfSpace(this.#file, this.#offset, this.#depth > 0));
  }

  #openingAt(offset: number): { quote: LiteralQuote; end: number } | undefined {
    stringStart.lastIndex = offset;
    const [text, prefix = '', mark = ''] = stringStart.exec(this.#file) ?? [];
    if (text === undefined) return undefined;
    const quote: LiteralQuote = {
      mark,
      isRaw: /r/i.test(prefix),
      isFormat: /[ft]/i.test(prefix),
    };
    return { quote, end: offset + text.length };
  }

  /** Moves after the string's closing quotes. Returns false if it has none. */
  #scanBody(quote: LiteralQuote, literal: LiteralText | undefined, nesting: number): boolean {
    const file = this.#file;
    while (this.#offset < file.length) {
      if (this.#skip(plain)) continue;
      const start = this.#offset;
      if (file.startsWith(quote.mark, start)) {
        literal?.addPlain(start);
        this.#offset += quote.mark.length;
        return true;
      }
      const character = file.charAt(start);
      if (character === '\\') this.#scanBackslash(quote, literal);
      else if (quote.isFormat && '{}'.includes(character)) {
        if (!this.#scanBrace(quote, literal, nesting)) return false;
      } else if (quote.mark.length === 1 && '\r\n'.includes(character)) return false;
      else this.#offset++;
    }
    return false;
  }

  #scanBackslash({ isRaw }: LiteralQuote, literal: LiteralText | undefined): void {
    const start = this.#offset;
    if (isRaw) {
      this.#offset += 2;
      return;
    }
    const { end, value } = pythonEscape(this.#file, start);
    literal?.addPlain(start);
    literal?.addEscape(end, value);
    this.#offset = end;
  }

  /** Returns false if an interpolation is not closed. */
  #scanBrace(quote: LiteralQuote, literal: LiteralText | undefined, nesting: number): boolean {
    const start = this.#offset;
    const isDoubled = this.#file.charAt(start + 1) === this.#file.charAt(start);
    if (!isDoubled && this.#file.charAt(start) === '}') {
      this.#offset++;
      return true;
    }
    literal?.addPlain(start);
    if (isDoubled) {
      this.#offset += 2;
      literal?.addEscape(start + 2, this.#file.charAt(start));
      return true;
    }
    if (!this.#scanInterpolation(quote.mark.length === 3, nesting)) return false;
    literal?.addInterpolation(this.#offset);
    return true;
  }

  /** Moves after the brace that closes an interpolation. Returns false if there is none. */
  #scanInterpolation(spansLines: boolean, nesting: number): boolean {
    const file = this.#file;
    let depth = 0;
    while (this.#offset < file.length) {
      const character = file.charAt(this.#offset);
      if (!spansLines && '\r\n'.includes(character)) return false;
      const opening = nesting < maxNesting ? this.#openingAt(this.#offset) : undefined;
      if (opening) {
        this.#offset = opening.end;
        if (!this.#scanBody(opening.quote, undefined, nesting + 1)) return false;
        continue;
      }
      if (this.#skip(word)) continue;
      this.#offset++;
      if ('([{'.includes(character)) depth++;
      else if (')]}'.includes(character) && --depth === 0) return true;
    }
    return false;
  }

  #skip(pattern: RegExp): boolean {
    const length = lengthOf(pattern, this.#file, this.#offset);
    this.#offset += length;
    return length > 0;
  }
}

function lengthOf(pattern: RegExp, file: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(file) ? pattern.lastIndex - offset : 0;
}

/** The end of the space between two joined strings. Line breaks count as space only within brackets. */
function endOfSpace(file: string, start: number, spansLines: boolean): number {
  let end = start;
  for (;;) {
    const character = file.charAt(end);
    if (character === '\\' && /[\r\n]/.test(file.charAt(end + 1))) end += 2;
    else if (spansLines && character === '#') end = endOfLine(file, end);
    else if (spansLines ? /\s/.test(character) : ' \t\f'.includes(character) && character !== '') end++;
    else return end;
  }
}
