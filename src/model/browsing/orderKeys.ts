import { isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import { type Column, isBlobType, type Row } from '../../wire/values.ts';
import { typedNumber } from '../results/typedValues.ts';
import { isTextType } from './filterTerms.ts';
import { valueIn } from './findInRows.ts';
import type { OrderColumn } from './tableStatements.ts';

/** A column of the order, as far as its values are read and compared. */
export interface KeyColumn extends OrderColumn {
  /** The declared type. Undefined for the row id, which no row has among its columns. */
  readonly type: string | undefined;
}

/** The place of a row in the order: its values in the key columns. */
export type OrderKey = readonly StoredValue[];

const maxTextLength = 1000;

/** The key columns of an order. A column of the order that the table does not show is the row id. */
export function keyColumnsOf(order: readonly OrderColumn[], columns: readonly Column[]): KeyColumn[] {
  return order.map(key => ({ ...key, type: columns.find(({ name }) => name === key.name)?.type }));
}

/**
 * Reads the key of a row. `classes` is a list separated by blanks: for each key column its storage class, and for the row id
 * the row id itself. Undefined if the answer may lack the exact value, as for a text that is not valid UTF-8.
 */
export function orderKeyIn(row: Row, classes: unknown, columns: readonly KeyColumn[]): OrderKey | undefined {
  if (typeof classes !== 'string') return undefined;
  const names = classes.split(' ');
  const values = columns.map(({ name, type }, nth) =>
    type === undefined ? rowIdValue(names[nth] ?? '') : keyValue(valueIn(row, name), names[nth], type),
  );
  return values.every(value => value !== undefined) ? values : undefined;
}

const rowIdValue = (digits: string): StoredValue | undefined =>
  /^-?\d{1,19}$/.test(digits) ? { kind: 'integer', text: digits } : undefined;

function keyValue(
  value: Row[string] | undefined,
  storageClass: string | undefined,
  type: string,
): StoredValue | undefined {
  switch (storageClass) {
    case 'null':
      return value === null ? { kind: 'null' } : undefined;
    case 'integer':
      return isInteger(value) ? { kind: 'integer', text: String(value) } : undefined;
    case 'real':
      return typeof value === 'number' ? { kind: 'real', text: String(value) } : undefined;
    case 'text':
      return typeof value === 'string' && isExactText(value, type) ? { kind: 'text', text: value } : undefined;
    case 'blob':
      return typeof value === 'string' && isBase64(value)
        ? { kind: 'blob', hex: Buffer.from(value, 'base64').toString('hex') }
        : undefined;
    default:
      return undefined;
  }
}

const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

/** Whether a parameter can equal the text. A numeric column makes it a number, and U+FFFD may stand for invalid bytes. */
function isExactText(text: string, type: string): boolean {
  if (text.length > maxTextLength || text.includes('\uFFFD') || !text.isWellFormed()) return false;
  const keepsTexts = type === '' || isTextType(type) || isBlobType(type);
  return keepsTexts || typedNumber(text) === undefined;
}

const isBase64 = (text: string): boolean =>
  text.length <= maxTextLength && Buffer.from(text, 'base64').toString('base64') === text;

const loose = new Intl.Collator('en', { sensitivity: 'base' });

/** Whether the values of two rows may be equal to SQLite. Its collations can ignore case and blanks at the end. */
function mayBeEqual(one: StoredValue, other: StoredValue): boolean {
  if (isNumber(one) && isNumber(other)) {
    // JavaScript compares integers and doubles by their exact values, as SQLite does.
    return !(numberOf(one) < numberOf(other)) && !(numberOf(one) > numberOf(other));
  }
  if (one.kind === 'text' && other.kind === 'text')
    return loose.compare(one.text.trimEnd(), other.text.trimEnd()) === 0;
  return isSameValue(one, other);
}

type NumberValue = Extract<StoredValue, { readonly kind: 'integer' | 'real' }>;

const isNumber = (value: StoredValue): value is NumberValue => value.kind === 'integer' || value.kind === 'real';

const numberOf = ({ kind, text }: NumberValue): number | bigint => (kind === 'integer' ? BigInt(text) : Number(text));

export const mayBeTied = (one: OrderKey, other: OrderKey, count = one.length): boolean =>
  one.slice(0, count).every((value, nth) => mayBeEqual(value, other[nth]!));
