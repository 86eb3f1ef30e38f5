import type { TextRequest } from '../../rowQueries.ts';
import { ByteWriter } from './byteWriter.ts';
import { delimited } from './delimited.ts';
import { markdown } from './markdown.ts';
import type { RowCells } from './rowCells.ts';
import { Distinct, hashOfBytes } from '../distinct.ts';
import { writeLiteral } from './literals.ts';
import { sheets } from './sheets.ts';
import { quoteIdentifier } from '../../../../sql/text/quoting.ts';

/** Writes rows as text. The functions are called in this order. */
export interface RowFormat {
  begin?(writer: ByteWriter): void;
  /** Called before the rows of a range, if its columns differ from those of the range before. */
  header?(writer: ByteWriter, cells: RowCells): void;
  row(writer: ByteWriter, cells: RowCells): void;
  end?(writer: ByteWriter): void;
}

export interface FormatOptions extends Pick<
  TextRequest,
  'headers' | 'guardFormulas' | 'table' | 'nullText' | 'rowsPerInsert' | 'blobs'
> {
  readonly oneCell: boolean;
  readonly width: number;
  readonly delimiter?: string;
}

/** Formats that need one pass over the rows. */
export type LineFormat = Exclude<TextRequest['format'], 'parquet'>;

const formats: Readonly<Record<LineFormat, (options: FormatOptions) => RowFormat>> = {
  csv: options =>
    delimited({
      ...options,
      oneCell: false,
      delimiter: options.delimiter ?? ',',
      lineEnd: '\r\n',
      endsLines: true,
    }),
  tsv: options => delimited({ ...options, delimiter: '\t', lineEnd: '\n', endsLines: false }),
  json,
  ndjson,
  markdown,
  insert: options => insert(options.table, options.rowsPerInsert),
  inList: options => inList(options.width),
  xlsx: sheets,
};

/** Formats remember earlier rows, so each text needs a new one. */
export const formatOf = (format: LineFormat, options: FormatOptions): RowFormat => formats[format](options);

/** The list after IN: distinct values of columns, as `(VALUES (1, 2), (3, 4))`. NULL equals nothing and is left out. */
function inList(width: number): RowFormat {
  const distinct = new Distinct();
  const value = new ByteWriter();
  const columns = Array.from({ length: width }, (_, at) => at);
  const isList = width > 1;
  const begin = isList ? 'VALUES (' : '';
  const between = isList ? '), (' : ', ';
  const end = isList ? ')' : '';
  let rows = 0;
  return {
    begin: writer => writer.byte(0x28),
    row(writer, cells) {
      if (width === 0 || columns.some(at => cells.kind(at) === 'null')) return;
      for (const at of columns) {
        if (at > 0) value.text(', ');
        writeLiteral(value, cells, at);
      }
      const bytes = value.take();
      if (!distinct.add(hashOfBytes(bytes, 0, bytes.length, 0))) return;
      writer.text(rows++ === 0 ? begin : between);
      writer.bytes(bytes);
    },
    end: writer => writer.text(rows === 0 ? ')' : `${end})`),
  };
}

/** INSERT statements with a number of rows each, as the service runs one statement at a time. */
function insert(table: string, rowsPerStatement = 1): RowFormat {
  let begin = '';
  let rows = 0;
  const separator = rowsPerStatement === 1 ? ' ' : '\n';
  const endStatement = (writer: ByteWriter): void => {
    if (rows > 0) writer.text(';\n');
    rows = 0;
  };
  return {
    header(writer, { columns }) {
      endStatement(writer);
      const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
      begin = `INSERT INTO ${quoteIdentifier(table)} (${names}) VALUES${separator}(`;
    },
    row(writer, cells) {
      writer.text(rows === 0 ? begin : ',\n(');
      for (let at = 0; at < cells.count; at++) {
        if (at > 0) writer.text(', ');
        writeLiteral(writer, cells, at);
      }
      writer.byte(0x29);
      if (++rows === rowsPerStatement) endStatement(writer);
    },
    end: endStatement,
  };
}

/** An array of objects, one on each line. */
function json(): RowFormat {
  const write = objectWriter();
  let rows = 0;
  return {
    begin: writer => writer.text('['),
    row(writer, cells) {
      writer.text(rows++ > 0 ? ',\n' : '\n');
      write(writer, cells);
    },
    end: writer => writer.text(rows > 0 ? '\n]\n' : ']\n'),
  };
}

/** An object on each line, with nothing between them. */
function ndjson(): RowFormat {
  const write = objectWriter();
  return {
    row(writer, cells) {
      write(writer, cells);
      writer.byte(0x0a);
    },
  };
}

/** Copies whole rows as the service wrote them, or else their values. */
function objectWriter(): (writer: ByteWriter, cells: RowCells) => void {
  let keysFor: RowCells | undefined;
  let keys: readonly Buffer[] = [];
  return (writer, cells) => {
    const { bytes } = cells;
    if (cells.areWholeRows && !cells.isBroken && !hasLineEnd(bytes, cells.start, cells.past)) {
      return writer.bytes(bytes, cells.start, cells.past);
    }
    if (keysFor !== cells) {
      keys = cells.columns.map(({ name }, at) => Buffer.from(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`));
      keysFor = cells;
    }
    writer.byte(0x7b);
    for (let at = 0; at < cells.count; at++) {
      writer.bytes(keys[at]!);
      writeValue(writer, cells, at);
    }
    writer.byte(0x7d);
  };
}

function writeValue(writer: ByteWriter, cells: RowCells, at: number): void {
  const kind = cells.kind(at);
  if (kind === 'null') writer.text('null');
  else if (cells.isBrokenRow(at)) writer.text(JSON.stringify(cells.text(at)));
  // A large value is written as it arrived. Its line ends can only be between its tokens.
  else if (kind === 'json') writer.text(cells.text(at).replaceAll(/[\r\n]/g, ' '));
  else writer.bytes(cells.bytes, cells.from(at), cells.to(at));
}

/** A row may have line ends between its values. NDJSON must not have them. */
function hasLineEnd(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === 0x0a || bytes[at] === 0x0d) return true;
  return false;
}
