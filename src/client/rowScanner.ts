import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { asCount, type UnknownRecord, asString, parseJson } from '../base/decode.ts';
import { misuse, ProjectError } from '../base/errors.ts';
import { setMember } from '../base/setMember.ts';
import { decodeColumns } from '../wire/answers.ts';
import { headerNames } from '../wire/headers.ts';
import type { Column, Row } from '../wire/values.ts';
import { cutAtBadUtf8, decodeLargeRow, type DecodedRows, decodeRows, utf8Text } from './decodeRows.ts';
import { Envelope } from './envelope.ts';
import type { HttpAnswer } from './exchange.ts';
import { type RowBatch, RowBatcher } from './rowBatcher.ts';
import { backslash, closeBrace, closeBracket, colon, openBrace, openBracket, quote } from '../base/jsonBytes.ts';

/** Gets an answer without its rows, at its end. Throws if it is a refusal, or no answer to the call. */
export type CheckRest = (rest: UnknownRecord) => void;

export interface RowScannerOptions {
  readonly maxRowBytes: number;
  readonly exactIntegers: boolean;
  /** Milliseconds. 0 for no limit. */
  readonly rowTimeout: number;
  readonly clock: Clock;
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Called once, when the scanner no longer needs the call. */
  readonly onRelease?: (() => void) | undefined;
}

/** Bytes that piled up arrive as one large buffer. Pieces of this size do not strain the garbage collector. */
const pieceBytes = 32 * 1024;

/** A larger batch is one row. It is decoded in steps, so that other work of the process gets turns. */
const largeRowBytes = 1 << 18;

/**
 * The rows of one answer, as they arrive. Reading ends without an error both at the end and at a fault; `err()` says which
 * it was. Nothing is read from the socket before the consumer asks for it.
 */
export class RowScanner implements AsyncIterable<Row>, AsyncDisposable {
  readonly status: number;
  /** The service repeated the answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  readonly #answer: HttpAnswer;
  readonly #check: CheckRest;
  readonly #options: RowScannerOptions;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #envelope: Envelope;
  readonly #batcher: RowBatcher;
  #namedColumns: readonly Column[] | undefined;
  #keysOfFirstRow: readonly Column[] | undefined;
  #unread: Uint8Array = new Uint8Array(0);
  #bytesRead = 0;
  #rowsRead = 0;
  #isComplete = false;
  #fault: Error | undefined;
  /** A fault that is reported after the rows before it. */
  #pendingFault: Error | undefined;
  #ended = false;
  #released = false;
  #mode: 'rows' | 'rawBatches' | undefined;
  #batch: Row[] = [];
  #nextRow = 0;
  #filling: Promise<boolean> | undefined;
  #lastKeys: readonly string[] = [];

  constructor(answer: HttpAnswer, check: CheckRest, options: RowScannerOptions) {
    this.status = answer.status;
    this.replayed = answer.headers[headerNames.idempotencyReplayed] === 'true';
    this.#answer = answer;
    this.#check = check;
    this.#options = options;
    this.#chunks = answer.chunks[Symbol.asyncIterator]();
    this.#envelope = new Envelope(options.maxRowBytes, options.exactIntegers);
    this.#batcher = new RowBatcher(this.#envelope, options.maxRowBytes);
  }

  /** The columns that the service names, or else the keys of the first row. Undefined before either has arrived. */
  get columns(): readonly Column[] | undefined {
    this.#namedColumns ??= decodeColumns(this.#envelope.value('columns') ?? null);
    return this.#namedColumns ?? this.#keysOfFirstRow;
  }

