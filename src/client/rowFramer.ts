import { type ProjectError, protocolError } from '../base/errors.ts';
import { ByteCollector } from './byteCollector.ts';
import type { Envelope } from './envelope.ts';
import { RowEnd } from './rowEnd.ts';
import { RowHops } from './rowHops.ts';

/** Whole rows as the service wrote them: JSON objects with commas between, none before and none after. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly rowCount: number;
}

const openBrace = 0x7b;
const closeBracket = 0x5d;
const comma = 0x2c;

type Place = 'before rows' | 'first row' | 'in row' | 'after row' | 'next row' | 'after rows';

/** Cuts an answer that arrives in pieces into frames of whole rows. Holds back no row, and no more than one unfinished. */
export class RowFramer {
  readonly #envelope: Envelope;
  readonly #maxRowBytes: number;
  readonly #row = new RowEnd();
  readonly #unfinished = new ByteCollector();
  #place: Place = 'before rows';
  #fault: ProjectError | undefined;
  #taken = 0;

  constructor(envelope: Envelope, maxRowBytes: number) {
    this.#envelope = envelope;
    this.#maxRowBytes = maxRowBytes;
  }

  /** Set by the piece that broke the answer, beside the frame of the rows before the break. */
  get fault(): ProjectError | undefined {
    return this.#fault;
  }

  /** How much of the last piece was taken; what stands behind that is to come again. */
  get taken(): number {
    return this.#taken;
  }

  /** The rows that this piece completed. */
  push(chunk: Uint8Array): Frame | undefined {
    this.#taken = chunk.length;
    let from = 0;
    try {
      if (this.#place === 'in row') return this.#finishRow(chunk);
      if (this.#place === 'before rows') {
        from = this.#envelope.readToRows(chunk);
        if (from === -1) return undefined;
        this.#place = 'first row';
      }
      if (this.#place !== 'after rows') return this.#frame(chunk, from);
      this.#envelope.read(chunk);
    } catch (thrown) {
      this.#fault = thrown as ProjectError;
    }
    return undefined;
  }

  /** The row that an earlier piece began is a frame by itself: it has to be copied, and what stands behind it has not. */
  #finishRow(chunk: Uint8Array): Frame | undefined {
    const close = this.#row.find(chunk, 0);
    const end = close === -1 ? chunk.length : close;
    if (this.#unfinished.length + end > this.#maxRowBytes) this.#refuseLargeRow();
    else if (close === -1) this.#unfinished.append(chunk);
    else {
      this.#place = 'after row';
      this.#taken = close;
      return { bytes: this.#unfinished.take(chunk.subarray(0, close)), rowCount: 1 };
    }
    return undefined;
  }

  #frame(chunk: Uint8Array, from: number): Frame | undefined {
    let start = from;
    let end = from;
    let rowStart = from;
    let rowCount = 0;
    let at = from;
    const hops = new RowHops(chunk);
    while (at < chunk.length && this.#place !== 'after rows' && !this.#fault) {
      if (this.#place === 'in row') {
        const sure = hops.endOf(at);
        const close = sure === -1 ? this.#row.find(chunk, at) : sure;
        at = close === -1 ? chunk.length : close;
        if (at - rowStart > this.#maxRowBytes) this.#refuseLargeRow();
        else if (close !== -1) {
          rowCount++;
          end = at;
          if (sure === -1) this.#place = 'after row';
          else {
            // A hop that is sure has seen the comma and the brace of the next row.
            rowStart = at + 1;
            at += 2;
          }
        }
      } else {
        const byte = chunk[at++]!;
        if (byte === openBrace && (this.#place === 'first row' || this.#place === 'next row')) {
          this.#place = 'in row';
          rowStart = at - 1;
          if (rowCount === 0) start = rowStart;
        } else this.#separate(byte);
      }
    }
    if (this.#place === 'in row') this.#unfinished.append(chunk.subarray(rowStart));
    if (this.#place === 'after rows') this.#readRest(chunk.subarray(at - 1));
    return rowCount > 0 ? { bytes: chunk.subarray(start, end), rowCount } : undefined;
  }

  #separate(byte: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    if (byte === comma && this.#place === 'after row') this.#place = 'next row';
    else if (byte === closeBracket && this.#place !== 'next row') this.#place = 'after rows';
    else if (this.#place === 'after row') {
      this.#fault = protocolError('invalid_json', 'The rows of the answer are not parted by commas.');
    } else {
      this.#fault = protocolError('row_not_object', 'A row of the answer is not a JSON object.');
    }
  }

  #readRest(rest: Uint8Array): void {
    try {
      this.#envelope.read(rest);
    } catch (thrown) {
      this.#fault = thrown as ProjectError;
    }
  }

  #refuseLargeRow(): void {
    this.#fault = protocolError('row_too_large', `A row of the answer is larger than ${this.#maxRowBytes} bytes.`);
  }
}
