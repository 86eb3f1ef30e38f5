import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { SqliteConnection } from '../../../src/sql/shadow/sqliteConnection.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const connection = await SqliteConnection.open(wasmBinary, systemClock);

const offsets: readonly (readonly [statement: string, word: string])[] = [
  ['SELECT nope', 'nope'],
  ["SELECT 'äöü', nope", 'nope'],
  ["SELECT '名前 🎉🎉', nope", 'nope'],
  ["SELECT '\ud83c', nope", 'nope'],
];

for (const [statement, word] of offsets) {
  test(`the error offset in ${JSON.stringify(statement)} counts UTF-16 units`, () => {
    const result = connection.prepare(statement, false);
    assert.equal(result.kind === 'error' && result.offset, statement.indexOf(word));
  });
}

test('prepare() does not execute a statement', () => {
  assert.equal(connection.execute('CREATE TABLE t (a)').kind, 'ok');
  assert.equal(connection.prepare('DROP TABLE t', true).kind, 'prepared');
  assert.equal(connection.prepare('SELECT a FROM t', true).kind, 'prepared');
});

test('prepare() refuses a PRAGMA', () => {
  const result = connection.prepare('PRAGMA hard_heap_limit = 1000', false);
  assert.equal(result.kind === 'error' && result.message, 'not authorized');
  assert.equal(connection.prepare('SELECT a FROM t', false).kind, 'prepared');
});

test('stub functions can be added and removed any number of times', () => {
  for (let round = 0; round < 2000; round++) {
    connection.addFunction('mine', round % 2 === 0 ? 'scalar' : 'window');
    assert.equal(connection.prepare('SELECT mine(1, 2, a) FROM t', false).kind, 'prepared');
    connection.removeFunction('mine');
    assert.equal(connection.prepare('SELECT mine(1)', false).kind, 'error');
  }
});

test('a broken engine refuses all calls and does not affect other engines', async () => {
  const broken = await SqliteConnection.open(wasmBinary, systemClock);
  assert.equal(broken.prepare(`SELECT '${'x'.repeat(40_000_000)}'`, false).kind, 'broken');
  assert.equal(broken.isBroken, true);
  assert.equal(broken.prepare('SELECT 1', false).kind, 'broken');
  assert.equal(broken.execute('SELECT 1').kind, 'broken');
  assert.equal(connection.prepare('SELECT 1', false).kind, 'prepared');
});
