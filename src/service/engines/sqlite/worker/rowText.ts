import type { SQLOutputValue } from 'node:sqlite';
import type { Column } from '../../../../wire/values.ts';
import { exactNumbers, isLargeReal } from '../../../../wire/values.ts';

/** Column names as keys of one object: the second and later of a name are told apart as SQLite does it. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    let distinct = name;
    for (let n = 1; taken.has(distinct); n++) distinct = `${name}:${n}`;
    taken.add(distinct);
    return distinct;
  });
}

const reordered = /^(?:\d+|__proto__)$/;

/** Writes rows of values as JSON objects separated by commas. */
export function rowWriter(names: readonly string[]): (rows: readonly SQLOutputValue[][]) => string {
  // JavaScript moves keys that look like array indices to the front, and __proto__ is no key at all in an assignment.
  if (names.some(name => reordered.test(name))) {
    const keys = names.map(name => `${JSON.stringify(name)}:`);
    return rows =>
      rows.map(row => `{${row.map((v, i) => keys[i] + JSON.stringify(toJson(v), exactNumbers)).join(',')}}`).join(',');
  }
  return rows => {
    let exact = true;
    const objects = rows.map(row => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) {
        const value = toJson(row[i] as SQLOutputValue);
        exact &&= typeof value !== 'bigint' && !isUnusual(value);
        object[names[i] as string] = value;
      }
      return object;
    });
    // A replacer costs half the speed, so it is used only where a double would not do.
    return JSON.stringify(objects, exact ? undefined : exactNumbers).slice(1, -1);
  };
}

/** Numbers that JSON.stringify would write as something else. */
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

/** The characters and bytes of a row's long values. */
export function lengthOf(row: readonly SQLOutputValue[]): number {
  let length = 0;
  for (const value of row) {
    if (typeof value === 'string') length += value.length;
    else if (value instanceof Uint8Array) length += value.byteLength;
  }
  return length;
}

/** Fills in the type of columns that declare none, from the first value that has one. */
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

export function columnsOf(names: readonly string[], types: readonly (string | null)[]): Column[] {
  return names.map((name, i) => ({ name, type: types[i] ?? '' }));
}
