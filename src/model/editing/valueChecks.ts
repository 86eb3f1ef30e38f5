import type { EditValue } from '../../protocol/editValues.ts';
import type { EditableColumn, EditableTable } from '../catalog/editableTable.ts';

/** Why a column cannot have a value. SQLite checks the rest when the edits are saved. */
export type ValueFault = 'generated' | 'notNull' | 'notInteger' | 'notReal' | 'notText' | 'notBlob' | 'noDefault';

/** Finds a value that SQLite would certainly refuse. */
export function faultOfValue(
  { isStrict, rowIdColumn }: EditableTable,
  column: EditableColumn,
  value: EditValue,
): ValueFault | undefined {
  if (column.isGenerated) return 'generated';
  const isNumbered = column.name === rowIdColumn;
  switch (value.kind) {
    case 'default':
      return column.notNull && column.defaultValue === null && !isNumbered ? 'noDefault' : undefined;
    case 'null':
      return column.notNull || isNumbered ? 'notNull' : undefined;
    default:
      break;
  }
  if (isNumbered) return value.kind === 'integer' ? undefined : 'notInteger';
  return isStrict ? strictFault(column.type.toUpperCase(), value.kind) : undefined;
}

/** The types of a STRICT table: https://sqlite.org/stricttables.html */
function strictFault(type: string, kind: 'integer' | 'real' | 'text' | 'blob'): ValueFault | undefined {
  switch (type) {
    case 'INT':
    case 'INTEGER':
      return kind === 'integer' ? undefined : 'notInteger';
    case 'REAL':
      return kind === 'integer' || kind === 'real' ? undefined : 'notReal';
    case 'TEXT':
      return kind === 'blob' ? 'notText' : undefined;
    case 'BLOB':
      return kind === 'blob' ? undefined : 'notBlob';
    default:
      return undefined;
  }
}
