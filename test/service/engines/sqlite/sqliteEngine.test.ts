import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { sqlCall, startTestEngine } from '../../../support/testEngine.ts';

const { engine, folder } = startTestEngine({ after });

async function run(sql: string, project = 'project'): Promise<readonly string[]> {
  const outcome = await engine.execute(project, sqlCall(sql));
  return outcome.kind === 'rows' ? Array.fromAsync(outcome.batches, String) : [];
}

await run('CREATE TABLE long (id INTEGER PRIMARY KEY, value)');
await run(
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
   INSERT INTO long SELECT i, hex(zeroblob(150000)) FROM n`,
);

for (const [name, sql] of [
  ['texts in rows', 'SELECT * FROM long'],
  ['BLOBs in rows', 'SELECT CAST(value AS BLOB) FROM long'],
  ['texts returned by a write', 'UPDATE long SET id = id RETURNING *'],
] as const) {
  test(`long values make short batches: ${name}`, async () => {
    const batches = await run(sql);
    assert.equal(batches.join('').split('},').length, 40);
    assert.ok(batches.every(batch => batch.length < 2_000_000));
  });
}

test('statements on the project’s own objects are not taken for statements on temp', async () => {
  for (const sql of [
    'CREATE TABLE t (a, b)',
    'ALTER TABLE t ADD COLUMN c DEFAULT 1',
    'ALTER TABLE t RENAME COLUMN b TO d',
    'ALTER TABLE t DROP COLUMN c',
    'ALTER TABLE t RENAME TO u',
    'CREATE TABLE v AS SELECT * FROM u ORDER BY a',
    'CREATE INDEX u_a ON u (a)',
    'CREATE TRIGGER u_i AFTER INSERT ON u BEGIN INSERT INTO v VALUES (new.a, new.d); END',
    'INSERT INTO main.u SELECT a, d FROM v ORDER BY d',
    'CREATE VIRTUAL TABLE words USING fts5(body)',
    `INSERT INTO words (words) VALUES ('integrity-check')`,
    'CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)',
    'INSERT INTO boxes VALUES (1, 2, 3)',
    'ANALYZE',
    'REINDEX',
    'DROP TABLE words',
  ]) {
    await assert.doesNotReject(run(sql), sql);
  }
});

for (const sql of [
  'CREATE TABLE IF NOT EXISTS temp.x (a)',
  'CREATE VIRTUAL TABLE temp.x USING fts5(a)',
  'CREATE VIRTUAL TABLE temp.x USING rtree(a, b, c)',
  'CREATE TRIGGER temp.x AFTER INSERT ON main.long BEGIN SELECT 1; END',
  'ANALYZE temp',
]) {
  test(`${sql} is refused with the message for temporary tables`, async () => {
    await assert.rejects(run(sql), { status: 422, message: /^Temporary tables are not kept\./ });
  });
}

test('PRAGMA data_version can be read but not set', async () => {
  assert.equal((await run('PRAGMA data_version')).length, 1);
  await assert.rejects(run('PRAGMA data_version = 2'), { code: 'denied_statement' });
});

test('a failed browse releases its connection', async () => {
  await run('CREATE VIEW broken AS SELECT * FROM missing', 'views');
  await assert.rejects(engine.browse('views', { table: 'broken', limit: 1, offset: 0 }), { code: 'sql_error' });
  await engine.close();
  // SQLite removes the log of a database with its last connection.
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('views')),
    ['views.sqlite'],
  );
});
