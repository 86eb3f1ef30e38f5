import type { SQLOutputValue } from 'node:sqlite';
import { exactNumbers, isLargeReal } from '../../../../wire/values.ts';

const unusualKey = /^(?:\d+|__proto__)$/;

/** Writes rows of values as JSON objects separated by commas. */
export function rowWriter(names: readonly string[]): (rows: readonly SQLOutputValue[][]) => string {
  // JavaScript moves keys that look like array indices to the front, and an assignment to __proto__ makes no key.
  if (names.some(name => unusualKey.test(name))) {
    const keys = names.map(name => `${JSON.stringify(name)}:`);
    return rows =>
      rows.map(row => `{${row.map((v, i) => keys[i] + JSON.stringify(toJson(v), exactNumbers)).join(',')}}`).join(',');
  }
  return rows => {
    let isExact = true;
    const objects = rows.map(row => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) {
        const value = toJson(row[i] as SQLOutputValue);
        isExact &&= typeof value !== 'bigint' && !isUnusual(value);
        object[names[i] as string] = value;
      }
      return object;
    });
    // A replacer halves the speed, so only values that are not exact as doubles get one.
    return JSON.stringify(objects, isExact ? undefined : exactNumbers).slice(1, -1);
  };
}

/** Numbers that JSON.stringify would not write exactly. */
const isUnusual = (value: unknown): boolean =>
  value === Infinity || value === -Infinity || Object.is(value, -0) || isLargeReal(value);

function toJson(value: SQLOutputValue): unknown {
  if (typeof value === 'bigint') {
    const double = Number(value);
    return Number.isSafeInteger(double) ? double : value;
  }
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value;
}

/** The characters and bytes of a row's texts and BLOBs. */
export function lengthOf(row: readonly SQLOutputValue[]): number {
  let length = 0;
  for (const value of row) {
    if (typeof value === 'string') length += value.length;
    else if (value instanceof Uint8Array) length += value.byteLength;
  }
  return length;
}

/** Gives columns without a declared type that of their first value. */
export function noteTypes(types: (string | null)[], rows: readonly SQLOutputValue[][]): void {
  for (let i = 0; i < types.length; i++) {
    if (types[i] !== null) continue;
    const value = rows.find(row => row[i] !== null)?.[i];
    types[i] = value === undefined || value === null ? null : storageClass(value);
  }
}

function storageClass(value: string | number | bigint | Uint8Array): string {
  if (typeof value === 'string') return 'TEXT';
  if (typeof value === 'bigint') return 'INTEGER';
  return typeof value === 'number' ? 'REAL' : 'BLOB';
}
