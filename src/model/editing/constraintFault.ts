import type { EditableTable } from '../catalog/editableTable.ts';

/** The constraint that a statement of a save has broken, as SQLite's message names it. */
type ConstraintFault =
  | { readonly kind: 'notNull'; readonly column: string }
  | { readonly kind: 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'check'; readonly name: string }
  | { readonly kind: 'foreignKey' }
  | { readonly kind: 'wrongType'; readonly column: string; readonly stored: string; readonly declared: string };

/** Undefined for other messages, and for constraints of other tables, which triggers write. */
export function constraintFaultOf(table: EditableTable, message: string): ConstraintFault | undefined {
  const check = /\bCHECK constraint failed: (.+)$/s.exec(message);
  if (check) return { kind: 'check', name: check[1]!.trim() };
  if (/\bFOREIGN KEY constraint failed/.test(message)) return { kind: 'foreignKey' };
  const notNull = /\bNOT NULL constraint failed: (.+)$/s.exec(message);
  if (notNull) {
    const column = columnNamed(table, notNull[1]!);
    return column === undefined ? undefined : { kind: 'notNull', column };
  }
  const unique = /\bUNIQUE constraint failed: (.+)$/s.exec(message);
  if (unique) return uniqueFault(table, unique[1]!.trim());
  const type = /\bcannot store (\w+) value in (\w+) column (.+)$/s.exec(message);
  if (type) {
    const column = columnNamed(table, type[3]!);
    return column === undefined ? undefined : { kind: 'wrongType', column, stored: type[1]!, declared: type[2]! };
  }
  const { rowIdColumn } = table;
  if (/\bdatatype mismatch/.test(message) && rowIdColumn !== undefined) {
    return { kind: 'wrongType', column: rowIdColumn, stored: '', declared: 'INTEGER' };
  }
  return undefined;
}

/** A column of the table in a text such as `pets.name`. Names may have points and blanks. */
function columnNamed({ name, columns }: EditableTable, text: string): string | undefined {
  return columns.find(column => text.trim() === `${name}.${column.name}`)?.name;
}

function uniqueFault(table: EditableTable, text: string): ConstraintFault | undefined {
  const spelled = (columns: readonly string[]): string => columns.map(column => `${table.name}.${column}`).join(', ');
  const keys = table.uniqueKeys.map(key => key.map(({ name }) => name));
  const key = keys.find(columns => spelled(columns) === text);
  if (key) return { kind: 'unique', columns: key };
  // A partial index is not among the keys, which distinguish all rows.
  const columns = table.columns
    .map(({ name }) => name)
    .filter(name => `, ${text}, `.includes(`, ${spelled([name])}, `));
  return columns.length > 0 && spelled(columns).length === text.length ? { kind: 'unique', columns } : undefined;
}
