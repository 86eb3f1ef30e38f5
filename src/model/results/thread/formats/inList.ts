import { Distinct, hashOfBytes } from '../distinct.ts';
import { ByteWriter } from './byteWriter.ts';
import type { RowFormat } from './format.ts';
import { writeLiteral } from './literals.ts';

/**
 * The list after IN: the distinct values of a column or of several, as in `(a, b) IN (VALUES (1, 2), (3, 4))`. Values with a
 * NULL are left out, because NULL equals nothing.
 */
export function inList(width: number): RowFormat {
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
