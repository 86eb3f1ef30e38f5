import { sqlLiteral } from '../../../../sql/text/quoting.ts';
import { isBlobType } from '../../../../wire/values.ts';
import type { ByteWriter } from './byteWriter.ts';
import type { RowCells } from './rowCells.ts';

const quote = 0x27;
const base64 = /^[A-Za-z\d+/]*={0,2}$/;

/** The bytes of a BLOB, which is base64 in rows. Undefined for a text that is not base64. */
export function blobBytes(text: string): Buffer | undefined {
  return text.length % 4 === 0 && base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The spelling of a BLOB in filters. A text that is not base64 stays. */
export function blobFilterText(text: string): string {
  const bytes = blobBytes(text);
  return bytes ? `x'${bytes.toString('hex')}'` : text;
}

/** A BLOB in a text that has no literal for one. A spreadsheet reads it as a text. */
export const hexText = (blob: Buffer): string => `0x${blob.toString('hex').toUpperCase()}`;

/** Writes a cell as an SQL literal. Numbers are copied, so that none is rounded. */
export function writeLiteral(writer: ByteWriter, cells: RowCells, at: number): void {
  const { bytes } = cells;
  const from = cells.from(at);
  const to = cells.to(at);
  switch (cells.kind(at)) {
    case 'null':
      return writer.text('NULL');
    case 'boolean':
      return writer.text(sqlLiteral(bytes[from] === 0x74));
    case 'number':
      return writer.bytes(bytes, from, to);
    case 'json':
      return writer.text(sqlLiteral(cells.text(at)));
    case 'text': {
      const blob = isBlobType(cells.columns[at]?.type ?? '') ? blobBytes(cells.decoded(at)) : undefined;
      if (blob) return writer.text(`x'${blob.toString('hex')}'`);
      if (!cells.isPlain(at)) return writer.text(sqlLiteral(cells.decoded(at)));
      writer.byte(quote);
      writer.doubling(quote, bytes, from + 1, to - 1);
      return writer.byte(quote);
    }
  }
}
