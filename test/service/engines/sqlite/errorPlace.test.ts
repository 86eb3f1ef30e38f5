/** The place that an error of SQLite is about: exact, or not given. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rejection } from '../../../support/scriptedServer.ts';
import { sqlCall, startTestEngine } from '../../../support/testEngine.ts';

const { engine, run } = startTestEngine({ after });
await run('CREATE TABLE t (id INTEGER PRIMARY KEY, name)');
await run('CREATE VIEW broken AS SELECT gone FROM t');
await run('CREATE VIEW lost AS SELECT * FROM nowhere');
await run('CREATE TABLE fires (a)');
await run('CREATE TRIGGER fire AFTER INSERT ON fires BEGIN INSERT INTO nowhere VALUES (new.a); END');

/** A `^` is before the place. Without one, no place is given. */
const statements: readonly string[] = [
  // Syntax errors.
  '^SELEC 1',
  'SELECT 1 FRM ^t WHERE 1',
  'SELECT id, ^FROM t',
  'SELECT (1), (2^',
  'SELECT ((1) ^FROM t',
  'SELECT 1^)) FROM t',
  'SELECT id FROM t WHERE id IN (1, 2,^) AND id IN (1)',
  'SELECT a, b c ^d, d FROM t',
  `SELECT ')', /* ) */ "a)" FROM t^) -- )`,
  `SELECT 'ä😀', 'é' FROM ^FROM t`,
  'SELECT id FROM t WHERE name = ^#',
  `SELECT 1, ^'open`,
  'SELECT 1 != 2 AND 3 ^! 4',
  'CREATE -- TABLE\n ^-TABLE t2 (a)',
  'CREATE TABLE t2 (a, b,^)',
  'INSERT INTO t ^VALUE (1)',
  'UPDATE t SET name = 1 ^SET id = 2',
  'SELECT 1 +^;',
  '^.',
  'SELECT ^1abc',
  // Missing tables, columns and functions.
  'SELECT ^nope FROM t',
  `SELECT 'ä😀', ^nope FROM t`,
  'SELECT id AS nope FROM t WHERE ^nope2 = 1',
  `SELECT 'nope', "id" /* nope */ FROM t WHERE ^nope = 1`,
  'SELECT nope.id FROM t AS nope WHERE ^nope > 1',
  'SELECT t.id, ^t.nope FROM t',
  'SELECT ^u.id, t.id FROM t',
  'SELECT ^main.t.nope FROM t',
  'SELECT ^t."no pe" FROM t',
  'SELECT ^"nope" FROM t',
  'SELECT ^NOPE FROM t',
  'SELECT ^[nope] FROM t',
  'SELECT 1 FROM ^nope',
  'SELECT nope.id FROM ^nope',
  'SELECT 1 FROM t JOIN ^nope ON nope.id = t.id',
  'SELECT 1 FROM ^main.nope',
  'INSERT INTO ^nope VALUES (1)',
  'INSERT INTO t (id, ^nope) VALUES (1, 2)',
  'UPDATE t SET ^nope = 1',
  'DELETE FROM t WHERE ^nope = 1 OR nope = 2',
  'DROP TABLE ^nope',
  'DROP INDEX ^nope',
  'SELECT ^nope(id) FROM t',
  // The place is in a view or a trigger, or none is certain.
  'SELECT * FROM broken',
  'SELECT id AS gone FROM broken',
  'SELECT * FROM lost AS nowhere',
  'INSERT INTO fires VALUES (1)',
  'SELECT id, name FROM t UNION SELECT id FROM t',
  'SELECT max(id) FROM t WHERE max(id) > 1',
];

for (const marked of statements) {
  const place = marked.indexOf('^');
  const sql = marked.replace('^', '');
  test(`${JSON.stringify(marked)} has its place`, async () => {
    const { code, details } = (await rejection(run(sql))) as { code: string; details?: { offset: number } };
    assert.deepEqual([code, details], ['sql_error', place === -1 ? undefined : { offset: place }]);
  });
}

test('the place is given for a cached statement whose table has gone', async () => {
  await run('CREATE TABLE passing (a)');
  for (const sql of ['SELECT a FROM passing', 'DELETE FROM passing']) await run(sql);
  await run('DROP TABLE passing');
  for (const sql of ['SELECT a FROM passing', 'DELETE FROM passing']) {
    await assert.rejects(run(sql), { code: 'sql_error', details: { offset: sql.indexOf('passing') } });
  }
});

test('a long statement has no place, and the search for one in a crowd of names is short', async () => {
  const crowd = `SELECT ${'nope, '.repeat(1000)} nope FROM t`;
  await assert.rejects(run(crowd), { code: 'sql_error', details: { offset: 7 } });
  const long = `SELECT nope, '${'x'.repeat(100_000)}'`;
  await assert.rejects(run(long), { code: 'sql_error', details: undefined });
});

test('the search for a place leaves no refusal for the next statement', async () => {
  // A beginning of this statement is not allowed.
  const sql = `SELECT load_extension('') + (1) + )`;
  await assert.rejects(run(sql), { code: 'sql_error', details: { offset: sql.length - 1 } });
  await assert.rejects(run('SELECT nope FROM t'), { code: 'sql_error' });
  const outcome = await engine.execute('project', sqlCall('INSERT INTO t (id) VALUES (1)'));
  assert.equal(outcome.kind, 'count');
});
