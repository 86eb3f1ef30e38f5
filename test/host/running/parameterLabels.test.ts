import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameterHints } from '../../../src/sql/parameters/parameterHints.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { parameterContext } = await import('../../../src/host/running/parameterForm.ts');

function contextOf(sql: string): string {
  const [hint] = parameterHints(sql);
  assert.ok(hint);
  return parameterContext(sql, hint);
}

test('the context of a parameter is one line, with ellipses where the statement goes on', () => {
  assert.equal(contextOf('SELECT *\nFROM t\nWHERE a = ?'), 'SELECT * FROM t WHERE a = ?');
  const long = contextOf(`SELECT '${'a'.repeat(40)}', ?, '${'b'.repeat(40)}'`);
  assert.equal(long, `…${'a'.repeat(37)}', ?, '${'b'.repeat(17)}…`);
});

test('the context of a parameter has no half of a character', () => {
  for (let shift = 0; shift < 2; shift++) {
    const sql = `SELECT '${'😀'.repeat(40)}${'a'.repeat(shift)}', ?,${' '.repeat(shift)}'${'😀'.repeat(40)}'`;
    assert.ok(contextOf(sql).isWellFormed(), contextOf(sql));
  }
});
