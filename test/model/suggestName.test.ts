import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestName } from '../../src/model/suggestName.ts';
import { effectOf } from '../../src/sql/effect/statementEffect.ts';

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

const suggest = (sql: string, message: string): Promise<string | undefined> =>
  suggestName(message, effectOf(sql).tables, catalog);

for (const [sql, message, suggestion] of [
  ['SELECT nme FROM pets', 'no such column: nme', 'name'],
  ['SELECT p.nme FROM pets AS p', 'no such column: p.nme', 'p.name'],
  ['INSERT INTO pets (nme) VALUES (1)', 'table pets has no column named nme', 'name'],
  ['SELECT * FROM onwers', 'no such table: onwers', 'owners'],
  ['SELECT cout(*) FROM pets', 'no such function: cout', 'count'],
  ['SELECT zebra FROM pets', 'no such column: zebra', undefined],
  ['SELECT name FROM gone', 'no such column: name', undefined],
  ['SELECT 1 FORM pets', 'near "FORM": syntax error', undefined],
] as const) {
  test(`the suggestion for "${message}" is ${suggestion ?? 'nothing'}`, async () => {
    assert.equal(await suggest(sql, message), suggestion);
  });
}
