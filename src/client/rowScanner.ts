import { asCount, type UnknownRecord } from '../base/decode.ts';
import { misuse } from '../base/errors.ts';
import { objectsIn } from '../base/jsonBytes.ts';
import { setMember } from '../base/setMember.ts';
import { decodeColumns } from '../wire/answers.ts';
import type { Column, Row } from '../wire/values.ts';
import { columnsOfRow, cutAtBadUtf8, decodeRows } from './decodeRows.ts';
import { Envelope } from './envelope.ts';
import { type RowBatch, RowBatcher } from './rowBatcher.ts';

/** The answer that a scanner reads. */
export interface RowSource {
  readonly status: number;
  /** The service repeated the answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  readonly body: AsyncIterable<Uint8Array>;
  /** The error for an answer with `ok: false`. */
  refusalOf(answer: UnknownRecord): Error;
  /** The error for anything thrown while reading. */
  faultOf(thrown: unknown): Error;
  /** Frees the socket. Called once, when nothing more will be read. */
  release(): void;
}

export interface RowScannerOptions {
  readonly maxRowBytes: number;
  readonly exactIntegers: boolean;
}

/** Bytes that piled up arrive as one large buffer. Pieces of this size do not strain the garbage collector. */
const pieceBytes = 32 * 1024;

/**
 * The rows of one answer, as they arrive. Reading ends without an error both at the end and at a fault; `err()` tells
 * which it was. Nothing is read from the socket before the consumer asks for it.
 */
export class RowScanner implements AsyncIterable<Row>, AsyncDisposable {
  readonly status: number;
  readonly replayed: boolean;
  readonly #source: RowSource;
  readonly #options: RowScannerOptions;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #envelope: Envelope;
  readonly #batcher: RowBatcher;
  #firstRow: Uint8Array | undefined;
  #columns: readonly Column[] | undefined;
  #unread: Uint8Array = new Uint8Array(0);
  #bytesRead = 0;
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

  constructor(source: RowSource, options: RowScannerOptions) {
    this.status = source.status;
    this.replayed = source.replayed;
    this.#source = source;
    this.#options = options;
    this.#chunks = source.body[Symbol.asyncIterator]();
    this.#envelope = new Envelope(options.maxRowBytes);
    this.#batcher = new RowBatcher(this.#envelope, options.maxRowBytes);
  }

  /** The columns that the service names, or else the keys of the first row. Undefined before either has arrived. */
  get columns(): readonly Column[] | undefined {
    const named = decodeColumns(this.#envelope.value('columns') ?? null);
    if (named) return named;
    if (this.#firstRow) {
      this.#columns = columnsOfRow(this.#firstRow);
      this.#firstRow = undefined;
    }
    return this.#columns;
  }

  /** How many rows a statement without rows changed. Undefined before it has arrived. */
  get rowCount(): number | undefined {
    return asCount(this.#envelope.value('row_count'));
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Why reading ended early, including the reason of an aborted call. Undefined before the end, after a clean end and after close(). */
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
      const { rows, fault } = decodeRows(batch, this.#options.exactIntegers);
      this.#batch = rows;
      this.#nextRow = 0;
      if (fault) this.#end(fault);
      return rows.length > 0;
    } finally {
      this.#filling = undefined;
    }
  }

  async #nextBatch(): Promise<RowBatch | undefined> {
    try {
      while (!this.#ended) {
        if (this.#pendingFault) throw this.#pendingFault;
        if (this.#unread.length === 0) {
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
      }
    } catch (thrown) {
      if (!this.#ended) this.#end(this.#source.faultOf(thrown));
    }
    return undefined;
  }

  /** Returns the rows before a fault first. The fault is reported with the next batch. */
  #checkBatch(complete: RowBatch | undefined): RowBatch | undefined {
    this.#pendingFault = this.#batcher.fault;
    if (!complete) return undefined;
    const { batch, fault } = cutAtBadUtf8(complete);
    this.#pendingFault = fault ?? this.#pendingFault;
    if (batch && !this.#columns) this.#firstRow ??= objectsIn(batch.bytes).next().value ?? undefined;
    return batch;
  }

  #finish(): void {
    const answer = this.#envelope.finish();
    if (answer['ok'] === false) throw this.#source.refusalOf(answer);
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
    this.#source.release();
  }
}
