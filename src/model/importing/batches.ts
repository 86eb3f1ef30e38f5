import type { RowBlock, Place, RowReader, SourceRow } from './sourceRow.ts';

/** Few enough that a row which the service refuses is found soon, and that no call takes long. */
const maxBatchRows = 10_000;
/** A service reads bodies of some megabytes, and encoding a longer batch would block the process. */
const maxBatchSize = 768 * 1024;

/** Rows that are sent together, with those among them that cannot be read. */
export interface RowBatch {
  /** The rows of the file that it takes. */
  readonly rowCount: number;
  readonly rows: readonly SourceRow[];
  readonly unreadable: readonly SourceRow[];
  readonly end: Place;
  /** A row as it stands in the file. */
  textOf(row: SourceRow): string;
}

export interface BatchOptions {
  readonly from: Place;
  /** The size of the first batch, if it has been sent before. */
  readonly firstRowCount: number | undefined;
  /** Whether an unreadable row is a batch of its own, so that all rows before it are sent first. */
  readonly separatesUnreadable: boolean;
}

/** Cuts the rows of a file into batches. */
export async function* rowBatches(reader: RowReader, options: BatchOptions): AsyncGenerator<RowBatch> {
  const { from, firstRowCount, separatesUnreadable } = options;
  let rowCount = firstRowCount;
  let batch = new GrowingBatch();
  for await (const block of reader.blocks(from)) {
    for (let index = 0; index < block.rows.length; index++) {
      const isAlone = separatesUnreadable && block.rows[index]!.fault !== undefined && rowCount === undefined;
      if (isAlone && batch.rowCount > 0) {
        yield batch;
        batch = new GrowingBatch();
      }
      batch.add(block, index);
      const isFull = rowCount === undefined ? isAlone || batch.isFull : batch.rowCount === rowCount;
      if (!isFull) continue;
      yield batch;
      batch = new GrowingBatch();
      rowCount = undefined;
    }
  }
  if (batch.rowCount > 0) yield batch;
}

class GrowingBatch implements RowBatch {
  readonly rows: SourceRow[] = [];
  readonly unreadable: SourceRow[] = [];
  readonly #blocks: { readonly block: RowBlock; readonly firstIndex: number }[] = [];
  #lastIndex = 0;
  #size = 0;

  get rowCount(): number {
    return this.rows.length + this.unreadable.length;
  }

  get isFull(): boolean {
    return this.#size >= maxBatchSize || this.rowCount >= maxBatchRows;
  }

  get end(): Place {
    return this.#blocks.at(-1)!.block.placeBehind(this.#lastIndex);
  }

  add(block: RowBlock, index: number): void {
    if (this.#blocks.at(-1)?.block !== block) this.#blocks.push({ block, firstIndex: index });
    this.#lastIndex = index;
    const row = block.rows[index]!;
    if (row.fault) this.unreadable.push(row);
    else this.rows.push(row);
    for (const cell of row.cells) this.#size += sizeOf(cell);
  }

  textOf(row: SourceRow): string {
    for (const { block } of this.#blocks) {
      const index = block.rows.indexOf(row);
      if (index !== -1) return block.textOf(index);
    }
    return '';
  }
}

/** About the characters that a value takes in a batch. */
function sizeOf(cell: SourceRow['cells'][number]): number {
  if (typeof cell === 'string') return cell.length + 3;
  return cell instanceof Uint8Array ? 2 * cell.length + 6 : 8;
}
