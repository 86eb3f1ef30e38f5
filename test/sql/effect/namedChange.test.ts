import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destroys, type NamedChange } from '../../../src/sql/effect/namedChange.ts';
import { effectOf } from '../../../src/sql/effect/statementEffect.ts';

const cases: Readonly<Record<string, NamedChange | undefined>> = {
  'DELETE FROM "my pets"': { kind: 'delete', table: 'my pets', bounds: 'none' },
  'DELETE FROM pets WHERE 1 = 1': { kind: 'delete', table: 'pets', bounds: 'alwaysTrue' },
  'DELETE FROM pets WHERE id = 1': { kind: 'delete', table: 'pets', bounds: 'some' },
  'WITH old AS (SELECT 1) UPDATE main.pets SET a = 1': { kind: 'update', table: 'pets', bounds: 'none' },
  'REPLACE INTO pets VALUES (1)': { kind: 'insert', table: 'pets' },
  'CREATE TABLE pets (id)': { kind: 'create', object: 'table', name: 'pets', isConditional: false },
  'CREATE VIEW IF NOT EXISTS v AS SELECT 1': { kind: 'create', object: 'view', name: 'v', isConditional: true },
  'CREATE INDEX i ON pets (id)': { kind: 'create', object: 'index', name: 'i', isConditional: false },
  'DROP TABLE IF EXISTS [my pets]': { kind: 'drop', object: 'table', name: 'my pets', isConditional: true },
  'DROP TRIGGER t': { kind: 'drop', object: 'trigger', name: 't', isConditional: false },
  'ALTER TABLE pets ADD COLUMN age': { kind: 'addColumn', table: 'pets', column: 'age' },
  'ALTER TABLE pets DROP COLUMN age': { kind: 'dropColumn', table: 'pets', column: 'age' },
  'ALTER TABLE pets RENAME age TO years': { kind: 'renameColumn', table: 'pets', column: 'age', newName: 'years' },
  'ALTER TABLE pets RENAME TO animals': { kind: 'renameTable', table: 'pets', newName: 'animals' },
  'SELECT 1': undefined,
  'EXPLAIN DELETE FROM pets': undefined,
  'DELETE FRO pets': undefined,
};

for (const [sql, change] of Object.entries(cases)) {
  test(`${sql} is ${change ? `a change of kind ${change.kind}` : 'no named change'}`, () =>
    assert.deepEqual(effectOf(sql).change, change));
}

test('dropping something and deleting every row destroy, other changes do not', () => {
  const destroying = Object.entries(cases).flatMap(([sql, change]) => (change && destroys(change) ? [sql] : []));
  assert.deepEqual(destroying, [
    'DELETE FROM "my pets"',
    'DELETE FROM pets WHERE 1 = 1',
    'DROP TABLE IF EXISTS [my pets]',
    'DROP TRIGGER t',
    'ALTER TABLE pets DROP COLUMN age',
  ]);
});
