import { misuse } from '../base/errors.ts';
import { setMember } from '../base/setMember.ts';
import { asCount, type UnknownRecord } from '../base/shape.ts';
import { decodeColumns } from '../wire/answers.ts';
import type { Column, Row } from '../wire/values.ts';
import { columnsOfRow } from './columnsOfRow.ts';
import { cutAtBadUtf8, decodeRows } from './decodeRows.ts';
import { Envelope } from './envelope.ts';
import { splitRows } from './rowEnd.ts';
import { type Frame, RowFramer } from './rowFramer.ts';

/** Where a scanner's bytes come from. */
export interface RowSource {
  readonly status: number;
  /** The service gave the answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  readonly body: AsyncIterable<Uint8Array>;
  /** The error that `ok: false` in the answer stands for. */
  refusalOf(answer: UnknownRecord): Error;
  /** The error that a fault while reading stands for. */
  faultOf(thrown: unknown): Error;
  /** Called once, when nothing more will be read; frees the socket. */
  release(): void;
}

export interface RowScannerOptions {
  readonly maxRowBytes: number;
  readonly exactIntegers: boolean;
}

/** Chunks that piled up arrive as one large buffer; in pieces of this size they do not strain the garbage collector. */
const pieceBytes = 32 * 1024;

/**
 * The rows of one answer, as they arrive. Every way of reading ends at the end and at a fault alike; `err()` tells
 * which it was. The consumer's speed is the speed of the socket, since nothing is read before it is asked for.
 */
export class RowScanner implements AsyncIterable<Row>, AsyncDisposable {
  readonly status: number;
  readonly replayed: boolean;
  readonly #source: RowSource;
  readonly #options: RowScannerOptions;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #envelope: Envelope;
  readonly #framer: RowFramer;
  #firstRow: Uint8Array | undefined;
  #columns: Column[] | undefined;
  #unread: Uint8Array = new Uint8Array(0);
  #bytesRead = 0;
  #fault: Error | undefined;
  #brokenBy: Error | undefined;
  #ended = false;
  #released = false;
  #reading: 'rows' | 'frames' | undefined;
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
    this.#framer = new RowFramer(this.#envelope, options.maxRowBytes);
  }

  /** What the service says of the columns, or else the keys of the first row; undefined until either is there. */
  get columns(): readonly Column[] | undefined {
    const told = decodeColumns(this.#envelope.value('columns') ?? null);
    if (told) return told;
    if (this.#firstRow) {
      this.#columns = columnsOfRow(this.#firstRow);
      this.#firstRow = undefined;
    }
    return this.#columns;
  }

  /** What a statement without rows did, once the answer has said it. */
  get rowCount(): number | undefined {
    return asCount(this.#envelope.value('row_count'));
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Why reading ended: undefined after a clean end, after close(), and before the end. An aborted call's reason is one. */
  err(): Error | undefined {
    return this.#fault;
  }

  /** Puts the next row's values into `into`; false at the end and at a fault. Keys that the row does not have stay. */
  async next(into: Record<string, unknown>): Promise<boolean> {
    this.#read('rows');
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

  /** Whole rows, as many at a time as arrived together. */
  async *batches(): AsyncGenerator<Row[], void, undefined> {
    this.#read('rows');
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
   * Whole rows as the service wrote them. Their brackets, strings, separators and UTF-8 are checked, what stands within
   * a row is not: whoever parses it finds out.
   */
  async *frames(): AsyncGenerator<Frame, void, undefined> {
    this.#read('frames');
    try {
      for (let frame = await this.#nextFrame(); frame; frame = await this.#nextFrame()) yield frame;
    } finally {
      await this.close();
    }
  }

  /** Ends the stream and frees its socket at once. Safe at any time and any number of times. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#batch = [];
    this.#release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #read(way: 'rows' | 'frames'): void {
    this.#reading ??= way;
    if (this.#reading !== way) {
      throw misuse('mixed_reading', 'A scanner is read by rows or by frames, not by both.');
    }
  }

  async #fill(): Promise<boolean> {
    try {
      const frame = await this.#nextFrame();
      if (!frame || this.#ended) return false;
      const { rows, fault } = decodeRows(frame, this.#options.exactIntegers);
      this.#batch = rows;
      this.#nextRow = 0;
      if (fault) this.#end(fault);
      return rows.length > 0;
    } finally {
      this.#filling = undefined;
    }
  }

  async #nextFrame(): Promise<Frame | undefined> {
    try {
      while (!this.#ended) {
        if (this.#brokenBy) throw this.#brokenBy;
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
        const framed = this.#framer.push(piece);
        this.#unread = this.#unread.subarray(this.#framer.taken);
        const frame = this.#take(framed);
        if (frame) return frame;
      }
    } catch (thrown) {
      if (!this.#ended) this.#end(this.#source.faultOf(thrown));
    }
    return undefined;
  }

  /** Lets the whole rows before a fault pass first; the fault is told when the next frame is asked for. */
  #take(framed: Frame | undefined): Frame | undefined {
    this.#brokenBy = this.#framer.fault;
    if (!framed) return undefined;
    const { frame, fault } = cutAtBadUtf8(framed);
    this.#brokenBy = fault ?? this.#brokenBy;
    if (frame && !this.#columns) this.#firstRow ??= splitRows(frame.bytes).next().value ?? undefined;
    return frame;
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
