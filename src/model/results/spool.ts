import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Block, BlockIndex } from './spool/blockIndex.ts';
import { keepingFault } from './spool/keepingFault.ts';
import { type KeptRow, parseRow, parseRows } from './spool/parseRows.ts';
import { endOfRow } from './spool/rowsIn.ts';
import { SpoolWriter } from './spool/spoolWriter.ts';

/** Whole rows as the service sent them, separated by commas. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly rowCount: number;
}

/** What stands in the file at a moment. It only grows. */
export interface SpoolExtent {
  readonly rowCount: number;
  readonly size: number;
  readonly blockCount: number;
}

/** What an earlier one wrote: how much, and row and offset of each block. */
export interface WrittenSpool {
  readonly rowCount: number;
  readonly size: number;
  readonly blocks: Float64Array;
}

/** A block is closed when it holds this much, so that reading one row never means parsing a lot. */
const blockBytes = 64 * 1024;

/**
 * Keeps a result on disk as the answer's own bytes, with an index of where blocks of rows begin. Nothing is parsed but
 * what somebody looks at, so a result of any size costs the same memory, and no value is changed by being kept.
 */
export class Spool {
  readonly file: string;
  readonly index = new BlockIndex();
  readonly #handle: FileHandle;
  readonly #writer: SpoolWriter;
  #rowCount = 0;
  #size = 0;
  #closed: Promise<void> | undefined;
  #cached: { block: Block; rows: Promise<KeptRow[]> } | undefined;

  private constructor(file: string, handle: FileHandle) {
    this.file = file;
    this.#handle = handle;
    this.#writer = new SpoolWriter(handle);
  }

  static async create(folder: string): Promise<Spool> {
    const file = join(folder, `${randomUUID()}.rows`);
    try {
      return new Spool(file, await open(file, 'wx+', 0o600));
    } catch (thrown) {
      throw keepingFault(thrown);
    }
  }

  /** To be read only. */
  static async open(file: string, { rowCount, size, blocks }: WrittenSpool): Promise<Spool> {
    const spool = new Spool(file, await open(file, 'r'));
    for (let at = 0; at < blocks.length; at += 2) spool.index.begin(blocks[at]!, blocks[at + 1]!);
    spool.#rowCount = rowCount;
    spool.#size = size;
    return spool;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Rows may be read once the promise is fulfilled. One append at a time. Writing goes on meanwhile, so that a fault of
   * the disk may reject a later append, or `flush`.
   */
  append({ bytes, rowCount }: Frame): Promise<void> {
    if (rowCount === 0) return settled;
    const { index } = this;
    const grows = index.count > 0 && this.#size - index.offsetOf(index.count - 1) < blockBytes;
    if (!grows) index.begin(this.#rowCount, this.#size);
    this.#size += bytes.byteLength + (grows ? 1 : 0);
    this.#rowCount += rowCount;
    const written = this.#writer.write(grows ? [comma, bytes] : [bytes], this.#rowCount);
    return written ? this.#orCut(written) : settled;
  }

  /** Settles when all that was appended stands in the file. */
  async flush(): Promise<SpoolExtent> {
    const extent = this.#extent;
    await this.#orCut(this.#writer.flush());
    return extent;
  }

  /** The same for who wants the rows that are there: that others could not be kept is no fault of theirs. */
  async kept(): Promise<SpoolExtent> {
    return this.flush().catch(() => this.#extent);
  }

  /** The rows from `start`, fewer where there are no more. */
  async read(start: number, count: number): Promise<KeptRow[]> {
    const rows: KeptRow[] = [];
    while (rows.length < count && start + rows.length < this.#rowCount) {
      const row = start + rows.length;
      const block = this.index.at(this.index.find(row), this.#rowCount, this.#size);
      const from = row - block.firstRow;
      const found = (await this.#rowsOf(block)).slice(from, from + count - rows.length);
      if (found.length === 0) break;
      rows.push(...found);
    }
    return rows;
  }

  /** One row, where it is known how far into their blocks rows begin. */
  async readRow(row: number, starts: Uint32Array): Promise<KeptRow> {
    const block = this.index.at(this.index.find(row), this.#rowCount, this.#size);
    const next = row + 1 < Math.min(block.firstRow + block.rowCount, starts.length) ? starts[row + 1]! : block.length;
    const bytes = await this.#bytes(block.offset + starts[row]!, next - starts[row]!);
    return parseRow(bytes.subarray(0, endOfRow(bytes, 0)));
  }

  /** Closes it and leaves the file where it is. */
  leave(): Promise<void> {
    this.#closed ??= this.#writer.flush().then(
      () => this.#handle.close(),
      () => this.#handle.close(),
    );
    return this.#closed;
  }

  async close(): Promise<void> {
    await this.leave();
    await rm(this.file, { force: true });
  }

  get #extent(): SpoolExtent {
    return { rowCount: this.#rowCount, size: this.#size, blockCount: this.index.count };
  }

  /** Rows that did not get to the disk are not there. */
  async #orCut(written: Promise<void>): Promise<void> {
    try {
      await written;
    } catch (thrown) {
      this.#rowCount = this.#writer.rowCount;
      this.#size = this.#writer.size;
      this.index.cutAt(this.#rowCount);
      throw keepingFault(thrown);
    }
  }

  /** The last block that was read is kept: whoever scrolls asks for its neighbours next. */
  #rowsOf(block: Block): Promise<KeptRow[]> {
    const cached = this.#cached;
    if (cached?.block.firstRow === block.firstRow && cached.block.length === block.length) return cached.rows;
    const rows = this.#bytes(block.offset, block.length).then(parseRows);
    this.#cached = { block, rows };
    rows.catch(() => (this.#cached = undefined));
    return rows;
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    if (offset + length > this.#writer.size) await this.#writer.flush();
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#handle.read(bytes, 0, length, offset);
    return bytes.subarray(0, bytesRead);
  }
}

const comma = Buffer.from(',');
const settled = Promise.resolve();
