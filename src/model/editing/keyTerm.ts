import type { StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { joined, type FilterTerm } from '../browsing/filterTerms.ts';
import { type KeyValue, parameterOf } from '../browsing/orderKeys.ts';
import type { EditableTable } from './editableTable.ts';

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
