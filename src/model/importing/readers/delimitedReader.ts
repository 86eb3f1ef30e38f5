import { distinctNames } from '../../../base/distinctNames.ts';
import { misuse } from '../../../base/errors.ts';
import { keyOf } from '../../../sql/text/names.ts';
import type { SourceOptions } from '../importOptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import {
  type SourceValue,
  firstPlace,
  maxRowLength,
  type Place,
  type RowFault,
  type SourceReader,
  type SourceRow,
} from '../sourceRow.ts';
import { byteLengthOf } from '../sourceText.ts';
import { DelimitedScanner, isBlankRow, lineEndsIn, type ScannedRow } from './delimitedScanner.ts';
import { TextBlock, markLength, textParts } from './textBlock.ts';

type DelimitedFileOptions = Omit<SourceOptions, 'format' | 'table'>;

/** Cuts the text of a file into rows. */
export class DelimitedReader implements SourceReader {
  readonly columns: readonly string[];
  readonly #file: SourceFile;
  readonly #options: DelimitedFileOptions;
  /** Where the rows begin: after the byte order mark and the header. */
  readonly #start: Place;
  /** The number of values in each row. Undefined while the columns are not known. */
  readonly #fieldCount: number | undefined;

  private constructor(file: SourceFile, options: DelimitedFileOptions, start: Place, columns?: readonly string[]) {
    this.#file = file;
    this.#options = options;
    this.#start = start;
    this.columns = columns ?? [];
    this.#fieldCount = columns?.length;
  }

  static async open(file: SourceFile, options: DelimitedFileOptions): Promise<DelimitedReader> {
    const begin = { ...firstPlace, bytes: await markLength(file, options.encoding) };
    const unnamed = new DelimitedReader(file, { ...options, nullText: null }, begin);
    for await (const block of unnamed.blocks(begin)) {
      const first = block.rows[0]!;
      if (first.fault) throw headerFault(first.fault);
      const names = first.cells as readonly string[];
      const numbered = names.map((_, nth) => numberedName(nth));
      if (!options.hasHeader) return new DelimitedReader(file, options, begin, numbered);
      const start = { ...block.placeAfter(0), rows: 0 };
      return new DelimitedReader(file, options, start, columnNames(names));
    }
    return new DelimitedReader(file, options, begin, []);
  }

  async *blocks(from: Place): AsyncGenerator<TextBlock> {
    const { encoding, delimiter, quote } = this.#options;
    let base = from.bytes === 0 ? this.#start : from;
    let text = '';
    /** The number of line ends in the dropped text of a row that is too long. A stand-in replaces it until the row ends. */
    let droppedLines: number | undefined;
    for await (const part of textParts(this.#file, encoding, base.bytes)) {
      text += part.text;
      const block = new TextBlock(text, base, encoding);
      const scanner = new DelimitedScanner({ text, isLast: part.isLast, delimiter, quote });
      let at = 0;
      let { line } = base;
      const isWellFormed = text.isWellFormed();
      const isPlain = !(delimiter === '\t' ? notPlainBesidesTabs : notPlain).test(text);
      for (let row = scanner.row(at); row; row = scanner.row(at)) {
        // Its first line was dropped, so the rows after that line are lost.
        if (row.fault && droppedLines) throw openQuote(line);
        const nextLine = line + row.lines + (droppedLines ?? 0);
        if (droppedLines !== undefined || row.end - at > maxRowLength) {
          block.addFault({ kind: 'tooLong' }, line, row.end, row.end, nextLine);
        } else if (!isBlankRow(row) || this.#fieldCount === 1) {
          const fault = this.#faultOf(row, isWellFormed || text.slice(at, row.end).isWellFormed());
          if (fault) block.addFault(fault, line, at, row.end, nextLine);
          else block.add(this.#sourceRow(row, line, isPlain), at, row.end, nextLine);
        }
        droppedLines = undefined;
        line = nextLine;
        at = row.end;
      }
      let standIn = '';
      if (droppedLines !== undefined || text.length - at > maxRowLength) {
        standIn = scanner.standIn(at);
        droppedLines = (droppedLines ?? 0) + lineEndsIn(text.slice(at, text.endsWith('\r') ? -1 : undefined));
        at = text.length;
      }
      if (block.rows.length > 0) yield block;
      base = {
        rows: base.rows + block.rows.length,
        line,
        bytes: base.bytes + byteLengthOf(text.slice(0, at), encoding) - byteLengthOf(standIn, encoding),
      };
      text = standIn + text.slice(at);
    }
  }

  #faultOf(row: ScannedRow, isWellFormed: boolean): RowFault | undefined {
    if (row.fault) return row.fault;
    if (!isWellFormed) return { kind: 'encoding' };
    const expected = this.#fieldCount ?? row.cells.length;
    return row.cells.length === expected ? undefined : { kind: 'fieldCount', found: row.cells.length, expected };
  }

  #sourceRow(row: ScannedRow, line: number, isPlainText: boolean): SourceRow {
    const cells = this.#cellsOf(row);
    // A quoted value may have line ends, and tabs in a file with tabs between its values.
    const isPlain =
      isPlainText && cells === row.cells && row.lines === 1 && (this.#options.delimiter !== '\t' || !row.quoted);
    return { line, cells, isPlain };
  }

  #cellsOf({ cells, quoted }: ScannedRow): readonly SourceValue[] {
    const { nullText } = this.#options;
    if (nullText === null || !cells.includes(nullText)) return cells;
    return cells.map((cell, nth) => (cell === nullText && !quoted?.has(nth) ? null : cell));
  }
}

/** Characters that no value of a plain row has. Line ends are between rows. */
const notPlain = /['\\[\p{Cc}--[\r\n]]]/v;
const notPlainBesidesTabs = /['\\[\p{Cc}--[\r\n\t]]]/v;

const headerFault = (fault: RowFault): Error =>
  fault.kind === 'encoding'
    ? misuse('header_encoding', 'The first row has bytes that are no characters. Choose another encoding.')
    : misuse('header_unreadable', 'The first row cannot be read. Choose another delimiter or quote character.');

/** A quote without an end hides all rows after it, so the import cannot continue. */
const openQuote = (line: number): Error =>
  misuse(
    'open_quote',
    `The quote in line ${line} has no end within ${maxRowLength / 1024 / 1024} million characters. Fix the file, or choose another quote character.`,
  );

/** Unique names for the columns of a file. A column without a name gets one. */
const columnNames = (header: readonly string[]): string[] =>
  distinctNames(
    header.map((text, index) => (text.trim() === '' ? numberedName(index) : text.trim())),
    keyOf,
  );

const numberedName = (index: number): string => `column${index + 1}`;
