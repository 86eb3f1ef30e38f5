import type { EditValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded, sqlLiteral } from '../../sql/text/quoting.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import type { PendingRow } from './pendingEdits.ts';

/** A statement for one row, for people. The statement of a save means the same, for many rows that must be unchanged. */
export function plainStatement({ name, identity }: EditableTable, row: PendingRow): string {
  const table = quoteIdentifierIfNeeded(name);
  if (row.kind === 'insert') {
    if (row.values.length === 0) return `INSERT INTO ${table} DEFAULT VALUES`;
    const columns = row.values.map(({ column }) => quoteIdentifierIfNeeded(column));
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${row.values.map(({ value }) => literalOf(value)).join(', ')})`;
  }
  // No column of a key is NULL.
  const terms = identity.columns.map(({ name: column }, index) => equation(column, row.key[index]!));
  const where = `WHERE ${terms.join(' AND ')}`;
  if (row.kind === 'delete') return `DELETE FROM ${table} ${where}`;
  return `UPDATE ${table} SET ${row.cells.map(({ column, value }) => equation(column, value)).join(', ')} ${where}`;
}

const equation = (column: string, value: EditValue): string =>
  `${quoteIdentifierIfNeeded(column)} = ${literalOf(value)}`;

function literalOf(value: EditValue): string {
  if (value.kind === 'text') return sqlLiteral(value.text);
  if (value.kind === 'blob') return `x'${value.hex}'`;
  // Without a point, a whole REAL would be an INTEGER.
  if (value.kind === 'real') return sqlLiteral(Number(value.text)).replace(/^-?\d+$/, '$&.0');
  return value.kind === 'integer' ? value.text : 'NULL';
}
