import { openBrace } from '../../../base/jsonBytes.ts';
import type { CellPart } from '../../../protocol/results.ts';
import { type ShownValue, shownLengthOf } from '../../../protocol/shownValues.ts';
import type { Column } from '../../../wire/values.ts';
import { createWalker, type ReadBuffer, type RowsFile } from './rowsFile.ts';
import type { RowWalker } from './rowWalker.ts';
import { shownPart } from './shownPart.ts';

/** The bytes that contain some rows. The window finds them in its block index. */
export interface RowsPlace {
  readonly offset: number;
  readonly length: number;
  /** How many rows precede them in these bytes. */
  readonly skippedRows: number;
  readonly rowCount: number;
}

interface FoundRow {
  readonly key: string;
  readonly walker: RowWalker;
  /** The slot of each column. It is -1 if the column or the row is missing. */
  readonly slots: readonly number[];
}

/**
 * Reads cells of rows that are too large to be parsed in the window. Only the part that the grid shows is decoded. The last
 * row stays in memory: the record view requests its cells one by one.
 */
export class CellReader {
  /** One buffer for all reads: a large row needs a large one. */
  readonly #buffer: ReadBuffer;
  #last: FoundRow | undefined;

  constructor(file: RowsFile) {
    this.#buffer = file.createBuffer();
  }

  /** The cells of rows, cut as the grid shows them. Rows that a damaged file does not have are empty. */
  rows(place: RowsPlace, columns: readonly Column[]): ShownValue[][] {
    this.#last = undefined;
    const { walker, slots } = createWalker([...columns.keys()], columns);
    const maxLength = shownLengthOf(columns.length);
    const rows: ShownValue[][] = [];
    for (const _ of walkRows(this.#buffer, walker, place)) {
      rows.push(slots.map(slot => partAt(walker, slot, maxLength)));
    }
    while (rows.length < place.rowCount) rows.push(slots.map(() => ({ kind: 'null' })));
    return rows;
  }

  /** The first `maxLength` characters of a cell. NULL if a damaged file does not have the row. */
  cell(place: RowsPlace, columns: readonly Column[], column: number, maxLength: number): CellPart {
    const { walker, slots } = this.#find({ ...place, rowCount: 1 }, columns);
    const slot = slots[column] ?? -1;
    const part = partAt(walker, slot, maxLength);
    if (part.length === undefined) return part;
    const quoteBytes = part.kind === 'text' ? 1 : 0;
    const past = walker.to[slot]! - quoteBytes;
    // The last two characters of base64 tell its padding, and so the size of the BLOB.
    return { ...part, end: (walker.bytes as Buffer).toString('utf8', past - 2, past) };
  }

  #find(place: RowsPlace, columns: readonly Column[]): FoundRow {
    const key = JSON.stringify([place, columns]);
    if (this.#last?.key === key) return this.#last;
    this.#last = undefined;
    const { walker, slots } = createWalker([...columns.keys()], columns);
    const isFound = walkRows(this.#buffer, walker, place).next().done !== true;
    this.#last = { key, walker, slots: isFound ? slots : slots.map(() => -1) };
    return this.#last;
  }
}

/** Yields when the walker has found the values of the next row. */
function* walkRows(buffer: ReadBuffer, walker: RowWalker, place: RowsPlace): Generator<void> {
  const { offset, length, skippedRows, rowCount } = place;
  const bytes = buffer.read(offset, length);
  const end = buffer.length;
  let past = 0;
  for (let row = 0; row < skippedRows + rowCount; row++) {
    const start = bytes.indexOf(openBrace, past);
    if (start === -1 || start >= end) return;
    past = walker.read(bytes, start, end);
    if (row >= skippedRows) yield;
  }
}

function partAt(walker: RowWalker, slot: number, maxLength: number): ShownValue {
  if (slot === -1) return { kind: 'null' };
  return shownPart(walker.bytes as Buffer, walker.from[slot]!, walker.to[slot]!, walker.flags[slot]!, maxLength);
}
