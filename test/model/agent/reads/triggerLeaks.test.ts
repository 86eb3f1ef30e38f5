import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { answerOf, assertSameAnswer } from '../../../support/sameAnswers.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';
import { leakedDatabase, triggerLeaks } from './triggerLeaks.ts';

for (const leak of triggerLeaks) {
  test(`masks hide ${leak.name}`, async () => {
    using database = leakedDatabase(leak, 0);
    using other = leakedDatabase(leak, 1);
    const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
    const statements = rows.map(({ sql }) => String(sql));
    const schema = await ReadSchema.open({ wasmBinary, statements, masked: leak.masks, clock: standingClock });
    for (const sql of leak.queries) {
      assert.notDeepEqual(answerOf(database, sql), answerOf(other, sql), `${sql} shows nothing without a mask`);
      const judgement = await judgeRead(sql, schema);
      if (judgement.kind === 'read') assertSameAnswer(database, other, judgement.sql);
      else assert.equal(judgement.code, 'masked', judgement.reason);
    }
    schema.shadow.dispose();
  });
}
