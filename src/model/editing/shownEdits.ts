import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { cutToShow, type ShownValue, type SqlValue, type TaggedValue } from '../../wire/values.ts';

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

/** A pending value for the grid. */
export function shownEdit(value: EditValue, maxLength: number): ShownValue {
  return cutToShow(taggedEdit(value), maxLength);
}

function taggedEdit(value: EditValue): TaggedValue {
  switch (value.kind) {
    case 'null':
    case 'default':
      return { kind: 'null' };
    case 'blob':
      return { kind: 'text', text: Buffer.from(value.hex, 'hex').toString('base64') };
    case 'integer':
    case 'real':
    case 'text':
      return { kind: value.kind, text: value.text };
  }
}
