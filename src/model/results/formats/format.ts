import type { TextRequest } from '../rowQueries.ts';
import type { ByteWriter } from './byteWriter.ts';
import { delimited } from './delimited.ts';
import { inList } from './inList.ts';
import { insert } from './insert.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import type { RowCells } from './rowCells.ts';

/** How rows become text. Each of the functions is called in this order. */
export interface RowFormat {
  begin?(writer: ByteWriter): void;
  /** Called before the rows of a range whose columns are others than those before. */
  header?(writer: ByteWriter, cells: RowCells): void;
  row(writer: ByteWriter, cells: RowCells): void;
  end?(writer: ByteWriter): void;
}

export interface FormatOptions extends Pick<TextRequest, 'headers' | 'guardFormulas' | 'table'> {
  /** Whether a single cell is all that is written. */
  readonly oneCell: boolean;
  /** How many columns there are, in the narrowest of the ranges. */
  readonly width: number;
}

/** A format keeps what it knows of the rows before, so each text takes a new one. */
export function formatOf(format: TextRequest['format'], options: FormatOptions): RowFormat {
  switch (format) {
    case 'csv':
      return delimited({
        ...options,
        oneCell: false,
        delimiter: ',',
        lineEnd: '\r\n',
        endsLines: true,
        marksEmpty: true,
      });
    case 'tsv':
      return delimited({ ...options, delimiter: '\t', lineEnd: '\n', endsLines: false, marksEmpty: false });
    case 'json':
      return json();
    case 'ndjson':
      return ndjson();
    case 'markdown':
      return markdown();
    case 'insert':
      return insert(options.table);
    case 'inList':
      return inList(options.width);
  }
}
