import { Distinct, hashOfBytes } from '../thread/distinct.ts';
import { ByteWriter } from './byteWriter.ts';
import type { RowFormat } from './format.ts';
import { writeLiteral } from './literals.ts';

/**
 * What stands behind IN: the different values of a column, or of several, as in `(a, b) IN (VALUES (1, 2), (3, 4))`. What
 * has a NULL is left out, since it is in no list.
 */
export function inList(width: number): RowFormat {
  const distinct = new Distinct();
  const one = new ByteWriter();
  const places = Array.from({ length: width }, (_, at) => at);
  const [begin, between, end] = width > 1 ? ['VALUES (', '), (', ')'] : ['', ', ', ''];
  let rows = 0;
  return {
    begin: writer => writer.byte(0x28),
    row(writer, cells) {
      if (width === 0 || places.some(at => cells.kind(at) === 'null')) return;
      for (const at of places) {
        if (at > 0) one.text(', ');
        writeLiteral(one, cells, at);
      }
      const bytes = one.take();
      if (!distinct.add(hashOfBytes(bytes, 0, bytes.length, 0))) return;
      writer.text(rows++ === 0 ? begin : between);
      writer.bytes(bytes);
    },
    end: writer => writer.text(rows === 0 ? ')' : `${end})`),
  };
}
