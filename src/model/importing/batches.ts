import type { EncodedRow } from './batchStatement.ts';
import type { KeptBatch, Piece } from './journal.ts';
import type { Place, RowBlock, RowFault, RowReader, RowTexts, SourceRow } from './sourceRow.ts';

/** Few enough that a row which the service refuses is found soon, and that no call takes long. */
const maxBatchRows = 10_000;
/** A service reads bodies of some megabytes, and encoding a longer batch would block the process. */
const maxBatchSize = 512 * 1024;

/** A row of a batch. Its text is looked up if it is rejected. */
interface BatchedRow {
  readonly line: number;
  readonly texts: RowTexts;
  readonly index: number;
}

export interface ReadableRow extends BatchedRow, EncodedRow {}

export interface UnreadableRow extends BatchedRow {
  readonly fault: RowFault;
}

/** Rows that are sent together, with those among them that cannot be read. */
export interface RowBatch {
  /** The rows of the file that it takes. */
  readonly rowCount: number;
  readonly rows: readonly ReadableRow[];
  readonly unreadable: readonly UnreadableRow[];
  readonly end: Place;
}

export interface BatchOptions {
  readonly from: Place;
  readonly encode: (row: SourceRow) => EncodedRow;
  /** The size of the first batch, if it has been sent before. */
  readonly firstRowCount: number | undefined;
  /** Whether an unreadable row is a batch of its own, so that all rows before it are sent first. */
  readonly separatesUnreadable: boolean;
}

/** Cuts the rows of a file into batches. */
export async function* rowBatches(reader: RowReader, options: BatchOptions): AsyncGenerator<RowBatch> {
  const { from, encode, firstRowCount, separatesUnreadable } = options;
  let rowCount = firstRowCount;
  let batch = new GrowingBatch(encode);
  for await (const block of reader.blocks(from)) {
    for (let index = 0; index < block.rows.length; index++) {
      const isAlone = separatesUnreadable && block.rows[index]!.fault !== undefined && rowCount === undefined;
      if (isAlone && batch.rowCount > 0) {
        yield batch;
        batch = new GrowingBatch(encode);
      }
      batch.add(block, index);
      const isFull = rowCount === undefined ? isAlone || batch.isFull : batch.rowCount === rowCount;
      if (!isFull) continue;
      yield batch;
      batch = new GrowingBatch(encode);
      rowCount = undefined;
    }
  }
  if (batch.rowCount > 0) yield batch;
}

/** A batch for the journal. */
export const keptBatch = ({ rows, end }: RowBatch): KeptBatch => ({
  rows: rows.map(({ line, json, blobs }) => ({ line, json, blobs })),
  end,
});

/** A batch of the journal. Its rows are known as they were sent. */
export function restoredBatch({ rows, end }: KeptBatch): RowBatch {
  const texts: RowTexts = { textOf: index => rows[index]!.json };
  return {
    rowCount: rows.length,
    rows: rows.map((row, index) => ({ ...row, texts, index })),
    unreadable: [],
    end,
  };
}

/** The parts of a piece that was refused as a whole. */
export function halves({ first, count }: Piece): [Piece, Piece] {
  const half = Math.ceil(count / 2);
  return [
    { first, count: half },
    { first: first + half, count: count - half },
  ];
}

class GrowingBatch implements RowBatch {
  readonly rows: ReadableRow[] = [];
  readonly unreadable: UnreadableRow[] = [];
  readonly #encode: BatchOptions['encode'];
  #last: { readonly block: RowBlock; readonly index: number } | undefined;
  #size = 0;

  constructor(encode: BatchOptions['encode']) {
    this.#encode = encode;
  }

  get rowCount(): number {
    return this.rows.length + this.unreadable.length;
  }

  get isFull(): boolean {
    return this.#size >= maxBatchSize || this.rowCount >= maxBatchRows;
  }

  get end(): Place {
    return this.#last!.block.placeBehind(this.#last!.index);
  }

  add(block: RowBlock, index: number): void {
    this.#last = { block, index };
    const row = block.rows[index]!;
    const { line, fault } = row;
    if (fault) {
      this.unreadable.push({ line, texts: block.texts, index, fault });
      return;
    }
    const { json, blobs } = this.#encode(row);
    this.rows.push({ line, texts: block.texts, index, json, blobs });
    this.#size += json.length;
  }
}
