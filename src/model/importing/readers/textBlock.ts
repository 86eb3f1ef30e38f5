import type { TextEncoding } from '../importOptions.ts';
import type { Place, RowBlock, RowFault, RowTexts, SourceRow } from '../sourceRow.ts';
import { byteLengthOf, readableText, bomLength, TextPieces } from '../sourceText.ts';
import type { SourceFile } from '../sourceFile.ts';

/** The rows that end in a part of a text file. Their places are computed only where a batch ends. */
export class TextBlock implements RowBlock {
  readonly rows: SourceRow[] = [];
  readonly texts: RowTexts;
  readonly #text: string;
  readonly #from: Place;
  readonly #encoding: TextEncoding;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #nextLines: number[] = [];

  constructor(text: string, from: Place, encoding: TextEncoding) {
    const starts = this.#starts;
    const ends = this.#ends;
    this.#text = text;
    this.#from = from;
    this.#encoding = encoding;
    // The texts outlive the rows of the block, so they do not lead to it.
    this.texts = {
      textOf: index => readableText(text.slice(starts[index], ends[index])).replace(/[\r\n]+$/, ''),
    };
  }

  add(row: SourceRow, start: number, end: number, nextLine: number): void {
    this.rows.push(row);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#nextLines.push(nextLine);
  }

  addFault(fault: RowFault, line: number, start: number, end: number, nextLine: number): void {
    this.add({ line, cells: [], fault }, start, end, nextLine);
  }

  placeAfter(index: number): Place {
    return {
      rows: this.#from.rows + index + 1,
      line: this.#nextLines[index]!,
      bytes: this.#from.bytes + byteLengthOf(this.#text.slice(0, this.#ends[index]), this.#encoding),
    };
  }
}

/** The text of a file from a byte on, part by part. The last part may be empty. */
export async function* textParts(file: SourceFile, encoding: TextEncoding, from: number) {
  const pieces = new TextPieces(encoding);
  for await (const piece of file.pieces(from)) yield { text: pieces.decode(piece), isLast: false };
  yield { text: pieces.end(), isLast: true };
}

export const markLength = async (file: SourceFile, encoding: TextEncoding): Promise<number> =>
  bomLength(await file.head(3), encoding);
