import type { ByteWriter } from './byteWriter.ts';
import type { FormatOptions, RowFormat } from './format.ts';
import { hexText } from './literals.ts';
import type { RowCells } from './rowCells.ts';

const suspectBytes: ReadonlySet<number> = new Set(Buffer.from('\\|<`*_[~&'));
/** An underscore inside of a word is not markup, and an ampersand only if it begins the name of a character. */
const markup = /[\\|<`*[~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** A table of GitHub's Markdown. Characters that would end a cell or begin markup are escaped. */
export function markdown({ blobs = 'hex' }: Pick<FormatOptions, 'blobs'>): RowFormat {
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
        const blob = blobs === 'hex' ? cells.blob(at) : undefined;
        if (blob) writer.text(hexText(blob));
        else cell(writer, cells, at);
        writer.byte(0x20);
      }
      writer.text('|\n');
    },
  };
}

function cell(writer: ByteWriter, cells: RowCells, at: number): void {
  const kind = cells.kind(at);
  if (kind === 'null') return writer.text('NULL');
  if (kind === 'text' && !canBeCopied(cells, at)) return writer.text(escaped(cells.text(at)));
  if (kind === 'json') return writer.text(escaped(cells.text(at)));
  const quoteBytes = kind === 'text' ? 1 : 0;
  writer.bytes(cells.bytes, cells.from(at) + quoteBytes, cells.to(at) - quoteBytes);
}

function canBeCopied(cells: RowCells, at: number): boolean {
  if (!cells.isPlain(at)) return false;
  const { bytes } = cells;
  const end = cells.to(at);
  for (let place = cells.from(at); place < end; place++) {
    if (bytes[place]! < 0x20 || suspectBytes.has(bytes[place]!)) return false;
  }
  return true;
}

/** A long text is escaped in parts: replacing millions of places at once takes many times the memory of the text. */
const partLength = 64 * 1024;
/** A text may be split after the first of these characters: no escape depends on both sides. */
const separable = /[^\w#&\r][^_]/g;

function escaped(text: string): string {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const past = endOfPart(text, from);
    const part = text.slice(from, past);
    parts.push(part.replaceAll(markup, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, '<br>'));
    from = past;
  }
  return parts.join('');
}

function endOfPart(text: string, from: number): number {
  separable.lastIndex = from + partLength;
  const found = separable.exec(text.slice(0, from + 2 * partLength));
  return found ? found.index + 1 : Math.min(text.length, from + 2 * partLength);
}