  /** How many rows a statement without rows changed. Undefined before it has arrived. */
  get rowCount(): number | undefined {
    return asCount(this.#envelope.value('row_count'));
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** How many arrays and objects the rows hold, beside themselves. */
  get nestedCount(): number {
    return this.#batcher.nestedCount;
  }

  /** Why reading ended early. Undefined before the end, after a clean end and after close(). */
  err(): Error | undefined {
    return this.#fault;
  }

  /** Puts the next row's values into `into`. False at the end and at a fault. Other keys of `into` stay. */
  async next(into: Record<string, unknown>): Promise<boolean> {
    this.#setMode('rows');
    while (this.#nextRow >= this.#batch.length) {
      if (!(await (this.#filling ??= this.#fill()))) return false;
    }
    const row = this.#batch[this.#nextRow++]!;
    const keys = Object.keys(row);
    for (const key of this.#lastKeys) if (!Object.hasOwn(row, key)) delete into[key];
    for (const key of keys) setMember(into, key, row[key]);
    this.#lastKeys = keys;
    return true;
  }

  /** Decoded rows, in batches as they arrived together. */
  async *batches(): AsyncGenerator<Row[], void, undefined> {
    this.#setMode('rows');
    try {
      while (this.#nextRow < this.#batch.length || (await (this.#filling ??= this.#fill()))) {
        const batch = this.#nextRow === 0 ? this.#batch : this.#batch.slice(this.#nextRow);
        this.#batch = [];
        this.#nextRow = 0;
        yield batch;
      }
    } finally {
      await this.close();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const batch of this.batches()) yield* batch;
  }

  /**
   * Whole rows as the service wrote them. Brackets, strings, separators and UTF-8 are checked. Values are not: parsing a
   * row may still fail.
   */
  async *rawBatches(): AsyncGenerator<RowBatch, void, undefined> {
    this.#setMode('rawBatches');
    try {
      for (let batch = await this.#nextBatch(); batch; batch = await this.#nextBatch()) yield batch;
    } finally {
      await this.close();
    }
  }

  /** Ends the stream and frees its socket at once. May be called at any time, more than once. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#batch = [];
    this.#release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #setMode(mode: 'rows' | 'rawBatches'): void {
    this.#mode ??= mode;
    if (this.#mode !== mode) {
      const message = 'This scanner was already read in the other way. Read decoded rows or raw batches, not both.';
      throw misuse('mixed_reading', message);
    }
  }

  async #fill(): Promise<boolean> {
    try {
      const batch = await this.#nextBatch();
      if (!batch || this.#ended) return false;
      const { rows, fault } = await this.#decode(batch);
      if (this.#ended) return false;
      this.#batch = rows;
      this.#nextRow = 0;
      if (fault) this.#end(fault);
      return rows.length > 0;
    } finally {
      this.#filling = undefined;
    }
  }

  #decode(batch: RowBatch): DecodedRows | Promise<DecodedRows> {
    const { exactIntegers } = this.#options;
    return batch.bytes.length > largeRowBytes ? decodeLargeRow(batch, exactIntegers) : decodeRows(batch, exactIntegers);
  }

  async #nextBatch(): Promise<RowBatch | undefined> {
    const batch = await this.#readBatch();
    if (!batch || this.#keysOfFirstRow) return batch;
    this.#keysOfFirstRow = await columnsOfFirstRow(batch);
    // The scanner may have been closed during the wait.
    return this.#ended ? undefined : batch;
  }

  async #readBatch(): Promise<RowBatch | undefined> {
    let cancelTimer: (() => void) | undefined;
    try {
      while (!this.#ended) {
        if (this.#pendingFault) throw this.#pendingFault;
        if (this.#unread.length === 0) {
          cancelTimer ??= this.#limitWait();
          const read = await this.#chunks.next();
          if (this.#ended) return undefined;
          if (read.done) {
            this.#finish();
            return undefined;
          }
          this.#bytesRead += read.value.length;
          this.#unread = read.value;
        }
        const piece = this.#unread.subarray(0, pieceBytes);
        const complete = this.#batcher.push(piece);
        this.#unread = this.#unread.subarray(this.#batcher.consumed);
        const batch = this.#checkBatch(complete);
        if (batch) return batch;
        if (piece.length === pieceBytes) await nextTurn();
      }
    } catch (thrown) {
      if (!this.#ended) this.#end(this.#answer.bodyFault(thrown));
    } finally {
      cancelTimer?.();
    }
    return undefined;
  }

  /** Ends the stream if no whole row arrives in time, even if bytes do. Returns a function that cancels this. */
  #limitWait(): (() => void) | undefined {
    const { rowTimeout, clock } = this.#options;
    if (rowTimeout === 0) return undefined;
    return clock.after(rowTimeout, () => {
      const message = `The service sent no whole row for ${rowTimeout} ms. Raise rowTimeout if its statement takes longer.`;
      if (!this.#ended) this.#end(new ProjectError('transport', 'row_timeout', message));
    });
  }

  /** Returns the rows before a fault first. The fault is reported with the next batch. */
  #checkBatch(complete: RowBatch | undefined): RowBatch | undefined {
    this.#pendingFault = this.#batcher.fault;
    if (!complete) return undefined;
    const { batch, fault } = cutAtBadUtf8(complete);
    this.#pendingFault = fault ?? this.#pendingFault;
    this.#rowsRead += batch?.rowCount ?? 0;
    return batch;
  }

  #finish(): void {
    this.#check(this.#envelope.finish());
    this.#isComplete = true;
    this.#end(undefined);
  }

  #end(fault: Error | undefined): void {
    this.#ended = true;
    this.#fault = fault;
    this.#release();
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    const { onBytes, onRelease } = this.#options;
    onBytes?.(this.#bytesRead);
    const rows = this.#rowsRead;
    this.#answer.onRowsRead({ rows, changed: this.rowCount, isComplete: this.#isComplete, fault: this.#fault });
    onRelease?.();
    this.#answer.destroy();
  }
}

/** Other work of the process gets a turn after this many bytes. */
const turnBytes = 1 << 18;

/** A longer key is not decoded, since that would keep other work waiting. */
const maxKeyBytes = 1 << 20;

/**
 * The keys of the first row, in the order of its text: a decoded object would list keys that look like integers first.
 * Undefined if a key is too long, or not valid JSON.
 */
export async function columnsOfFirstRow({ bytes }: RowBatch): Promise<Column[] | undefined> {
  const names = new Set<string>();
  let turnEnd = turnBytes;
  let depth = 0;
  let isInString = false;
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= turnEnd) {
      await nextTurn();
      turnEnd = at + turnBytes;
    }
    const byte = bytes[at];
    if (isInString) {
      if (byte === backslash) at++;
      else if (byte === quote) {
        isInString = false;
        stringEnd = at + 1;
      }
    } else if (byte === quote) {
      isInString = true;
      stringStart = at;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
      if (depth === 0) return Array.from(names, name => ({ name, type: '' }));
    } else if (byte === colon && depth === 1) {
      const name = nameOf(bytes.subarray(stringStart, stringEnd));
      if (name === undefined) return undefined;
      names.add(name);
    }
  }
  return undefined;
}

const nameOf = (key: Uint8Array): string | undefined =>
  key.length > maxKeyBytes ? undefined : asString(parseJson(utf8Text(key)));
