import type { StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { joined, type FilterTerm } from '../browsing/filterTerms.ts';
import { type KeyValue, parameterOf } from '../browsing/orderKeys.ts';
import { parseExact } from '../../wire/exactJson.ts';
import { exactText, type SqlValue } from '../../wire/values.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { isTableRowId } from './rowIds.ts';

/** A term for the row with a key. */
export function keyTerm({ identity }: EditableTable, key: readonly StoredValue[]): FilterTerm {
  const terms = identity.columns.map(({ name }, index): FilterTerm => {
    const value = keyValueOf(key[index]!);
    const column = quoteIdentifierIfNeeded(name);
    if (value.kind === 'null') return { sql: `${column} IS NULL`, params: [] };
    const parameter = parameterOf(value);
    return { sql: `${column} = ${parameter.sql} COLLATE BINARY`, params: parameter.params };
  });
  return joined(terms, ' AND ');
}

/** A term for the row of the table with an id. A row without a key is found among the loaded ones only, and so is one with a BLOB. */
export function rowIdTerm(table: EditableTable, rowId: string): FilterTerm {
  if (table.identity.kind !== 'key' || !isTableRowId(rowId)) return { sql: 'FALSE', params: [] };
  return keyTerm(table, (parseExact(rowId) as readonly SqlValue[]).map(shownValueOf));
}

/** A value as the service sends it. Numbers are compared by their values, so a whole one may be a REAL. */
function shownValueOf(value: SqlValue): StoredValue {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'number' && !Number.isInteger(value)) return { kind: 'real', text: String(value) };
  return typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'integer', text: exactText(value) };
}

function keyValueOf(value: StoredValue): KeyValue {
  switch (value.kind) {
    case 'null':
      return value;
    case 'integer':
      return { kind: 'number', value: BigInt(value.text), isReal: false };
    case 'real':
      return { kind: 'number', value: Number(value.text), isReal: true };
    case 'text':
      return { kind: 'text', text: value.text };
    case 'blob':
      return { kind: 'blob', base64: Buffer.from(value.hex, 'hex').toString('base64') };
  }
}
