import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../../src/host/running/boundStatement.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { outcomeText } = await import('../../../src/host/running/outcomeText.ts');
const { summaryText } = await import('../../../src/host/running/vscodeScriptPrompts.ts');

for (const [sql, changedRows, text] of [
  ['CREATE TABLE ux_tmp (id)', 0, 'Table ux_tmp created'],
  ['CREATE TABLE IF NOT EXISTS ux_tmp (id)', 0, 'Table ux_tmp created, unless it existed'],
  ['DROP VIEW v', 0, 'View v dropped'],
  ['DROP INDEX IF EXISTS i', 0, 'Index i dropped, if it existed'],
  ['ALTER TABLE pets ADD COLUMN age', 0, 'Column age added to pets'],
  ['ALTER TABLE pets RENAME TO animals', 0, 'Table pets renamed to animals'],
  ['VACUUM', 0, 'Done'],
  ['INSERT INTO pets VALUES (1)', 1, '1 row changed'],
  ['DELETE FROM pets', 3000, '3,000 rows changed'],
] as const) {
  test(`the outcome of ${sql} is "${text}"`, () => assert.equal(outcomeText(analyze(sql), changedRows), text));
}

test('the summary of a script counts what happened, and shows the time without that of the user', () => {
  const summary = { totalCount: 4, succeededCount: 3, failedCount: 1, cancelledCount: 0, elapsedMs: 84 };
  assert.equal(summaryText(summary), '4 statements: 3 succeeded, 1 failed · 84 ms');
  assert.equal(
    summaryText({ ...summary, succeededCount: 1, cancelledCount: 1 }),
    '4 statements: 1 succeeded, 1 failed, 1 cancelled, 1 not run · 84 ms',
  );
});
