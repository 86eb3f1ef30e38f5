import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine } from '../../src/sql/oneLine.ts';

const cases: readonly (readonly [statement: string, line: string])[] = [
  ['SELECT 1', 'SELECT 1'],
  ["SELECT ';',\r\n\t';  ' ;\n ; ", "SELECT ';', '; '"],
  [' ;', ''],
];

for (const [statement, line] of cases) {
  test(`${JSON.stringify(statement)} is ${JSON.stringify(line)} on one line`, () =>
    assert.equal(oneLine(statement), line));
}

test('long runs of what may end a statement are read once, wherever they stand', () => {
  const runs = `${' '.repeat(100_000)}x${';'.repeat(100_000)}`;
  const started = performance.now();
  assert.equal(oneLine(`SELECT '${runs}y'`), `SELECT ' x${';'.repeat(100_000)}y'`);
  assert.ok(performance.now() - started < 2000);
});
