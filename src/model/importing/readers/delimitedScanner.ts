import type { RowFault } from '../sourceRow.ts';

export interface ScannedRow {
  readonly cells: readonly string[];
  /** The numbers of the values in quotes. */
  readonly quoted?: ReadonlySet<number>;
  readonly fault?: RowFault;
  readonly end: number;
  readonly lines: number;
}

interface ScannedText {
  readonly text: string;
  /** Whether nothing follows, so that the text ends its last row. */
  readonly isLast: boolean;
  readonly delimiter: string;
  readonly quote: string;
}

/** A value in quotes that has no end, or whose last quote may be the first one of two. */
type OpenValue = 'openQuote' | 'lastQuote';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** An empty line. In a file of several columns it is not a row. */
export const isBlankRow = ({ cells, quoted, fault }: ScannedRow): boolean =>
  !fault && cells.length === 1 && cells[0] === '' && !quoted?.size;

/**
 * Finds the rows in a text, as RFC 4180 describes them. A line may end with LF, CRLF or CR. A quote character begins a quoted
 * value only at the start of the value. A row that breaks these rules ends with its first line, so that it affects no other
 * row.
 */
export class DelimitedScanner {
  readonly #text: string;
  readonly #isLast: boolean;
  readonly #delimiter: string;
  readonly #delimiterCode: number;
  readonly #quote: string;
  readonly #quoteCode: number;
  readonly #hasReturns: boolean;
  /** The first quote character at or after the scanned position. */
  #nextQuote = -1;

  constructor({ text, isLast, delimiter, quote }: ScannedText) {
    this.#text = text;
    this.#isLast = isLast;
    this.#delimiter = delimiter;
    this.#delimiterCode = delimiter.charCodeAt(0);
    this.#quote = quote;
    // Empty if there are no quotes: NaN equals no character.
    this.#quoteCode = quote.charCodeAt(0);
    this.#hasReturns = text.includes('\r');
  }

  /** The row that begins at an index. Undefined if its end comes in a later text. */
  row(start: number): ScannedRow | undefined {
    const text = this.#text;
    if (start >= text.length) return undefined;
    const feed = text.indexOf('\n', start);
    if (feed === -1 && !this.#isLast && !this.#hasReturns) return undefined;
    const lineEnd = feed === -1 ? text.length : feed;
    if (this.#hasQuoteBefore(lineEnd, start)) return this.#quotedRow(start);
    const hasReturn = this.#hasReturns && text.charCodeAt(lineEnd - 1) === carriageReturn && lineEnd > start;
    const line = text.slice(start, hasReturn ? lineEnd - 1 : lineEnd);
    if (this.#hasReturns && line.includes('\r')) return this.#quotedRow(start);
    if (feed === -1 && !this.#isLast) return undefined;
    return { cells: line.split(this.#delimiter), end: feed === -1 ? text.length : feed + 1, lines: 1 };
  }

  /** The index after the line that begins at `start`. Undefined if its end comes in a later text. */
  pastLine(start: number): number | undefined {
    const text = this.#text;
    for (let at = start; at < text.length; at++) {
      const end = this.#pastLineEnd(at);
      if (end !== undefined) return end;
      if (text.charCodeAt(at) === carriageReturn) return undefined;
    }
    return this.#isLast && start < text.length ? text.length : undefined;
  }

  /** Replaces the unfinished row at `start`: the text after it is read the same. NUL is neither delimiter nor quote. */
  standIn(start: number): string {
    const last = this.#text.at(-1)!;
    const open = `\0${this.#delimiter}${this.#quote}`;
    switch (this.#walk(start)) {
      case 'more':
        return last === '\r' || last === this.#delimiter ? `\0${last}` : '\0';
      case 'openQuote':
        return last === '\r' ? open + last : open;
      case 'lastQuote':
        return open + this.#quote;
      default:
        return `${open}${this.#quote}\0`;
    }
  }

  #hasQuoteBefore(end: number, start: number): boolean {
    if (this.#quote === '') return false;
    if (this.#nextQuote < start) {
      const found = this.#text.indexOf(this.#quote, start);
      this.#nextQuote = found === -1 ? this.#text.length : found;
    }
    return this.#nextQuote < end;
  }

  #quotedRow(start: number): ScannedRow | undefined {
    const walked = this.#walk(start);
    if (walked === 'more' || walked === 'lastQuote') return undefined;
    if (walked === 'openQuote') return this.#isLast ? this.#brokenRow(start, { kind: 'openQuote' }) : undefined;
    if ('column' in walked) return this.#brokenRow(start, { kind: 'textAfterQuote', column: walked.column });
    return walked;
  }

  #brokenRow(start: number, fault: RowFault): ScannedRow | undefined {
    const end = this.pastLine(start);
    return end === undefined ? undefined : { cells: [], fault, end, lines: 1 };
  }

  #walk(start: number): ScannedRow | 'more' | OpenValue | { readonly column: number } {
    const text = this.#text;
    const cells: string[] = [];
    let quoted: Set<number> | undefined;
    let lines = 1;
    for (let at = start; ;) {
      if (text.charCodeAt(at) === this.#quoteCode) {
        const value = this.#quotedValue(at);
        if (typeof value === 'string') return value;
        (quoted ??= new Set()).add(cells.length);
        cells.push(value.text);
        lines += value.lines;
        at = value.end;
      } else {
        const end = this.#pastPlain(at);
        cells.push(text.slice(at, end));
        at = end;
      }
      if (at >= text.length) {
        return this.#isLast ? { cells, ...(quoted && { quoted }), end: at, lines } : 'more';
      }
      if (text.charCodeAt(at) === this.#delimiterCode) {
        at++;
        continue;
      }
      const end = this.#pastLineEnd(at);
      if (end !== undefined) return { cells, ...(quoted && { quoted }), end, lines };
      if (text.charCodeAt(at) === carriageReturn) return 'more';
      return { column: cells.length - 1 };
    }
  }

  /** The value in quotes that begins at an index, or why its end is not known. */
  #quotedValue(start: number): { text: string; end: number; lines: number } | OpenValue {
    const text = this.#text;
    const quote = this.#quote;
    let isDoubled = false;
    for (let at = start + 1; ;) {
      const found = text.indexOf(quote, at);
      if (found === -1) return 'openQuote';
      // The next part may begin with a second quote.
      if (found + 1 === text.length && !this.#isLast) return 'lastQuote';
      if (text.charCodeAt(found + 1) !== this.#quoteCode) {
        const value = text.slice(start + 1, found);
        return {
          text: isDoubled ? value.replaceAll(quote + quote, quote) : value,
          end: found + 1,
          lines: lineEndsIn(value),
        };
      }
      isDoubled = true;
      at = found + 2;
    }
  }

  #pastPlain(start: number): number {
    const text = this.#text;
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiterCode || code === lineFeed || code === carriageReturn) break;
    }
    return at;
  }

  /** The index after a line end that begins at `at`. Undefined if none begins there, or if it may be cut off. */
  #pastLineEnd(at: number): number | undefined {
    const code = this.#text.charCodeAt(at);
    if (code === lineFeed) return at + 1;
    if (code !== carriageReturn) return undefined;
    if (at + 1 === this.#text.length) return this.#isLast ? at + 1 : undefined;
    return this.#text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1;
  }
}

export function lineEndsIn(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
