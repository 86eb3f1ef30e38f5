import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { pragmaEffect } from '../../../src/sql/effect/pragmas.ts';

const cases: readonly (readonly [name: string, withoutValue: string, withValue: string])[] = [
  ['table_info', 'read', 'read'],
  ['Foreign_Keys', 'read', 'session'],
  ['user_version', 'read', 'write'],
  ['journal_mode', 'read', 'write'],
  ['wal_checkpoint', 'write', 'write'],
  ['shrink_memory', 'session', 'session'],
  ['made_up', 'write', 'write'],
];
for (const [name, withoutValue, withValue] of cases) {
  test(`PRAGMA ${name} has the effect ${withoutValue} without a value and ${withValue} with one`, () => {
    assert.equal(pragmaEffect(name, false), withoutValue);
    assert.equal(pragmaEffect(name, true), withValue);
  });
}

test('a PRAGMA with the effect read changes no stored setting', () => {
  const database = new DatabaseSync(':memory:');
  const names = database.prepare('SELECT name FROM pragma_pragma_list').all();
  const settings = (): unknown =>
    ['user_version', 'application_id', 'schema_version', 'auto_vacuum', 'page_size', 'foreign_keys'].map(name =>
      database.prepare(`PRAGMA ${name}`).get(),
    );
  const before = settings();
  for (const { name } of names) {
    if (pragmaEffect(String(name), false) === 'read') database.exec(`PRAGMA ${String(name)}`);
  }
  assert.deepEqual(settings(), before);
  assert.ok(names.length > 50);
  database.close();
});
