import type { ByteWriter } from './byteWriter.ts';
import type { FormatOptions, RowFormat } from './format.ts';
import { hexText } from './literals.ts';
import type { RowCells } from './rowCells.ts';

interface DelimitedOptions extends Omit<FormatOptions, 'delimiter'> {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Whether the last line ends with a line end too. On the clipboard it does not. */
  readonly endsLines: boolean;
}

/** Characters with which a formula begins in a spreadsheet. */
const formulaStarts: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'));

/** Characters of numbers, booleans and BLOBs. */
const characterOfValues = /[\w+.-]/;
/** Besides the delimiter, these characters make a value need quotes. */
const special = /["\r\n]/;

/** CSV as in RFC 4180, or TSV as spreadsheets copy it. Values with quotes, line ends or the delimiter are quoted. */
export function delimited(options: DelimitedOptions): RowFormat {
  const { delimiter, lineEnd, endsLines, headers, guardFormulas, oneCell, nullText = '', blobs = 'hex' } = options;
  // Unless NULL has a text of its own, '' is written as "", so that it differs from NULL.
  const marksEmpty = nullText === '';
  const delimiterBytes = Buffer.from(delimiter);
  const delimiterByte = delimiterBytes[0]!;
  const isInValues = characterOfValues.test(delimiter);
  let lines = 0;
  let isLastEmpty = false;
  return {
    ...(headers ? { header } : {}),
    row(writer, cells) {
      beginLine(writer);
      isLastEmpty = cells.count === 1 && nullText === '' && cells.kind(0) === 'null';
      for (let at = 0; at < cells.count; at++) {
        if (at > 0) writer.bytes(delimiterBytes);
        cell(writer, cells, at);
      }
    },
    end(writer) {
      // Without its line end, a last line of NULL would be lost.
      if (endsLines ? lines > 0 : lines > 1 && isLastEmpty) writer.text(lineEnd);
    },
  };

  function beginLine(writer: ByteWriter): void {
    if (lines++ > 0) writer.text(lineEnd);
  }

  function header(writer: ByteWriter, { columns }: RowCells): void {
    beginLine(writer);
    for (const [at, { name }] of columns.entries()) {
      if (at > 0) writer.bytes(delimiterBytes);
      text(writer, name);
    }
  }

  function cell(writer: ByteWriter, cells: RowCells, at: number): void {
    const kind = cells.kind(at);
    if (kind === 'null') return writer.text(nullText);
    if (kind === 'json') return text(writer, cells.text(at));
    const { bytes } = cells;
    const from = cells.from(at);
    const to = cells.to(at);
    if (kind !== 'text') return isInValues ? quotable(writer, cells.text(at)) : writer.bytes(bytes, from, to);
    const blob = blobs === 'hex' ? cells.blob(at) : undefined;
    if (blob) return quotable(writer, hexText(blob));
    // `text` quotes a text that equals `nullText`.
    if (nullText !== '' || !cells.isPlain(at) || to - from === 2 || !canBeCopied(bytes, from + 1, to - 1)) {
      return text(writer, cells.decoded(at));
    }
    writer.bytes(bytes, from + 1, to - 1);
  }

  /** Whether the bytes need no quotes: they have no delimiter and no control character, and are no formula to guard. */
  function canBeCopied(bytes: Uint8Array, from: number, to: number): boolean {
    if (guardFormulas && formulaStarts.has(bytes[from]!)) return false;
    for (let at = from; at < to; at++) if (bytes[at] === delimiterByte || bytes[at]! < 0x20) return false;
    return true;
  }

  function text(writer: ByteWriter, value: string): void {
    const guarded = guardFormulas && formulaStarts.has(value.charCodeAt(0)) ? `'${value}` : value;
    quotable(writer, guarded, (marksEmpty && guarded === '') || (nullText !== '' && value === nullText));
  }

  /** Writes a value in quotes if it has a special character, or if it `needsQuotes` for another reason. */
  function quotable(writer: ByteWriter, value: string, needsQuotes = false): void {
    // A single cell is most likely pasted into a text, where quotes would disturb.
    const isQuoted = !oneCell && (needsQuotes || value.includes(delimiter) || special.test(value));
    writer.text(isQuoted ? `"${value.replaceAll('"', '""')}"` : value);
  }
}
