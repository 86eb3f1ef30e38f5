import type { TextEncoding } from '../importOptions.ts';
import type { Place, RowBlock, RowFault, SourceRow } from '../sourceRow.ts';
import { byteLengthOf, readableText } from '../sourceText.ts';

/** Where a row stands in the text of a block. */
interface RowSpan {
  readonly start: number;
  readonly end: number;
  /** The line behind the row. */
  readonly nextLine: number;
}

/** The rows that end in a part of a text file. Their places are computed only where a batch ends. */
export class TextBlock implements RowBlock {
  readonly rows: SourceRow[] = [];
  readonly #text: string;
  readonly #from: Place;
  readonly #encoding: TextEncoding;
  readonly #spans: RowSpan[] = [];

  constructor(text: string, from: Place, encoding: TextEncoding) {
    this.#text = text;
    this.#from = from;
    this.#encoding = encoding;
  }

  add(row: SourceRow, start: number, end: number, nextLine: number): void {
    this.rows.push(row);
    this.#spans.push({ start, end, nextLine });
  }

  addFault(fault: RowFault, line: number, start: number, end: number, nextLine: number): void {
    this.add({ line, cells: [], fault }, start, end, nextLine);
  }

  placeBehind(index: number): Place {
    const { end, nextLine } = this.#spans[index]!;
    return {
      rows: this.#from.rows + index + 1,
      line: nextLine,
      bytes: this.#from.bytes + byteLengthOf(this.#text.slice(0, end), this.#encoding),
    };
  }

  textOf(index: number): string {
    const { start, end } = this.#spans[index]!;
    return readableText(this.#text.slice(start, end)).replace(/[\r\n]+$/, '');
  }
}
