import type { ByteWriter } from './byteWriter.ts';
import type { FormatOptions, RowFormat } from './format.ts';
import type { RowCells } from './rowCells.ts';

export interface DelimitedOptions extends FormatOptions {
  readonly delimiter: ',' | '\t';
  readonly lineEnd: string;
  /** Whether a line end stands behind the last line as well. A clipboard does without. */
  readonly endsLines: boolean;
  /** Whether '' is written as "", so that it is told from NULL. */
  readonly marksEmpty: boolean;
}

/** What a spreadsheet takes for the beginning of a formula. */
const formula: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'));

/** CSV as in RFC 4180, and TSV as spreadsheets copy it: values with quotes, line ends or the delimiter are quoted. */
export function delimited(options: DelimitedOptions): RowFormat {
  const { delimiter, lineEnd, endsLines, marksEmpty, headers, guardFormulas, oneCell } = options;
  const delimiterByte = delimiter.charCodeAt(0);
  const special = delimiter === ',' ? /["\r\n,]/ : /["\r\n\t]/;
  let lines = 0;
  return {
    ...(headers ? { header } : {}),
    row(writer, cells) {
      begin(writer);
      for (let at = 0; at < cells.count; at++) {
        if (at > 0) writer.byte(delimiterByte);
        cell(writer, cells, at);
      }
    },
    end(writer) {
      if (endsLines && lines > 0) writer.text(lineEnd);
    },
  };

  function begin(writer: ByteWriter): void {
    if (lines++ > 0) writer.text(lineEnd);
  }

  function header(writer: ByteWriter, { columns }: RowCells): void {
    begin(writer);
    for (const [at, { name }] of columns.entries()) {
      if (at > 0) writer.byte(delimiterByte);
      text(writer, name);
    }
  }

  function cell(writer: ByteWriter, cells: RowCells, at: number): void {
    const kind = cells.kind(at);
    if (kind === 'null') return;
    if (kind === 'json') return text(writer, cells.text(at));
    const { bytes } = cells;
    const [from, to] = [cells.from(at), cells.to(at)];
    if (kind !== 'text') return writer.bytes(bytes, from, to);
    if (!cells.isPlain(at) || to - from === 2 || !isHarmless(bytes, from + 1, to - 1)) {
      return text(writer, cells.decoded(at));
    }
    writer.bytes(bytes, from + 1, to - 1);
  }

  /** Whether the bytes can be copied: no delimiter and no control character in them, and no formula where that counts. */
  function isHarmless(bytes: Uint8Array, from: number, to: number): boolean {
    if (guardFormulas && formula.has(bytes[from]!)) return false;
    for (let at = from; at < to; at++) if (bytes[at] === delimiterByte || bytes[at]! < 0x20) return false;
    return true;
  }

  function text(writer: ByteWriter, value: string): void {
    const guarded = guardFormulas && formula.has(value.charCodeAt(0)) ? `'${value}` : value;
    // One cell alone is most likely put into a text, where quotes would be in the way.
    const quoted = !oneCell && (special.test(guarded) || (marksEmpty && guarded === ''));
    writer.text(quoted ? `"${guarded.replaceAll('"', '""')}"` : guarded);
  }
}
