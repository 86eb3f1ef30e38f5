import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { SqliteConnection } from '../../../src/sql/shadow/sqliteConnection.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const connection = await SqliteConnection.open(wasmBinary, systemClock);

const offsets: readonly (readonly [statement: string, found: string])[] = [
  ['SELECT nope', 'nope'],
  ["SELECT 'äöü', nope", 'nope'],
  ["SELECT '名前 🎉🎉', nope", 'nope'],
  ["SELECT '\ud83c', nope", 'nope'],
];

for (const [statement, found] of offsets) {
  test(`counts in UTF-16 units: ${JSON.stringify(statement)}`, () => {
    const verdict = connection.prepare(statement, false);
    assert.equal(verdict.kind === 'error' && verdict.offset, statement.indexOf(found));
  });
}

test('prepares and does not run', () => {
  assert.equal(connection.execute('CREATE TABLE t (a)').kind, 'ok');
  assert.equal(connection.prepare('DROP TABLE t', true).kind, 'prepared');
  assert.equal(connection.prepare('SELECT a FROM t', true).kind, 'prepared');
});

test('refuses a PRAGMA even when it is asked to prepare one', () => {
  const verdict = connection.prepare('PRAGMA hard_heap_limit = 1000', false);
  assert.equal(verdict.kind === 'error' && verdict.message, 'not authorized');
  assert.equal(connection.prepare('SELECT a FROM t', false).kind, 'prepared');
});

test('puts functions in place and takes them away again, any number of times', () => {
  for (let round = 0; round < 2000; round++) {
    connection.addFunction('mine', round % 2 === 0 ? 'scalar' : 'window');
    assert.equal(connection.prepare('SELECT mine(1, 2, a) FROM t', false).kind, 'prepared');
    connection.removeFunction('mine');
    assert.equal(connection.prepare('SELECT mine(1)', false).kind, 'error');
  }
});

test('says nothing more once it is broken, and leaves others as they are', async () => {
  const own = await SqliteConnection.open(wasmBinary, systemClock);
  assert.equal(own.prepare(`SELECT '${'x'.repeat(40_000_000)}'`, false).kind, 'broken');
  assert.equal(own.isBroken, true);
  assert.equal(own.prepare('SELECT 1', false).kind, 'broken');
  assert.equal(own.execute('SELECT 1').kind, 'broken');
  assert.equal(connection.prepare('SELECT 1', false).kind, 'prepared');
});
