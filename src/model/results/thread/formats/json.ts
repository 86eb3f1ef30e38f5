import type { ByteWriter } from './byteWriter.ts';
import type { RowFormat } from './format.ts';
import type { RowCells } from './rowCells.ts';

/** An array of objects, one on each line. */
export function json(): RowFormat {
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
export function ndjson(): RowFormat {
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

/** Between the values of a row there may be line ends. A line of NDJSON must not have them. */
function hasLineEnd(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === 0x0a || bytes[at] === 0x0d) return true;
  return false;
}
