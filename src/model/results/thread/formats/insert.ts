import { quoteIdentifier } from '../../../../sql/text/quoting.ts';
import type { RowFormat } from './format.ts';
import { writeLiteral } from './literals.ts';

/** An INSERT statement for each row: the service runs one statement at a time. */
export function insert(table: string): RowFormat {
  let begin = '';
  return {
    header(_writer, { columns }) {
      const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
      begin = `INSERT INTO ${quoteIdentifier(table)} (${names}) VALUES (`;
    },
    row(writer, cells) {
      writer.text(begin);
      for (let at = 0; at < cells.count; at++) {
        if (at > 0) writer.text(', ');
        writeLiteral(writer, cells, at);
      }
      writer.text(');\n');
    },
  };
}
