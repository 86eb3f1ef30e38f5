import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { seeded } from '../../../fuzz/random.ts';
import { openShop, otherCanaries, shopMasks, shopStatements } from '../../../support/agentShop.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { assertSameAnswer } from '../../../support/sameAnswers.ts';
import { sqlMutants } from '../../../support/sqlMutants.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';
import { maskEvasions } from './maskEvasions.ts';
import { RandomQueries } from './randomQueries.ts';

const schema = await ReadSchema.open({
  wasmBinary,
  statements: shopStatements,
  masked: shopMasks,
  clock: standingClock,
});

/** Asks both shops whatever is a read. Returns how many statements are, and the codes of the others. */
async function askBothShops(statements: Iterable<string>): Promise<{ reads: number; refusals: Set<string> }> {
  using shop = openShop();
  using other = openShop(otherCanaries);
  let reads = 0;
  const refusals = new Set<string>();
  for (const sql of statements) {
    const judgement = await judgeRead(sql, schema);
    if (judgement.kind === 'refused') {
      refusals.add(judgement.code);
      continue;
    }
    reads++;
    assertSameAnswer(shop, other, judgement.sql);
  }
  return { reads, refusals };
}

for (const seed of [1, 2]) {
  test(`random queries show nothing of masked values (seed ${seed})`, async () => {
    const queries = new RandomQueries(seeded(seed));
    const { reads, refusals } = await askBothShops(Array.from({ length: 1000 }, () => queries.statement()));
    assert.ok(reads > 400, `${reads} of 1000 are reads`);
    // They use tables and functions that may be used.
    assert.deepEqual([...refusals].toSorted(), ['masked', 'refused_by_sqlite']);
  });
}

test('a damaged way around a mask shows nothing of masked values', async () => {
  // A damaged recursion may never end.
  const finite = maskEvasions.filter(sql => !/recursive/i.test(sql));
  const mutants = new Set(finite.flatMap(sql => Array.from(sqlMutants(sql))));
  const { reads } = await askBothShops(mutants);
  assert.ok(reads > 500, `${reads} of ${mutants.size} mutants are reads`);
});
