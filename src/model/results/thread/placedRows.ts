import type { Job } from './job.ts';
import type { RowsFile } from './rowsFile.ts';
import type { RowWalker } from './rowWalker.ts';

export interface PlacedRowsParts {
  readonly job: Job;
  readonly file: RowsFile;
  readonly walker: RowWalker;
  /** The row at each place, as they came. */
  readonly rows: Uint32Array;
  readonly share: readonly [from: number, to: number];
}

/** The rows that are to be sorted, to be read again where what is kept of them does not tell them apart. */
export class PlacedRows {
  readonly #parts: PlacedRowsParts;

  constructor(parts: PlacedRowsParts) {
    this.#parts = parts;
  }

  get walker(): RowWalker {
    return this.#parts.walker;
  }

  /** Reads the rows at the places that are wanted, from first to last. The walker says where their values stand. */
  async read(onPlace: (place: number) => void, isWanted: (place: number) => boolean = () => true): Promise<void> {
    const { job, file, walker, rows, share } = this.#parts;
    let next = 0;
    const skip = (): void => {
      while (next < rows.length && !isWanted(next)) next++;
    };
    skip();
    if (next === rows.length) return;
    await file.scan(job, {
      walker,
      firstRow: rows[next]!,
      endRow: rows.at(-1)! + 1,
      share,
      wants: (_firstRow, endRow) => next < rows.length && rows[next]! < endRow,
      onRow: row => {
        if (row !== rows[next]) return;
        onPlace(next++);
        skip();
      },
    });
  }
}
