import { misuse } from '../../../../base/errors.ts';
import { maxSheetColumns, maxSheetRows, maxSheetTextLength, sheetText } from '../../excelFile/sheetText.ts';
import { isInteger, numberAt } from '../jsonNumbers.ts';
import { ByteWriter } from './byteWriter.ts';
import type { FormatOptions, RowFormat } from './format.ts';
import { hexText } from './literals.ts';
import type { RowCells } from './rowCells.ts';

/** The widths of the columns follow from this many rows, which wait until then. */
const sampledRows = 100;
const maxWidth = 60;
/** Excel's own calendar is right from this day on. */
const firstDay = Date.UTC(1900, 2, 1);
/** The number of this day in Excel is 25569. */
const dayMs = 24 * 60 * 60 * 1000;
const epochDay = 25_569;

const head =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">';
const frozenRow =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** The parts of the XML that follow the address of a cell, but for its quotation mark. */
const begins = {
  number: '><v>',
  plainText: ' t="str"><v>',
  // Longer, but LibreOffice reads escapes only here.
  text: ' t="inlineStr"><is><t xml:space="preserve">',
  header: ' s="3" t="inlineStr"><is><t xml:space="preserve">',
  date: ' s="1"><v>',
  time: ' s="2"><v>',
  boolean: ' t="b"><v>',
} as const;
type Begin = keyof typeof begins;
const endCell = Buffer.from('</v></c>');
const endText = Buffer.from('</t></is></c>');
const [zero, one] = [Buffer.from('0'), Buffer.from('1')];

/**
 * The sheets of an Excel file as XML, each with the header. A byte 0 ends each sheet, and then a JSON text follows that has the
 * number of texts that were cut.
 */
