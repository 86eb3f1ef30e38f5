import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { openShop, otherCanaries, shopMasks, shopStatements } from '../../../support/agentShop.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { answerOf, assertSameAnswer } from '../../../support/sameAnswers.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';
import { maskEvasions } from './maskEvasions.ts';

const schema = await ReadSchema.open({
  wasmBinary,
  statements: shopStatements,
  masked: shopMasks,
  clock: standingClock,
});
const judge = (sql: string) => judgeRead(sql, schema);

test('no way around a mask shows anything of a masked value', async () => {
  using shop = openShop();
  using other = openShop(otherCanaries);
  assert.ok(new Set(maskEvasions).size >= 180, `${new Set(maskEvasions).size} ways`);
  let reads = 0;
  for (const sql of maskEvasions) {
    const judgement = await judge(sql);
    if (judgement.kind === 'refused') {
      assert.ok(judgement.reason.length > 20, sql);
      continue;
    }
    reads++;
    assertSameAnswer(shop, other, judgement.sql);
  }
  assert.ok(reads > 100, `${reads} of them are reads, with masks`);
});

test('without masks, the shops differ', () => {
  using shop = openShop();
  using other = openShop(otherCanaries);
  const differing = maskEvasions.filter(
    sql =>
      sql.startsWith('SELECT') &&
      JSON.stringify(String(answerOf(shop, sql).rows)) !== JSON.stringify(String(answerOf(other, sql).rows)),
  );
  assert.ok(differing.length > 100, `${differing.length} ways would show something`);
});
