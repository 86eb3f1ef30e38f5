import { type ProjectError, protocolError } from '../base/errors.ts';
import { closeBracket, comma, isBlank, NestingScanner, openBrace } from '../base/jsonBytes.ts';
import { answerLimits, restFault, rowFault } from '../wire/answerLimits.ts';
import type { Envelope } from './envelope.ts';

/** Whole rows as the service wrote them: JSON objects with commas between them. */
export interface RowBatch {
  readonly bytes: Uint8Array;
  readonly rowCount: number;
}

type State = 'before rows' | 'first row' | 'in row' | 'after row' | 'next row' | 'after rows';

/** Cuts the pieces of an answer into batches of whole rows. Holds back at most one unfinished row. */
export class RowBatcher {
  readonly #envelope: Envelope;
  readonly #maxRowBytes: number;
  readonly #nesting = new NestingScanner(1, answerLimits);
  readonly #unfinishedRow = new ByteCollector();
  #state: State = 'before rows';
  #fault: ProjectError | undefined;
  #consumed = 0;
  /** Blanks next to each other, between rows. */
  #blanks = 0;

  constructor(envelope: Envelope, maxRowBytes: number) {
    this.#envelope = envelope;
    this.#maxRowBytes = maxRowBytes;
  }

  /** Why the answer is broken. The piece with the break still returns the rows before it. */
  get fault(): ProjectError | undefined {
    return this.#fault;
  }

  /** How many arrays and objects the rows hold, beside themselves. Rows that `RowEndSearch` ends have none. */
  get nestedCount(): number {
    return this.#nesting.openedCount;
  }

  /** The bytes of the last piece that were consumed. Push the rest again. */
  get consumed(): number {
    return this.#consumed;
  }

