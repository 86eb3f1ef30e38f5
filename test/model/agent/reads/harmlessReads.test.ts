import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { maskText } from '../../../../src/sql/masks/maskedStatement.ts';
import { openShop, shopMasks, shopStatements } from '../../../support/agentShop.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { type Answer, answerOf } from '../../../support/sameAnswers.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';
import { harmlessPlans, harmlessReads } from './harmlessReads.ts';

const options = { wasmBinary, statements: shopStatements, clock: standingClock };
const unmasked = await ReadSchema.open(options);
const masked = await ReadSchema.open({ ...options, masked: shopMasks });

/** The answer with the mask in place of each value that comes from a masked column. */
function withMasks(database: DatabaseSync, sql: string, { rows, columns }: Answer): Answer {
  assert.ok(typeof rows !== 'string', `${sql}: ${String(rows)}`);
  const isMasked = database
    .prepare(sql)
    .columns()
    .map(({ table, column }) => table !== null && column !== null && masked.masks.maskOf(table, column) !== undefined);
  return { rows: rows.map(row => row.map((value, index) => (isMasked[index] ? maskText : value))), columns };
}

/** The rows in an order of their own, where the statement gives none. */
function sorted(sql: string, { rows, columns }: Answer): Answer {
  if (/\border by\b/i.test(sql) || typeof rows === 'string') return { rows, columns };
  return { rows: rows.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)), columns };
}

test('harmless reads are sent as they are when nothing is masked', async () => {
  assert.ok(harmlessReads.length >= 110, `${harmlessReads.length} reads`);
  for (const read of harmlessReads) {
    const [sql] = typeof read === 'string' ? [read] : read;
    assert.deepEqual(await judgeRead(sql, unmasked), { kind: 'read', sql, masked: [] });
  }
});

test('with masks, harmless reads give the same columns and the same values of other columns', async () => {
  using shop = openShop();
  for (const read of harmlessReads) {
    const [sql, ...values] = typeof read === 'string' ? [read] : read;
    const judgement = await judgeRead(sql, masked);
    assert.equal(judgement.kind, 'read', `${sql}: ${JSON.stringify(judgement)}`);
    assert.ok(judgement.kind === 'read');
    const expected = withMasks(shop, sql, answerOf(shop, sql, values));
    assert.deepEqual(sorted(sql, answerOf(shop, judgement.sql, values)), sorted(sql, expected), judgement.sql);
  }
});

test('plans of reads are reads', async () => {
  using shop = openShop();
  for (const sql of harmlessPlans) {
    for (const schema of [unmasked, masked]) {
      const judgement = await judgeRead(sql, schema);
      assert.ok(judgement.kind === 'read', `${sql}: ${JSON.stringify(judgement)}`);
      assert.ok(Array.isArray(answerOf(shop, judgement.sql).rows), judgement.sql);
    }
  }
});
