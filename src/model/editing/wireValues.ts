import type { StoredValue } from '../../protocol/editValues.ts';
import type { SqlValue } from '../../wire/values.ts';

/** A value as the service sends it: a BLOB is base64, and a whole REAL looks like an integer. */
export function wireValueOf(value: StoredValue): SqlValue {
  switch (value.kind) {
    case 'null':
      return null;
    case 'integer': {
      const integer = BigInt(value.text);
      return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
    }
    case 'real':
      return Number(value.text);
    case 'text':
      return value.text;
    case 'blob':
      return Buffer.from(value.hex, 'hex').toString('base64');
  }
}
