import { Distinct, hashOfBytes } from '../thread/distinct.ts';
import { ByteWriter } from './byteWriter.ts';
import type { RowFormat } from './format.ts';
import { writeLiteral } from './literals.ts';

/** What stands behind IN: the different values of the first column. NULL is left out, since it is in no list. */
export function inList(): RowFormat {
  const distinct = new Distinct();
  const one = new ByteWriter();
  let values = 0;
  return {
    begin: writer => writer.byte(0x28),
    row(writer, cells) {
      if (cells.count === 0 || cells.kind(0) === 'null') return;
      writeLiteral(one, cells, 0);
      const bytes = one.take();
      if (!distinct.add(hashOfBytes(bytes, 0, bytes.length, 0))) return;
      if (values++ > 0) writer.text(', ');
      writer.bytes(bytes);
    },
    end: writer => writer.byte(0x29),
  };
}
