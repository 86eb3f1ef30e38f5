import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asArray, asRecord } from '../../base/shape.ts';
import { parseExact, type Row } from '../../wire/values.ts';

/** Whole rows as the service sent them, separated by commas. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly rowCount: number;
}

interface Block {
  readonly firstRow: number;
  rowCount: number;
  readonly offset: number;
  length: number;
}

/** A block is closed when it holds this much, so that reading one row never means parsing a lot. */
const blockBytes = 64 * 1024;

/**
 * Keeps a result on disk as the answer's own bytes, with an index of where blocks of rows begin. Nothing is parsed but
 * what somebody looks at, so a result of any size costs the same memory, and no value is changed by being kept.
 */
export class Spool {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #blocks: Block[] = [];
  #rowCount = 0;
  #size = 0;
  #closed = false;
  #cached: { block: Block; rowCount: number; rows: Promise<Row[]> } | undefined;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async create(folder: string): Promise<Spool> {
    const file = join(folder, `${randomUUID()}.rows`);
    return new Spool(file, await open(file, 'wx+', 0o600));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get size(): number {
    return this.#size;
  }

  /** Rows may be read once the promise is fulfilled. One append at a time. */
  async append({ bytes, rowCount }: Frame): Promise<void> {
    if (rowCount === 0) return;
    const last = this.#blocks.at(-1);
    const grow = last !== undefined && last.length < blockBytes;
    const data = grow ? Buffer.concat([comma, bytes]) : bytes;
    await this.#write(data);
    if (grow) {
      last.length += data.byteLength;
      last.rowCount += rowCount;
    } else {
      this.#blocks.push({ firstRow: this.#rowCount, rowCount, offset: this.#size, length: data.byteLength });
    }
    this.#size += data.byteLength;
    this.#rowCount += rowCount;
  }

  /** The rows from `start`, fewer where there are no more. */
  async read(start: number, count: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let at = this.#blockOf(start); at < this.#blocks.length && rows.length < count; at++) {
      const block = this.#blocks[at] as Block;
      const from = Math.max(0, start - block.firstRow);
      rows.push(...(await this.#rowsOf(block)).slice(from, from + count - rows.length));
    }
    return rows;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }

  #blockOf(row: number): number {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.#blocks[middle] as Block;
      if (block.firstRow + block.rowCount <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last block that was read is kept: whoever scrolls asks for its neighbours next. */
  #rowsOf(block: Block): Promise<Row[]> {
    if (this.#cached?.block !== block || this.#cached.rowCount !== block.rowCount) {
      const rows = this.#parse(block);
      this.#cached = { block, rowCount: block.rowCount, rows };
      rows.catch(() => (this.#cached = undefined));
    }
    return this.#cached.rows;
  }

  /** A disk that fills up takes a part and says so only by how much it took; the next attempt then fails in words. */
  async #write(data: Uint8Array): Promise<void> {
    for (let done = 0; done < data.byteLength;) {
      const { bytesWritten } = await this.#handle.write(data, done, data.byteLength - done, this.#size + done);
      done += bytesWritten;
    }
  }

  async #parse({ offset, length }: Block): Promise<Row[]> {
    const bytes = Buffer.allocUnsafe(length);
    await this.#handle.read(bytes, 0, length, offset);
    return (asArray(parseExact(`[${bytes.toString('utf8')}]`)) ?? []).map(row => (asRecord(row) ?? {}) as Row);
  }
}

const comma = Buffer.from(',');
