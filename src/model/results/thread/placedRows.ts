import type { Job } from './job.ts';
import type { RowsFile } from './rowsFile.ts';
import type { RowWalker } from './rowWalker.ts';

interface PlacedRowsParts {
  readonly job: Job;
  readonly file: RowsFile;
  readonly walker: RowWalker;
  /** The number in the file of the row at each place. */
  readonly rows: Uint32Array;
  readonly share: readonly [from: number, to: number];
}

/** The rows that are sorted, numbered by their places. They are read again if their keys do not distinguish them. */
export class PlacedRows {
  readonly #parts: PlacedRowsParts;

  constructor(parts: PlacedRowsParts) {
    this.#parts = parts;
  }

  get walker(): RowWalker {
    return this.#parts.walker;
  }

  /** Reads the rows at the given places, in ascending order. The walker then has the places of their values. */
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
