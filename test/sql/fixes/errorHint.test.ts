import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorHint } from '../../../src/sql/fixes/errorHint.ts';

const columns: Readonly<Record<string, readonly string[]>> = { pets: ['id', 'name'], owners: ['phone'] };

const catalog = {
  columns: (table: string) => {
    const names = columns[table];
    if (!names) return Promise.reject(new Error('There is no such table.'));
    return Promise.resolve(names.map(name => ({ name })));
  },
  tables: () => Promise.resolve(Object.keys(columns)),
  views: () => Promise.resolve(undefined),
};

for (const [sql, message, meant] of [
  ['SELECT nme FROM pets', 'no such column: nme', 'name'],
  ['SELECT p.nme FROM pets AS p', 'no such column: p.nme', 'p.name'],
  ['INSERT INTO pets (nme) VALUES (1)', 'table pets has no column named nme', 'name'],
  ['SELECT * FROM onwers', 'no such table: onwers', 'owners'],
  ['SELECT cout(*) FROM pets', 'no such function: cout', 'count'],
  ['SELECT zebra FROM pets', 'no such column: zebra', undefined],
  ['SELECT name FROM gone', 'no such column: name', undefined],
  ['SELECT 1 FORM pets', 'near "FORM": syntax error', undefined],
] as const) {
  test(`the hint for "${message}" suggests ${meant ?? 'nothing'}`, async () => {
    const hint = await errorHint(message, sql, catalog);
    assert.equal(hint, meant && `Did you mean '${meant}'?`);
  });
}

test('a word that begins a statement suggests a missing semicolon', async () => {
  const hint = await errorHint('near "SELECT": syntax error', 'SELECT 1\nSELECT 2', catalog);
  assert.equal(hint, 'Is a semicolon missing before it?');
});
