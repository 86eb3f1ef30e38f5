import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textDifference } from '../../../src/sql/text/statementIndex.ts';
import { seeded } from '../../fuzz/random.ts';
import { randomSchemaDocument, smallSchema } from '../../fuzz/schemaTexts.ts';
import { damaged } from '../../fuzz/sqlTexts.ts';
import { diagnosisWith, faultsOf } from '../../support/faultTexts.ts';
import { openShadow } from '../../support/openShadow.ts';

const rewritten: readonly (readonly [before: string, after: string])[] = [
  [
    'CREATE TABLE n (i INTEGER PRIMARY KEY AUTOINCREMENT); SELECT * FROM sqlite_sequence, n;',
    'SELECT * FROM sqlite_sequence;',
  ],
  ['CREATE TABLE n (i INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO n VALUES (1);', 'SELECT * FROM sqlite_sequence;'],
  ['CREATE TEMP TABLE n (i INTEGER PRIMARY KEY AUTOINCREMENT); DELETE FROM n;', 'SELECT * FROM sqlite_sequence;'],
  ['ANALYZE; SELECT * FROM sqlite_stat1;', 'SELECT * FROM sqlite_stat1;'],
  [
    'CREATE VIRTUAL TABLE a USING fts5(a, b); SELECT * FROM a;',
    'CREATE VIRTUAL TABLE a USING fts5(a, b); SELECT * FROM A;',
  ],
  [
    'INSERT INTO u VALUES (1) ON CONFLICT (a) DO NOTHING;',
    'CREATE UNIQUE INDEX i ON u (a); INSERT INTO u VALUES (1) ON CONFLICT (a) DO NOTHING;',
  ],
  ['CREATE TABLE f_data (x); SELECT x FROM f_data;', 'CREATE VIRTUAL TABLE f USING fts5(x); SELECT x FROM f;'],
];
for (const [before, after] of rewritten) {
  test(`the faults of ${after} are the same after an edit of ${before}`, async () => {
    const own = await openShadow(['CREATE TABLE u (a)']);
    const diagnosis = diagnosisWith(own, before);
    await diagnosis.faults();
    diagnosis.apply({ start: 0, end: before.length, text: after });
    const fresh = await openShadow(['CREATE TABLE u (a)']);
    assert.deepEqual(await faultsOf(diagnosis), await faultsOf(diagnosisWith(fresh, after)));
    own.dispose();
    fresh.dispose();
  });
}

for (const seed of [1, 2, 3]) {
  test(`any sequence of edits leads to the faults of a new diagnosis (seed ${seed})`, async () => {
    const own = await openShadow(smallSchema);
    const random = seeded(seed);
    for (let round = 0; round < 6; round++) {
      let text = randomSchemaDocument(random, 20);
      const diagnosis = diagnosisWith(own, text);
      for (let step = 0; step < 25; step++) {
        const next = damaged(random, text);
        const edit = textDifference(text, next);
        if (edit) diagnosis.apply(edit);
        text = next;
        // A new engine now and then shows that the caches and the objects of the old one do not change the faults.
        const fresh = step % 8 === 0 ? await openShadow(smallSchema) : own;
        assert.deepEqual(
          await faultsOf(diagnosis),
          await faultsOf(diagnosisWith(fresh, text)),
          `round ${round}: ${text}`,
        );
      }
    }
    own.dispose();
  });
}
