import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsAt } from '../../support/completeMarked.ts';

for (const [marked, label] of [
  ['SELECT 1 wh¦', 'where'],
  ['select 1 WH¦', 'WHERE'],
  ['SELECT 1 Wh¦', 'WHERE'],
  ['select 1 ¦', 'where'],
  ['SELECT 1 ¦', 'WHERE'],
  ['¦ select 1', 'select'],
  ['select 1;\n¦', 'select'],
  ['SELECT 1;\n¦', 'SELECT'],
  ['\n¦;\nselect 1;', 'select'],
  ['¦', 'SELECT'],
  ['select "KEY" ¦', 'from'],
  ['SELECT key, ¦', 'CASE'],
  ['SELECT co¦ FROM users', 'count'],
  ['SELECT CO¦ FROM users', 'COUNT'],
  ['SELECT ¦ FROM users', 'count'],
  ['select ¦ from users', 'count'],
  ['SELECT UPPER(name), ¦ FROM users', 'COUNT'],
  ['SELECT US¦ FROM users', 'users'],
  ['create table t(a in¦', 'integer'],
  ['create table t(a ¦', 'integer'],
] as const) {
  test(`words have the case of the typed word, or else that of the words around: ${JSON.stringify(marked)}`, () => {
    const proposed = labelsAt(marked);
    assert.ok(proposed.includes(label));
    const other = label === label.toUpperCase() ? label.toLowerCase() : label.toUpperCase();
    assert.ok(!proposed.includes(other));
  });
}
