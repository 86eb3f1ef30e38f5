import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementLabel } from '../../../src/sql/text/statementLabel.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';

const cases: readonly (readonly [statement: string, label: string])[] = [
  ['SELECT 1', 'SELECT 1'],
  ["SELECT ';',\r\n\t';  ' ;\n ; ", "SELECT ';', '; '"],
  [' ;', ''],
];

for (const [statement, label] of cases) {
  test(`the label of ${JSON.stringify(statement)} is ${JSON.stringify(label)}`, () =>
    assert.equal(statementLabel(statement), label));
}

test('a long label is cut, and its semicolon does not count', () => {
  assert.equal(statementLabel('SELECT 1;', 8), 'SELECT 1');
  assert.equal(statementLabel('SELECT 10;', 8), 'SELECT …');
});

test('the label of a statement with long runs of blanks and semicolons takes no time', async () => {
  const runs = `${' '.repeat(100_000)}x${';'.repeat(100_000)}`;
  const label = (): void => assert.equal(statementLabel(`SELECT '${runs}y'`), `SELECT ' x${';'.repeat(100_000)}y'`);
  await assertWithin(2000, () => cpuMs(label));
});
