import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asRecord } from '../../base/decode.ts';
import { messageOf, ProjectError } from '../../base/errors.ts';
import { pastNested } from '../../base/jsonBytes.ts';
import type { RowBatch } from '../../client/index.ts';
import { type Block, BlockIndex, rowPlace } from './spool/blockIndex.ts';
import { type ParsedRow, parseRow, parseRows } from './spool/parsedRow.ts';
import { SpoolWriter } from './spool/spoolWriter.ts';

/** The size of the file at one moment. It only grows. */
export interface SpoolExtent {
  readonly rowCount: number;
  readonly size: number;
  readonly blockCount: number;
}

export interface SpoolContents {
  readonly rowCount: number;
  readonly size: number;
  /** First row and offset of each block. */
  readonly blocks: Float64Array;
}

/** A block is closed at this size, so that reading a row never parses much more than the row. */
const blockBytes = 64 * 1024;

/**
 * A result's rows on disk, as the service's own bytes, with an index of where blocks of rows begin. Only rows that are shown
 * are parsed. So results of any size take the same memory, and no value is changed.
 */
export class Spool {
  readonly file: string;
  readonly index = new BlockIndex();
  readonly #handle: FileHandle;
  readonly #writer: SpoolWriter;
  #rowCount = 0;
  #size = 0;
  #closing: Promise<void> | undefined;
  /** The block that was read last. Scrolling reads its neighbours next. */
  #cache: { readonly block: Block; readonly rows: Promise<ParsedRow[]> } | undefined;

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
      throw spoolError(thrown);
    }
  }

  static async open(file: string, { rowCount, size, blocks }: SpoolContents): Promise<Spool> {
    const spool = new Spool(file, await open(file, 'r'));
    for (let at = 0; at < blocks.length; at += 2) spool.index.beginBlock(blocks[at]!, blocks[at + 1]!);
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

  /** The rows may be read at once. A fault of the disk may reject a later `append` or `flush`. */
  append({ bytes, rowCount }: RowBatch): Promise<void> {
    if (rowCount === 0) return settled;
    const { index } = this;
    // A large row has a block of its own, so that reading its neighbours does not read it.
    const continuesBlock =
      index.count > 0 && bytes.byteLength <= blockBytes && this.#size - index.offsetOf(index.count - 1) < blockBytes;
    if (!continuesBlock) index.beginBlock(this.#rowCount, this.#size);
    this.#size += bytes.byteLength + (continuesBlock ? 1 : 0);
    this.#rowCount += rowCount;
    const written = this.#writer.write(continuesBlock ? [comma, bytes] : [bytes], this.#rowCount);
    return written ? this.#dropUnwritten(written) : settled;
  }

  async flush(): Promise<SpoolExtent> {
    const extent = this.#extent;
    await this.#dropUnwritten(this.#writer.flush());
    return extent;
  }

  /** As `flush`. If writing fails, it returns the extent that was written. */
  async writtenExtent(): Promise<SpoolExtent> {
    return this.flush().catch(() => this.#extent);
  }

  /** Up to `count` rows from `start`, fewer at the end. */
  async read(start: number, count: number): Promise<ParsedRow[]> {
    const rows: ParsedRow[] = [];
    while (rows.length < count && start + rows.length < this.#rowCount) {
      const row = start + rows.length;
      const block = this.blockOf(row);
      const from = row - block.firstRow;
      const blockRows = (await this.#rowsOf(block)).slice(from, from + count - rows.length);
      if (blockRows.length === 0) break;
      rows.push(...blockRows);
    }
    return rows;
  }

  async readRow(row: number, starts: Uint32Array): Promise<ParsedRow> {
    const { offset, length } = this.placeOf(row, starts);
    const bytes = await this.#bytes(offset, length);
    return parseRow(bytes.subarray(0, pastNested(bytes, 0)));
  }

  blockOf(row: number): Block {
    return this.index.at(this.index.find(row), this.#rowCount, this.#size);
  }

  placeOf(row: number, starts: Uint32Array): Pick<Block, 'offset' | 'length'> {
    return rowPlace(this.blockOf(row), row, starts);
  }

  async whenWritten(end: number): Promise<void> {
    if (end > this.#writer.size) await this.#writer.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#writer.flush().then(
      () => this.#handle.close(),
      () => this.#handle.close(),
    );
    return this.#closing;
  }

  async delete(): Promise<void> {
    await this.close();
    await rm(this.file, { force: true });
  }

  get #extent(): SpoolExtent {
    return { rowCount: this.#rowCount, size: this.#size, blockCount: this.index.count };
  }

  /** If writing fails, rows that were not written are dropped. */
  async #dropUnwritten(written: Promise<void>): Promise<void> {
    try {
      await written;
    } catch (thrown) {
      this.#rowCount = this.#writer.rowCount;
      this.#size = this.#writer.size;
      this.index.cutAt(this.#rowCount);
      throw spoolError(thrown);
    }
  }

  #rowsOf(block: Block): Promise<ParsedRow[]> {
    const cache = this.#cache;
    if (cache?.block.firstRow === block.firstRow && cache.block.length === block.length) return cache.rows;
    const rows = this.#bytes(block.offset, block.length).then(bytes => parseRows(bytes, block.rowCount));
    this.#cache = { block, rows };
    rows.catch(() => (this.#cache = undefined));
    return rows;
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    await this.whenWritten(offset + length);
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#handle.read(bytes, 0, length, offset);
    return bytes.subarray(0, bytesRead);
  }
}

const comma = Buffer.from(',');
const settled = Promise.resolve();

const diskFullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export function spoolError(cause: unknown): ProjectError {
  const code = diskFullCodes.has(asRecord(cause)?.['code']) ? 'no_room_for_rows' : 'rows_not_kept';
  return new ProjectError('closed', code, messageOf(cause), { cause });
}
