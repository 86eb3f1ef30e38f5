import type { RowFormat } from './format.ts';

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
        writer.text(cells.kind(at) === 'null' ? 'NULL' : escaped(cells.text(at)));
        writer.text(' ');
      }
      writer.text('|\n');
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\|<]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, '<br>');
}
