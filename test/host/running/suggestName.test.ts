import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import { analyze } from '../../../src/host/running/boundStatement.ts';
import { suggestName } from '../../../src/host/running/suggestName.ts';

const columns: Readonly<Record<string, readonly string[]>> = { pets: ['id', 'name'], owners: ['phone'] };

const catalog = {
  columns: (table: string) => {
    const names = columns[table];
    if (!names) return Promise.reject(new Error('There is no such table.'));
    return Promise.resolve(names.map(name => ({ name, type: '', references: undefined }) as never));
  },
  tables: () => Promise.resolve(Object.keys(columns)),
  views: () => Promise.resolve(undefined),
};

const suggest = (sql: string, message: string): Promise<string | undefined> =>
  suggestName(new ProjectError('service', 'sql_error', message), analyze(sql), catalog);

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
