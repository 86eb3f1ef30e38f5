import { foldAscii } from '../../base/foldAscii.ts';
import { isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import { isNumericText } from '../../sql/lints/affinity.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import type { EditableColumn, EditableTable, CollatedKeyColumn } from '../catalog/editableTable.ts';

/** The value that a column stores for a written one: SQLite converts numbers and texts by the affinity of the column. */
export function storedAs(
  { isStrict }: EditableTable,
  { affinity, type }: EditableColumn,
  value: StoredValue,
): StoredValue {
  if (value.kind === 'null' || value.kind === 'blob') return value;
  if (isStrict && isSameName(type, 'ANY')) return value;
  switch (affinity) {
    case 'blob':
      return value;
    case 'text':
      return value.kind === 'text' ? value : { kind: 'text', text: textOfNumber(value) };
    case 'real': {
      const number = numberOf(value);
      return number ? { kind: 'real', text: String(Number(number.text)) } : value;
    }
    case 'integer':
    case 'numeric':
      return wholeNumber(numberOf(value)) ?? value;
  }
}

type NumberValue = Extract<StoredValue, { kind: 'integer' | 'real' }>;

/** The number in a value. Undefined for a text that is not a number. */
function numberOf(value: Exclude<StoredValue, { kind: 'null' | 'blob' }>): NumberValue | undefined {
  if (value.kind !== 'text') return value;
  if (!isNumericText(value.text)) return undefined;
  const text = value.text.trim();
  const integer = /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
  return integer !== undefined && BigInt.asIntN(64, integer) === integer
    ? { kind: 'integer', text: String(integer) }
    : { kind: 'real', text: String(Number(text)) };
}

/** An integral REAL becomes an INTEGER where it fits. */
function wholeNumber(value: NumberValue | undefined): NumberValue | undefined {
  if (value?.kind !== 'real') return value;
  const number = Number(value.text);
  if (!Number.isInteger(number) || Math.abs(number) >= 2 ** 63) return value;
  return { kind: 'integer', text: String(BigInt(number)) };
}

function textOfNumber({ kind, text }: NumberValue): string {
  if (kind === 'integer') return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return number < 0 ? '-Inf' : 'Inf';
  return Number.isInteger(number) && Math.abs(number) < 1e15 ? number.toFixed(1) : String(number);
}

export function isStoredAs(table: EditableTable, name: string, given: StoredValue, present: StoredValue): boolean {
  const column = table.columns.find(other => isSameName(other.name, name));
  return isSameValue(given, present) || (column !== undefined && isSameValue(storedAs(table, column, given), present));
}

/** The same text for values that are equal to a unique key. Undefined if one is NULL or unknown: it equals no other. */
export function keyText(
  table: EditableTable,
  key: readonly CollatedKeyColumn[],
  valueOf: (column: string) => StoredValue | undefined,
): string | undefined {
  const parts = key.map(({ name, collation }) => {
    const column = table.columns.find(other => isSameName(other.name, name));
    const value = valueOf(name);
    if (value === undefined || value.kind === 'null') return undefined;
    return textOfPart(column ? storedAs(table, column, value) : value, collation);
  });
  return parts.every(part => part !== undefined) ? JSON.stringify(parts) : undefined;
}

function textOfPart(value: StoredValue, collation: string): string {
  switch (value.kind) {
    case 'null':
      return value.kind;
    case 'integer':
      return `number ${BigInt(value.text)}`;
    case 'real': {
      const number = Number(value.text);
      return `number ${Number.isInteger(number) ? BigInt(number) : number}`;
    }
    case 'text':
      return `text ${collated(value.text, collation)}`;
    case 'blob':
      return `blob ${value.hex}`;
  }
}

function collated(text: string, collation: string): string {
  switch (keyOf(collation)) {
    case 'nocase':
      return foldAscii(text);
    case 'rtrim':
      return text.replace(/ +$/, '');
    default:
      return text;
  }
}
