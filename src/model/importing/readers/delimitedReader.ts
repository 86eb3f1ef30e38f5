import { distinctNames } from '../../../base/distinctNames.ts';
import { misuse } from '../../../base/errors.ts';
import { keyOf } from '../../../sql/text/names.ts';
import type { SourceOptions } from '../importOptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import {
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
export async function openDelimitedReader(file: SourceFile, options: DelimitedFileOptions): Promise<SourceReader> {
  const begin = { ...firstPlace, bytes: await markLength(file, options.encoding) };
  const readerOf = (columns: readonly string[], start = begin): SourceReader => ({
    columns,
    blocks: from => blocksOf(file, options, from.bytes === 0 ? start : from, columns.length),
  });
  for await (const block of blocksOf(file, { ...options, nullText: null }, begin)) {
    const first = block.rows[0]!;
    if (first.fault) throw headerFault(first.fault);
    const names = first.cells as readonly string[];
    if (!options.hasHeader) return readerOf(names.map((_, nth) => numberedName(nth)));
    return readerOf(columnNames(names), { ...block.placeAfter(0), rows: 0 });
  }
  return readerOf([]);
}

/** Without `fieldCount`, a row may have any number of values. */
async function* blocksOf(
  file: SourceFile,
  options: DelimitedFileOptions,
  from: Place,
  fieldCount?: number,
): AsyncGenerator<TextBlock> {
  const { encoding, delimiter, quote } = options;
  let base = from;
  let text = '';
  /** The number of line ends in the dropped text of a row that is too long. A stand-in replaces it until the row ends. */
  let droppedLines: number | undefined;
  for await (const part of textParts(file, encoding, base.bytes)) {
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
      } else if (!isBlankRow(row) || fieldCount === 1) {
        const fault = faultOf(row, isWellFormed || text.slice(at, row.end).isWellFormed(), fieldCount);
        if (fault) block.addFault(fault, line, at, row.end, nextLine);
        else block.add(sourceRow(row, line, isPlain, options), at, row.end, nextLine);
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

function faultOf({ fault, cells }: ScannedRow, isWellFormed: boolean, expected = cells.length): RowFault | undefined {
  if (fault) return fault;
  if (!isWellFormed) return { kind: 'encoding' };
  return cells.length === expected ? undefined : { kind: 'fieldCount', found: cells.length, expected };
}

function sourceRow(
  row: ScannedRow,
  line: number,
  isPlainText: boolean,
  { delimiter, nullText }: DelimitedFileOptions,
): SourceRow {
  const { quoted } = row;
  const hasNull = nullText !== null && row.cells.includes(nullText);
  const cells = hasNull
    ? row.cells.map((cell, nth) => (cell === nullText && !quoted?.has(nth) ? null : cell))
    : row.cells;
  // A quoted value may have line ends, and tabs in a file with tabs between its values.
  const isPlain = isPlainText && !hasNull && row.lines === 1 && (delimiter !== '\t' || !quoted);
  return { line, cells, isPlain };
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
