import { quoteIdentifier } from '../../../../sql/text/quoting.ts';
import type { ByteWriter } from './byteWriter.ts';
import type { RowFormat } from './format.ts';
import { writeLiteral } from './literals.ts';

/** INSERT statements with a number of rows each, as the service runs one statement at a time. */
export function insert(table: string, rowsPerStatement = 1): RowFormat {
  let begin = '';
  /** The rows of the statement that is not ended yet. */
  let rows = 0;
  const separator = rowsPerStatement === 1 ? ' ' : '\n';
  const endStatement = (writer: ByteWriter): void => {
    if (rows > 0) writer.text(';\n');
    rows = 0;
  };
  return {
    header(writer, { columns }) {
      endStatement(writer);
      const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
      begin = `INSERT INTO ${quoteIdentifier(table)} (${names}) VALUES${separator}(`;
    },
    row(writer, cells) {
      writer.text(rows === 0 ? begin : ',\n(');
      for (let at = 0; at < cells.count; at++) {
        if (at > 0) writer.text(', ');
        writeLiteral(writer, cells, at);
      }
      writer.byte(0x29);
      if (++rows === rowsPerStatement) endStatement(writer);
    },
    end: endStatement,
  };
}