  /** The rows that this piece completes. */
  push(piece: Uint8Array): RowBatch | undefined {
    this.#consumed = piece.length;
    let from = 0;
    try {
      if (this.#state === 'in row') return this.#finishRow(piece);
      if (this.#state === 'before rows') {
        from = this.#envelope.readToRows(piece);
        if (from === -1) return undefined;
        this.#state = 'first row';
      }
      if (this.#state !== 'after rows') return this.#cutRows(piece, from);
      this.#envelope.readRest(piece);
    } catch (thrown) {
      this.#fault = thrown as ProjectError;
    }
    return undefined;
  }

  /** A row that began in an earlier piece is a batch of its own: only this row must be copied. */
  #finishRow(piece: Uint8Array): RowBatch | undefined {
    const rowEnd = this.#nesting.pastEnd(piece, 0);
    const end = rowEnd === -1 ? piece.length : rowEnd;
    if (this.#unfinishedRow.length + end > this.#maxRowBytes) this.#refuseLargeRow();
    else if (rowEnd === -1) {
      this.#refuseExceededRow();
      if (!this.#fault) this.#unfinishedRow.append(piece);
    } else {
      this.#state = 'after row';
      this.#consumed = rowEnd;
      return { bytes: this.#unfinishedRow.take(piece.subarray(0, rowEnd)), rowCount: 1 };
    }
    return undefined;
  }

  #cutRows(piece: Uint8Array, from: number): RowBatch | undefined {
    let start = from;
    let end = from;
    let rowStart = from;
    let rowCount = 0;
    let at = from;
    const search = new RowEndSearch(piece);
    while (at < piece.length && this.#state !== 'after rows' && !this.#fault) {
      if (this.#state === 'in row') {
        const certainEnd = search.pastRow(at);
        const rowEnd = certainEnd === -1 ? this.#nesting.pastEnd(piece, at) : certainEnd;
        at = rowEnd === -1 ? piece.length : rowEnd;
        if (at - rowStart > this.#maxRowBytes) this.#refuseLargeRow();
        else if (rowEnd === -1) this.#refuseExceededRow();
        else {
          rowCount++;
          end = at;
          if (certainEnd === -1) this.#state = 'after row';
          else {
            // The search has seen the comma and the brace of the next row.
            rowStart = at + 1;
            at += 2;
          }
        }
      } else {
        const byte = piece[at++]!;
        if (byte === openBrace && (this.#state === 'first row' || this.#state === 'next row')) {
          this.#state = 'in row';
          this.#blanks = 0;
          rowStart = at - 1;
          if (rowCount === 0) start = rowStart;
        } else this.#readBetweenRows(byte);
      }
    }
    if (this.#state === 'in row' && !this.#fault) this.#unfinishedRow.append(piece.subarray(rowStart));
    if (this.#state === 'after rows') this.#readRest(piece.subarray(at - 1));
    return rowCount > 0 ? { bytes: piece.subarray(start, end), rowCount } : undefined;
  }

  #readBetweenRows(byte: number): void {
    if (isBlank(byte)) {
      if (++this.#blanks > answerLimits.maxBlanks) this.#fault = restFault('maxBlanks');
      return;
    }
    this.#blanks = 0;
    if (byte === comma && this.#state === 'after row') this.#state = 'next row';
    else if (byte === closeBracket && this.#state !== 'next row') this.#state = 'after rows';
    else if (this.#state === 'after row') {
      this.#fault = protocolError('invalid_json', 'The rows of the answer are not separated by commas.');
    } else {
      this.#fault = protocolError('row_not_object', 'A row of the answer is not a JSON object.');
    }
  }

  #readRest(rest: Uint8Array): void {
    try {
      this.#envelope.readRest(rest);
    } catch (thrown) {
      this.#fault = thrown as ProjectError;
    }
  }

  #refuseExceededRow(): void {
    if (this.#nesting.exceeded) this.#fault = rowFault(this.#nesting.exceeded);
  }

  #refuseLargeRow(): void {
    this.#fault = protocolError('row_too_large', `A row of the answer is larger than ${this.#maxRowBytes} bytes.`);
  }
}

/** A larger buffer is not used again, so that one large row does not stay in memory. */
const maxReusedBytes = 1 << 20;

/** The buffer grows by doubling, so that a large row is not copied for each piece. */
class ByteCollector {
  #buffer = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) this.#grow(Math.max(needed, this.#buffer.length * 2, 1024));
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  /** Returns all bytes with `last` at their end, and empties the collector. */
  take(last: Uint8Array): Uint8Array {
    if (this.#length > maxReusedBytes) return this.#takeBuffer(last);
    const whole = new Uint8Array(this.#length + last.length);
    whole.set(this.#buffer.subarray(0, this.#length));
    whole.set(last, this.#length);
    this.#length = 0;
    return whole;
  }

  /** Gives a large row away with its buffer: a copy would hold it twice. */
  #takeBuffer(last: Uint8Array): Uint8Array {
    this.append(last);
    const whole = this.#buffer.subarray(0, this.#length);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
    return whole;
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.#buffer.subarray(0, this.#length));
    // Free the old bytes at once: garbage of this size piles up faster than it is collected.
    this.#buffer.buffer.transfer(0);
    this.#buffer = larger;
  }
}

/** Bytes that may follow the quote that closes a string. */
const afterString: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r,:]}'));

/**
 * Finds most row ends with the engine's string search, which is several times faster than reading every byte.
 *
 * A row certainly ends at `},{"` under two conditions. The next byte cannot follow a string: within a string, the quote would
 * end the string, and that byte would be invalid JSON. And the row has no `[` before: in an array, `},` separates elements.
 * In all other cases a `NestingScanner` reads every byte.
 */
class RowEndSearch {
  /** A character for each byte. A search in it is as fast as in bytes, and it is garbage-collected sooner. */
  readonly #text: string;
  #nextBracket = -1;

  constructor(bytes: Uint8Array) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  }

  /** The index just past the row whose inside begins at `from`, or -1 if that is not certain. */
  pastRow(from: number): number {
    const text = this.#text;
    const close = text.indexOf('}', from);
    if (close === -1 || close + 4 >= text.length || !text.startsWith(',{"', close + 1)) return -1;
    if (afterString.has(text.charCodeAt(close + 4))) return -1;
    if (this.#nextBracket < from) {
      const bracket = text.indexOf('[', from);
      this.#nextBracket = bracket === -1 ? text.length : bracket;
    }
    return close < this.#nextBracket ? close + 1 : -1;
  }
}
