import assert from 'node:assert/strict';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { canaries, otherCanaries } from './agentShop.ts';

export interface Answer {
  /** Rows as lists, or SQLite's message. */
  readonly rows: readonly (readonly unknown[])[] | string;
  readonly columns: readonly string[];
}

/** SQLite's answer to a statement. */
export function answerOf(database: DatabaseSync, sql: string, values: readonly SQLInputValue[] = []): Answer {
  try {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    const rows = statement.all(...values) as unknown as unknown[][];
    return { rows: rows.map(row => row.map(withoutAddress)), columns: statement.columns().map(({ name }) => name) };
  } catch (thrown) {
    return { rows: (thrown as Error).message, columns: [] };
  }
}

/** EXPLAIN shows where virtual tables are in memory. */
const withoutAddress = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/vtab:[\dA-F]+/g, 'vtab') : value;

const secrets = [...canaries, ...otherCanaries].filter(value => value !== null).filter(({ length }) => length > 5);

/** Three characters and more of each value, as text and as hexadecimal digits. */
const traces = new Set(
  secrets
    .flatMap(value => ['CANARY', value.slice(0, 3), value.slice(-6)])
    .flatMap(part => [
      part.toLowerCase(),
      Buffer.from(part).toString('hex'),
      part.toLowerCase().split('').toReversed().join(''),
    ]),
);

/** Fails if an answer shows a part of a masked value that the statement does not have itself. */
export function assertNoTrace({ rows }: Answer, sql: string): void {
  const text = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ).toLowerCase();
  const own = sql.toLowerCase();
  for (const trace of traces) {
    if (text.includes(trace) && !own.includes(trace))
      assert.fail(`${trace} of a masked value in the answer to ${sql}: ${text}`);
  }
}

/** Fails if the shops, which differ in masked values only, give different answers. */
export function assertSameAnswer(shop: DatabaseSync, other: DatabaseSync, sql: string): void {
  const answer = answerOf(shop, sql);
  assertNoTrace(answer, sql);
  assert.deepEqual(answerOf(other, sql), answer, sql);
}
