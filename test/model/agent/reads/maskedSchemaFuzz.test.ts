import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { assertSameAnswer } from '../../../support/sameAnswers.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';
import { randomMasks, RandomMaskedSchema } from './randomMaskedSchema.ts';

const queriesPerSchema = 60;

/** How many of the queries on one schema are reads. */
async function readsOn(seed: number): Promise<number> {
  const random = new RandomMaskedSchema(seed);
  using database = random.open(1);
  using other = random.open(2);
  if (!database || !other) return 0;
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  const statements = rows.map(({ sql }) => String(sql));
  const schema = await ReadSchema.open({ wasmBinary, statements, masked: randomMasks, clock: standingClock });
  let reads = 0;
  for (let query = 0; query < queriesPerSchema; query++) {
    const judgement = await judgeRead(random.query(), schema);
    if (judgement.kind === 'refused') continue;
    reads++;
    assertSameAnswer(database, other, judgement.sql);
  }
  schema.shadow.dispose();
  return reads;
}

test('keys, indexes and views of random schemas show nothing of masked values', async () => {
  let reads = 0;
  for (let seed = 1; seed <= 40; seed++) reads += await readsOn(seed);
  assert.ok(reads > 600, `${reads} reads`);
});
