import type { TextRequest } from '../../rowQueries.ts';
import type { ByteWriter } from './byteWriter.ts';
import { delimited } from './delimited.ts';
import { inList } from './inList.ts';
import { insert } from './insert.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import type { RowCells } from './rowCells.ts';

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
  /** Whether only a single cell is written. */
  readonly oneCell: boolean;
  /** The number of columns in the narrowest range. */
  readonly width: number;
  /** The delimiter of CSV, one character; a comma unless set. */
  readonly delimiter?: string;
}

/** Formats remember earlier rows, so each text needs a new one. */
export function formatOf(format: TextRequest['format'], options: FormatOptions): RowFormat {
  switch (format) {
    case 'csv':
      return delimited({
        ...options,
        oneCell: false,
        delimiter: options.delimiter ?? ',',
        lineEnd: '\r\n',
        endsLines: true,
        marksEmpty: true,
      });
    case 'tsv':
      return delimited({ ...options, delimiter: '\t', lineEnd: '\n', endsLines: false, marksEmpty: true });
    case 'json':
      return json();
    case 'ndjson':
      return ndjson();
    case 'markdown':
      return markdown(options);
    case 'insert':
      return insert(options.table, options.rowsPerInsert);
    case 'inList':
      return inList(options.width);
  }
}
