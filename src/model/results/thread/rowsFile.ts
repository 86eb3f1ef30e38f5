import { closeSync, openSync, readSync } from 'node:fs';
import { openBrace } from '../../../base/jsonBytes.ts';
import { type Column, isBlobType } from '../../../wire/values.ts';
import { type Block, BlockIndex, rowPlace } from '../spool/blockIndex.ts';
import type { SpoolExtent } from '../spool.ts';
import type { Job } from '../../job.ts';
import { RowWalker } from './rowWalker.ts';

/** The walker needs a quote after the rows, and another one after an escape that is cut off. */
const padding = Buffer.from('""""');

export interface Scan {
  readonly walker: RowWalker;
  readonly firstRow?: number;
  readonly endRow: number;
  /** Whether any of these rows is needed. Other blocks are not read. */
  readonly wants?: (firstRow: number, endRow: number) => boolean;
  readonly onBlock?: (bytes: Buffer, length: number) => void;
  /** Called for each row. The walker has the places of its values. The bytes are reused: copy them to keep them. */
  readonly onRow: (row: number, start: number, past: number) => void;
  readonly afterBlock?: (() => Promise<void> | undefined) | undefined;
  /** The progress before and after this scan, from 0 to 1. */
  readonly share?: readonly [from: number, to: number];
}

interface WalkerWithSlots {
  readonly walker: RowWalker;
  /** The slot of each column, or -1 for a missing column. */
  readonly slots: number[];
}

/** A walker for some of the columns of a result, by their numbers. Columns of the same key share a slot. */
export function createWalker(numbers: readonly number[], columns: readonly Column[]): WalkerWithSlots {
  const allKeys = columns.map(({ name, key = name }) => key);
  const keys = [...new Set(numbers.filter(column => column < columns.length).map(column => allKeys[column]!))];
  const slots = new Map(keys.map((key, slot) => [key, slot]));
  const blobs = allKeys.filter((_key, column) => isBlobType(columns[column]!.type));
  const walker = new RowWalker(keys, allKeys[0], new Set(blobs));
  return { walker, slots: numbers.map(column => slots.get(allKeys[column] ?? '') ?? -1) };
}

/** A spool's file in the rows thread. It is read block by block, so that results of any size take the same memory. */
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

  /** Sets the size of the file, and the columns. A service may name the types of columns only after the last row. */
  update(extent: SpoolExtent, columns: readonly Column[]): void {
    this.#columns = columns;
    if (extent.size < this.#extent.size) return;
    this.#extent = extent;
    this.index.showBlocks(extent.blockCount);
  }

  createWalker(columns: readonly number[]): WalkerWithSlots {
    return createWalker(columns, this.#columns);
  }

  async scan(job: Job, scan: Scan): Promise<void> {
    const { firstRow = 0, endRow, wants, share: [begin, end] = [0, 1] } = scan;
    const buffer = this.createBuffer();
    let row = firstRow;
    for (let at = this.index.find(firstRow); row < endRow && at < this.index.count; at++) {
      const block = this.#block(at);
      const blockEnd = Math.min(endRow, block.firstRow + block.rowCount);
      if (wants?.(row, blockEnd) !== false) scanBlock(buffer, block, { ...scan, firstRow: row, endRow: blockEnd });
      row = blockEnd;
      await scan.afterBlock?.();
      if (job.isTurnOver) await job.turn(begin + ((end - begin) * (row - firstRow)) / (endRow - firstRow));
    }
  }

  /** Reads one row. `starts` has the offset of each row in its block. The next read with the buffer overwrites the row. */
  readRow(buffer: ReadBuffer, walker: RowWalker, row: number, starts: Uint32Array): number {
    const { offset, length } = rowPlace(this.blockOf(row), row, starts);
    const bytes = buffer.read(offset, length);
    return walker.read(bytes, 0, buffer.length);
  }

  blockOf(row: number): Block {
    return this.#block(this.index.find(row));
  }

  #block(at: number): Block {
    return this.index.at(at, this.#extent.rowCount, this.#extent.size);
  }

  createBuffer(): ReadBuffer {
    return new ReadBuffer(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function scanBlock(buffer: ReadBuffer, block: Block, { walker, firstRow = 0, endRow, onBlock, onRow }: Scan): void {
  const bytes = buffer.read(block.offset, block.length);
  const end = buffer.length;
  onBlock?.(bytes, end);
  walker.openBlock(bytes, end);
  let past = 0;
  for (let row = block.firstRow; row < endRow; row++) {
    // Most rows follow a comma. A native search for each would take longer.
    const start = past > 0 && bytes[past + 1] === openBrace ? past + 1 : bytes.indexOf(openBrace, past);
    if (start === -1 || start >= end) break;
    past = walker.read(bytes, start, end);
    if (row >= firstRow) onRow(row, start, past);
  }
}

/** A larger buffer is released with the next small read. */
const maxKeptBytes = 4 * 1024 * 1024;

/** Memory for bytes of the file, one piece after another. */
export class ReadBuffer {
  readonly #descriptor: number;
  #bytes = Buffer.allocUnsafeSlow(128 * 1024);
  #length = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  read(offset: number, length: number): Buffer {
    const needed = length + padding.length;
    const isTooLarge = this.#bytes.length > maxKeptBytes && needed <= maxKeptBytes;
    if (needed > this.#bytes.length || isTooLarge) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(needed, 128 * 1024));
    }
    let done = 0;
    while (done < length) {
      const count = readSync(this.#descriptor, this.#bytes, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    this.#length = done;
    padding.copy(this.#bytes, done);
    return this.#bytes;
  }
}

export interface ShownRows {
  readonly rowCount: number;
  readonly orderVersion: number;
  /** Undefined if the rows are unsorted and unfiltered. */
  readonly rows: Uint32Array | undefined;
  readonly starts: Uint32Array | undefined;
}

/** A scan whose rows are counted in the order shown. */
interface ShownScan extends Omit<Scan, 'wants' | 'onBlock'> {
  readonly firstRow: number;
}

/** Reads rows in the order shown. Arranged rows are anywhere in the file, so they are read one by one. */
export async function scanShown(job: Job, file: RowsFile, shown: ShownRows, scan: ShownScan): Promise<void> {
  const { rows, starts } = shown;
  const { walker, firstRow, endRow, onRow, afterBlock, share: [begin, end] = [0, 1] } = scan;
  if (!rows || !starts) return file.scan(job, scan);
  const buffer = file.createBuffer();
  for (let row = firstRow; row < endRow; row++) {
    onRow(row, 0, file.readRow(buffer, walker, rows[row]!, starts));
    const pause = afterBlock?.();
    if (pause) await pause;
    if (job.isTurnOver) await job.turn(begin + ((end - begin) * (row - firstRow)) / (endRow - firstRow));
  }
}

/** Reads the rows of a shown range in the order of the file, which is quicker. */
export async function scanInFileOrder(job: Job, file: RowsFile, shown: ShownRows, scan: ShownScan): Promise<void> {
  if (!shown.rows) return file.scan(job, scan);
  const fileRows = shown.rows.subarray(scan.firstRow, scan.endRow).toSorted();
  if (fileRows.length === 0) return;
  let next = 0;
  await file.scan(job, {
    ...scan,
    firstRow: fileRows[0]!,
    endRow: fileRows.at(-1)! + 1,
    wants: (_first, end) => fileRows[next]! < end,
    onRow: (row, start, past) => {
      if (row !== fileRows[next]) return;
      next++;
      scan.onRow(row, start, past);
    },
  });
}
