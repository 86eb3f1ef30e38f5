import { ByteWriter } from '../formats/byteWriter.ts';
import type { RowCells } from '../formats/rowCells.ts';
import { numberAt, sqliteNumberAt } from '../jsonNumbers.ts';
import type { ColumnPart, ParquetColumn } from './rowGroups.ts';

/** A table may have thousands of columns. */
const initialBytes = 256;
/** The bytes of a number, little-endian. */
const number = Buffer.alloc(8);

/** The values of a column in a row group, in Parquet's encoding PLAIN. */
export class PlainColumn {
  readonly #type: ParquetColumn['type'];
  readonly #values = new ByteWriter(initialBytes);
  readonly #levels = new ByteWriter(initialBytes);
  #nullCount = 0;

  constructor(type: ParquetColumn['type']) {
    this.#type = type;
  }

  /** Adds a cell. `at` is -1 if the row does not have the column. */
  add(cells: RowCells, at: number): void {
    const kind = at === -1 ? 'null' : cells.kind(at);
    if (kind === 'null') {
      this.#nullCount++;
      return this.#levels.byte(0);
    }
    this.#levels.byte(1);
    const { bytes } = cells;
    const from = cells.from(at);
    const to = cells.to(at);
    if (this.#type === 'STRING') {
      if (kind === 'json') this.#addText(Buffer.from(cells.text(at)));
      else if (kind !== 'text') this.#addText(bytes, from, to);
      else if (cells.isPlain(at)) this.#addText(bytes, from + 1, to - 1);
      else this.#addText(Buffer.from(cells.decoded(at)));
    } else if (kind === 'boolean') this.#addNumber(bytes[from] === 0x74 ? 1 : 0);
    // A double holds all integers of 15 digits.
    else if (this.#type === 'DOUBLE' || to - from < 16) this.#addNumber(numberAt(bytes, from, to));
    else this.#addNumber(sqliteNumberAt(bytes, from, to));
  }

  take(): ColumnPart {
    const part = { values: this.#values.take(), levels: this.#levels.take(), nullCount: this.#nullCount };
    this.#nullCount = 0;
    return part;
  }

  #addNumber(value: number | bigint): void {
    if (typeof value === 'bigint') number.writeBigInt64LE(value);
    else if (this.#type === 'DOUBLE') number.writeDoubleLE(value);
    else {
      number.writeUInt32LE(value >>> 0);
      number.writeUInt32LE(Math.floor(value / 2 ** 32) >>> 0, 4);
    }
    this.#values.bytes(number);
  }

  #addText(bytes: Uint8Array, from = 0, to = bytes.length): void {
    number.writeUInt32LE(to - from);
    this.#values.bytes(number, 0, 4);
    this.#values.bytes(bytes, from, to);
  }
}