export function sheets({ headers }: FormatOptions): RowFormat {
  const waiting = new ByteWriter();
  let names: readonly string[] = [];
  let addresses: readonly Buffer[] = [];
  /** The number of the row, and the part after it. */
  let rowBegins: Partial<Record<Begin, Buffer>> = {};
  let widths: number[] = [];
  let row = 0;
  let isOpen = false;
  let isWaiting = false;
  let cutTexts = 0;
  return {
    header(writer, { columns }) {
      names = columns.map(({ name }) => name);
      addresses = names.map((_, at) => Buffer.from(`<c r="${lettersOf(at)}`));
      if (names.length > maxSheetColumns) {
        throw misuse(
          'too_many_columns',
          `An Excel sheet has ${maxSheetColumns} columns at most, and there are ${names.length}.`,
        );
      }
      if (isOpen && row < maxSheetRows) writeHeader(writer);
    },
    row(writer, cells) {
      openSheet(writer);
      const target = beginRow(writer);
      for (let at = 0; at < cells.count; at++) writeCell(target, cells, at);
      endRow(writer, target);
    },
    end(writer) {
      openSheet(writer);
      closeSheet(writer);
      writer.text(JSON.stringify({ cutTexts }));
    },
  };

  function openSheet(writer: ByteWriter): void {
    if (isOpen && row === maxSheetRows) closeSheet(writer);
    if (isOpen) return;
    isOpen = true;
    isWaiting = true;
    row = 0;
    widths = [];
    writeHeader(writer);
  }

  function closeSheet(writer: ByteWriter): void {
    writeWaiting(writer);
    writer.text('</sheetData></worksheet>\0');
    isOpen = false;
  }

  function writeWaiting(writer: ByteWriter): void {
    if (!isWaiting) return;
    isWaiting = false;
    writer.text(`${head}${headers ? frozenRow : ''}`);
    const columns = widths.map(
      (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width + 2}" customWidth="1"/>`,
    );
    writer.text(`${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}<sheetData>`);
    writer.bytes(waiting.take());
  }

  function beginRow(writer: ByteWriter): ByteWriter {
    const target = isWaiting ? waiting : writer;
    row++;
    rowBegins = {};
    target.text(`<row r="${row}">`);
    return target;
  }

  function endRow(writer: ByteWriter, target: ByteWriter): void {
    target.text('</row>');
    if (row === sampledRows) writeWaiting(writer);
  }

  function writeHeader(writer: ByteWriter): void {
    if (!headers) return;
    const target = beginRow(writer);
    for (const [at, name] of names.entries()) writeText(target, at, name, 'header');
    endRow(writer, target);
  }

  function beginCell(target: ByteWriter, at: number, begin: Begin, length: number): void {
    if (isWaiting) widths[at] = Math.min(maxWidth, Math.max(widths[at] ?? 0, length));
    target.bytes(addresses[at]!);
    target.bytes((rowBegins[begin] ??= Buffer.from(`${row}"${begins[begin]}`)));
  }

  function writeText(target: ByteWriter, at: number, text: string, begin: Begin = 'text'): void {
    const isCut = text.length > maxSheetTextLength;
    if (isCut) cutTexts++;
    beginCell(target, at, begin, text.length);
    target.text(sheetText(isCut ? `${text.slice(0, maxSheetTextLength - 1)}…` : text));
    target.bytes(endText);
  }

  function copy(target: ByteWriter, at: number, begin: Begin, bytes: Buffer, from: number, to: number): void {
    beginCell(target, at, begin, to - from);
    target.bytes(bytes, from, to);
    target.bytes(endCell);
  }

  function writeCell(target: ByteWriter, cells: RowCells, at: number): void {
    const { bytes } = cells;
    const kind = cells.kind(at);
    const from = cells.from(at);
    const to = cells.to(at);
    if (kind === 'null') return;
    if (kind === 'number' && isExact(bytes, from, to)) copy(target, at, 'number', bytes, from, to);
    else if (kind === 'boolean') copy(target, at, 'boolean', bytes[from] === 0x74 ? one : zero, 0, 1);
    else if (kind === 'text') writeTextCell(target, cells, at);
    else writeText(target, at, cells.text(at));
  }

  function writeTextCell(target: ByteWriter, cells: RowCells, at: number): void {
    const { bytes } = cells;
    const from = cells.from(at) + 1;
    const to = cells.to(at) - 1;
    const blob = cells.blob(at);
    if (blob) return writeText(target, at, hexText(blob));
    if (!cells.isPlain(at) || !canBeCopied(bytes, from, to)) return writeText(target, at, cells.decoded(at));
    const date = dateIn(bytes, from, to);
    if (date === undefined) return copy(target, at, 'plainText', bytes, from, to);
    beginCell(target, at, to - from === 10 ? 'date' : 'time', to - from);
    target.text(String(date));
    target.bytes(endCell);
  }
}

/** The name of a column: A to Z, then AA and so on. */
function lettersOf(column: number): string {
  const letter = String.fromCodePoint(0x41 + (column % 26));
  return column < 26 ? letter : `${lettersOf(Math.floor(column / 26) - 1)}${letter}`;
}

/** A number that Excel keeps as it is. It has doubles only. */
function isExact(bytes: Buffer, from: number, to: number): boolean {
  if (to - from < 16 && isInteger(bytes, from, to)) return true;
  const number = numberAt(bytes, from, to);
  return isInteger(bytes, from, to) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/** Whether the bytes are the same in XML. A `_` may begin what Excel takes for an escape. */
function canBeCopied(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > maxSheetTextLength || bytes[from] === 0x20 || bytes[to - 1] === 0x20) return false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte === 0x26 || byte === 0x3c || byte === 0x3e || byte === 0x5f || byte === 0xef) return false;
  }
  return true;
}

const datePattern = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$/;

/** The number of a date of ISO 8601, as Excel counts days. Undefined for other texts. */
function dateIn(bytes: Buffer, from: number, to: number): number | undefined {
  const length = to - from;
  if ((length !== 10 && length !== 16 && length !== 19) || bytes[from + 4] !== 0x2d) return undefined;
  const text = bytes.toString('latin1', from, to);
  if (!datePattern.test(text)) return undefined;
  const iso = `${text.replace(' ', 'T')}${'2000-01-01T00:00:00'.slice(length)}`;
  const time = Date.parse(`${iso}Z`);
  // 30 February is no date.
  if (!(time >= firstDay) || new Date(time).toISOString() !== `${iso}.000Z`) return undefined;
  return epochDay + time / dayMs;
}
