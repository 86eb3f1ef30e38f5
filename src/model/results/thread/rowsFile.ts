import { closeSync, openSync, readSync } from 'node:fs';
import { type Column, isBlobType } from '../../../wire/values.ts';
import { type Block, BlockIndex } from '../spool/blockIndex.ts';
import type { SpoolExtent } from '../spool.ts';
import type { Job } from './job.ts';
import { RowWalker } from './rowWalker.ts';

/** The walker wants a quote behind the rows, and another one behind an escape. */
const behind = Buffer.from('""""');
const openBrace = 0x7b;

export interface Scan {
  readonly walker: RowWalker;
  readonly firstRow?: number;
  readonly endRow: number;
  /** Whether any of these rows is wanted; blocks of which none is are not read. */
  readonly wants?: (firstRow: number, endRow: number) => boolean;
  /** Heard before the rows of each block. */
  readonly onBlock?: (bytes: Buffer, length: number) => void;
  /** The walker says where the row's values stand. What is kept of the bytes has to be copied. */
  readonly onRow: (row: number, start: number, past: number) => void;
  /** Asked after each block: what it gives is waited for. */
  readonly rest?: () => Promise<void> | undefined;
  /** How much of all the work the scan is, from which share on. */
  readonly share?: readonly [from: number, to: number];
}

/** A spool's file as a thread of its own reads it, block by block, so that a result of any size takes the same memory. */
export class RowsFile {
  readonly index: BlockIndex;
  readonly #descriptor: number;
  #extent: SpoolExtent = { rowCount: 0, size: 0, blockCount: 0 };
  #columns: readonly Column[] = [];

  constructor(file: string, memory: SharedArrayBuffer) {
    this.index = new BlockIndex(memory);
    this.#descriptor = openSync(file, 'r');
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** What stands in the file by now. Types of columns may become known only behind the last row. */
  update(extent: SpoolExtent, columns: readonly Column[]): void {
    this.#columns = columns;
    if (extent.size < this.#extent.size) return;
    this.#extent = extent;
    this.index.showBlocks(extent.blockCount);
  }

  /** A walker for these columns, and the slot of each in it; columns of one name share theirs. */
  walk(columns: readonly number[]): { walker: RowWalker; slots: number[] } {
    const nameOf = (column: number): string => this.columns[column]?.name ?? '';
    const names = [...new Set(columns.filter(column => column < this.columns.length).map(nameOf))];
    const blobs = this.columns.filter(({ type }) => isBlobType(type)).map(({ name }) => name);
    const walker = new RowWalker(names, this.columns[0]?.name, new Set(blobs));
    return { walker, slots: columns.map(column => names.indexOf(nameOf(column))) };
  }

  async scan(job: Job, scan: Scan): Promise<void> {
    const { firstRow = 0, endRow, wants, share: [begin, end] = [0, 1] } = scan;
    const room = this.room();
    for (let row = firstRow, at = this.index.find(row); row < endRow && at < this.index.count; at++) {
      const block = this.#block(at);
      const blockEnd = Math.min(endRow, block.firstRow + block.rowCount);
      if (wants?.(row, blockEnd) !== false) scanBlock(room, block, { ...scan, firstRow: row, endRow: blockEnd });
      row = blockEnd;
      await scan.rest?.();
      if (job.isTurnOver) await job.turn(begin + ((end - begin) * (row - firstRow)) / (endRow - firstRow));
    }
  }

  /** Reads one row whose place is known. The bytes are good until the next one is read with the same room. */
  readRow(room: BlockRoom, walker: RowWalker, row: number, starts: Uint32Array): number {
    const block = this.#block(this.index.find(row));
    const start = starts[row]!;
    const last = row + 1 >= block.firstRow + block.rowCount;
    // Where the next row is not known yet, this one ends somewhere before the block does.
    const length = (last || row + 1 >= starts.length ? block.length : starts[row + 1]!) - start;
    const bytes = room.read(block.offset + start, length);
    return walker.read(bytes, 0, room.length);
  }

  #block(at: number): Block {
    return this.index.at(at, this.#extent.rowCount, this.#extent.size);
  }

  room(): BlockRoom {
    return new BlockRoom(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function scanBlock(room: BlockRoom, block: Block, { walker, firstRow = 0, endRow, onBlock, onRow }: Scan): void {
  const bytes = room.read(block.offset, block.length);
  const end = room.length;
  onBlock?.(bytes, end);
  for (let row = block.firstRow, past = 0; row < endRow; row++) {
    const start = bytes.indexOf(openBrace, past);
    if (start === -1 || start >= end) break;
    past = walker.read(bytes, start, end);
    if (row >= firstRow) onRow(row, start, past);
  }
}

/** More than this is given back once it is not needed. */
const keptBytes = 4 * 1024 * 1024;

/** Memory that bytes are read into, one piece after another. */
export class BlockRoom {
  readonly #descriptor: number;
  #bytes = Buffer.allocUnsafeSlow(128 * 1024);
  #length = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** How much was read last. */
  get length(): number {
    return this.#length;
  }

  /** What stands there, with quotes behind it. */
  read(offset: number, length: number): Buffer {
    const needed = length + behind.length;
    if (needed > this.#bytes.length || this.#bytes.length > keptBytes) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(needed, 128 * 1024));
    }
    let done = 0;
    while (done < length) {
      const count = readSync(this.#descriptor, this.#bytes, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    this.#length = done;
    behind.copy(this.#bytes, done);
    return this.#bytes;
  }
}
