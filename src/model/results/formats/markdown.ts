import type { ByteWriter } from './byteWriter.ts';
import type { RowFormat } from './format.ts';
import type { RowCells } from './rowCells.ts';

/** Bytes of what may have to be escaped. */
const suspect: ReadonlySet<number> = new Set(Buffer.from('\\|<`*_[~&'));
/** An underscore within a word is no markup, and an ampersand is only where it begins the name of a character. */
const markup = /[\\|<`*[~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** A table of GitHub's Markdown. What would end a cell or begin markup is escaped, since a value is text. */
export function markdown(): RowFormat {
  let tables = 0;
  return {
    header(writer, { columns }) {
      if (tables++ > 0) writer.text('\n');
      writer.text(`| ${columns.map(({ name }) => escaped(name)).join(' | ')} |\n`);
      writer.text(`|${columns.map(() => ' --- ').join('|')}|\n`);
    },
    row(writer, cells) {
      for (let at = 0; at < cells.count; at++) {
        writer.text('| ');
        cell(writer, cells, at);
        writer.byte(0x20);
      }
      writer.text('|\n');
    },
  };
}

function cell(writer: ByteWriter, cells: RowCells, at: number): void {
  const kind = cells.kind(at);
  if (kind === 'null') return writer.text('NULL');
  if (kind === 'text' && !isHarmless(cells, at)) return writer.text(escaped(cells.text(at)));
  if (kind === 'json') return writer.text(escaped(cells.text(at)));
  const inside = kind === 'text' ? 1 : 0;
  writer.bytes(cells.bytes, cells.from(at) + inside, cells.to(at) - inside);
}

/** Whether the bytes of a text can be copied. */
function isHarmless(cells: RowCells, at: number): boolean {
  if (!cells.isPlain(at)) return false;
  const { bytes } = cells;
  for (let place = cells.from(at), end = cells.to(at); place < end; place++) {
    if (bytes[place]! < 0x20 || suspect.has(bytes[place]!)) return false;
  }
  return true;
}

function escaped(text: string): string {
  return text.replaceAll(markup, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, '<br>');
}
