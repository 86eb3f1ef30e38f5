import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { oneOf, seeded, upTo } from '../fuzz/random.ts';
import type { Column } from '../../src/wire/values.ts';
import { openRows, type RowsUnderTest } from './queriedRows.ts';

const columns: readonly Column[] = [
  { name: 'city', type: 'TEXT' },
  { name: 'mixed', type: '' },
  { name: 'n', type: 'INTEGER' },
  { name: 'r', type: 'REAL' },
  { name: 'day', type: 'TEXT' },
  { name: 'bytes', type: 'BLOB' },
];

interface RandomRows {
  readonly rows: RowsUnderTest;
  /** Has the same rows in a table `t`. */
  readonly database: DatabaseSync;
}

/** Rows of all storage classes: NULL, large integers, -0.0, empty texts, odd dates and BLOBs. */
export async function openRandomRows(context: TestContext, seed: number, count: number): Promise<RandomRows> {
  const random = seeded(seed);
  const pick = <T>(...values: readonly T[]): T => oneOf(random, values);
  const number = (limit: number): number => upTo(random, limit);
  const date = (): string => `20${20 + number(7)}-${two(1 + number(12))}-${two(1 + number(28))}T08:00`;
  const database = new DatabaseSync(':memory:');
  context.after(() => database.close());
  database.exec('CREATE TABLE t (city TEXT, mixed, n INTEGER, r REAL, day TEXT, bytes BLOB)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)');
  const rows = await openRows(context, columns);
  const texts = Array.from({ length: count }, () => {
    const values = [
      pick(null, '', 'Zürich', 'zürich', 'Bern "B" \\ \n', `city ${number(30)}`),
      pick<null | number | bigint | string>(null, '', '5', 5n, 5.5, `${number(9)}x`, BigInt(number(50)), 2n ** 53n),
      pick<null | bigint>(null, BigInt(number(1000)) - 500n, 2n ** 53n + 1n, 2n ** 53n, -(2n ** 53n) - 7n),
      pick<null | number>(null, -0, 0.125 * number(800) - 50, 1e15, -3),
      pick(null, 'soon', '2026-13-01', '2026-02-31', date()),
      pick<null | Buffer>(null, Buffer.alloc(0), Buffer.from([number(4), 255])),
    ] as const;
    insert.run(...values);
    return `{${values.map((value, nth) => `"${columns[nth]!.name}":${jsonOf(value)}`).join(',')}}`;
  });
  await rows.add(...texts);
  return { rows, database };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A value as the service writes it. All numbers are REALs, and all integers bigints. */
function jsonOf(value: null | number | bigint | string | Buffer): string {
  if (value instanceof Uint8Array) return JSON.stringify(value.toString('base64'));
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number' || !Number.isInteger(value)) return JSON.stringify(value);
  return `${Object.is(value, -0) ? '-0' : value}.0`;
}
