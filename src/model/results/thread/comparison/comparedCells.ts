import type { Column } from '../../../../wire/values.ts';
import { lettersPerColumn } from '../../comparison.ts';
import { differentSpelling } from '../cell.ts';
import { textBytesAt } from '../compare.ts';
import { hashOfBytes, hashOfNumber, joinedHash } from '../distinct.ts';
import type { ByteWriter } from '../formats/byteWriter.ts';
import { RowCells } from '../formats/rowCells.ts';
import { isInteger, numberAt } from '../jsonNumbers.ts';
import { createWalker } from '../rowsFile.ts';
import type { RowWalker } from '../rowWalker.ts';

/** The storage classes of SQLite by their first letters. A service may also send other JSON. */
export const storageClasses = { n: 'null', i: 'integer', r: 'real', t: 'text', b: 'blob', o: 'other' } as const;
type ClassLetter = keyof typeof storageClasses;

/** Other hashes in each thread, so that no data is made to give equal ones. */
const seed = Math.floor(Math.random() * 2 ** 32);

/** The cells of a row, by the numbers of their columns. */
export class ComparedCells {
  readonly walker: RowWalker;
  readonly #cells: RowCells;
  readonly #letterColumn: number | undefined;

  /** Columns from `letterColumn` on have the letters of the storage classes. Without it, the JSON of a value tells its class. */
  constructor(
    columns: readonly Column[],
    letterColumn: number | undefined,
    wanted: readonly number[] = [...columns.keys()],
  ) {
    const { walker, slots: wantedSlots } = createWalker(wanted, columns);
    const slots = columns.map((_, column) => wantedSlots[wanted.indexOf(column)] ?? -1);
    this.walker = walker;
    this.#cells = new RowCells(columns, slots, walker, true);
    this.#letterColumn = letterColumn;
  }

  /** Equal cells have equal hashes. A single number is its own hash: rows in the order of their keys need no sorting. */
  hash(columns: readonly number[]): number {
    const [first] = columns;
    if (first !== undefined && columns.length === 1 && this.#cells.kind(first) === 'number') return this.#number(first);
    let one = seed;
    let other = ~seed;
    for (const column of columns) {
      const hash = this.#hashOf(column);
      one = Math.imul(one, 0x01000193) ^ hash;
      other = Math.imul(other ^ (hash / 0x100000000), 0x85ebca6b) ^ hash;
    }
    return joinedHash(one, other);
  }

  /** Whether two cells have the same value in the same storage class. NULL equals NULL. */
  equals(column: number, other: ComparedCells, otherColumn: number): boolean {
    const letter = this.classOf(column);
    if (letter !== other.classOf(otherColumn)) return false;
    if (letter === 'n') return true;
    const cells = this.#cells;
    const others = other.#cells;
    const from = others.from(otherColumn);
    const order = cells.bytes.compare(others.bytes, from, others.to(otherColumn), cells.from(column), cells.to(column));
    return order === 0 || this.exactText(column) === other.exactText(otherColumn);
  }

  /** Equal values of one storage class have equal texts, and others do not. */
  exactText(column: number): string {
    const letter = this.classOf(column);
    if (letter === 'n') return letter;
    if (letter !== 'r') return `${letter}${this.#cells.decoded(column)}`;
    const number = this.#number(column);
    return Object.is(number, -0) ? 'r-0' : `r${number}`;
  }

  classOf(column: number): ClassLetter {
    const cells = this.#cells;
    const kind = cells.kind(column);
    if (this.#letterColumn !== undefined && kind !== 'null') return this.#letterOf(column, this.#letterColumn);
    switch (kind) {
      case 'null':
        return 'n';
      case 'number':
        return isInteger(cells.bytes, cells.from(column), cells.to(column)) && !Object.is(this.#number(column), -0)
          ? 'i'
          : 'r';
      case 'text':
        return cells.blob(column) ? 'b' : 't';
      default:
        return 'o';
    }
  }

  text(column: number): string {
    return this.#cells.text(column);
  }

  /** Writes the value as it came. A whole REAL gets its point if only its letter tells it from an INTEGER. */
  write(writer: ByteWriter, column: number): void {
    const cells = this.#cells;
    const from = cells.from(column);
    const to = cells.to(column);
    if (from === -1) return writer.text('null');
    if (cells.isBrokenRow(column)) return writer.text(JSON.stringify(cells.text(column)));
    writer.bytes(cells.bytes, from, to);
    if (isInteger(cells.bytes, from, to) && this.classOf(column) === 'r') writer.text('.0');
  }

  #number(column: number): number {
    return numberAt(this.#cells.bytes, this.#cells.from(column), this.#cells.to(column));
  }

  #hashOf(column: number): number {
    const cells = this.#cells;
    const kind = cells.kind(column);
    if (kind === 'null') return 0;
    if (kind === 'number') return hashOfNumber(this.#number(column), 0);
    const flags = cells.isPlain(column) ? 0 : differentSpelling;
    const [text, from, to] = textBytesAt(cells.bytes, cells.from(column), cells.to(column), flags);
    return hashOfBytes(text, from, to, seed);
  }

  #letterOf(column: number, firstColumn: number): ClassLetter {
    const letters = this.text(firstColumn + Math.floor(column / lettersPerColumn));
    const letter = letters[column % lettersPerColumn] ?? '';
    return Object.hasOwn(storageClasses, letter) ? (letter as ClassLetter) : 'o';
  }
}
