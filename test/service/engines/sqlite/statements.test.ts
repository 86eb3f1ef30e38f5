/** The results of statements: counts, rows, values and refusals, alone and in groups. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { rowsOf, sqlCall, startTestEngine } from '../../../support/testEngine.ts';

const { engine, folder, run } = startTestEngine({ after });
await run('CREATE TABLE long (id INTEGER PRIMARY KEY, value)');
await run(
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
   INSERT INTO long SELECT i, hex(zeroblob(150000)) FROM n`,
);

const counts: readonly (readonly [sql: string, count: number])[] = [
  ['CREATE TABLE c (id INTEGER PRIMARY KEY, a UNIQUE, n INTEGER)', 0],
  ['CREATE INDEX c_n ON c (n)', 0],
  [`INSERT INTO c (a, n) VALUES ('x', 1), ('y', 2), ('z', 3)`, 3],
  [`INSERT OR IGNORE INTO c (a) VALUES ('x'), ('new')`, 1],
  [`REPLACE INTO c (a, n) VALUES ('x', 9)`, 1],
  [`INSERT INTO c (a) VALUES ('y') ON CONFLICT (a) DO UPDATE SET n = n + 1`, 1],
  [`INSERT INTO c (a) VALUES ('y') ON CONFLICT DO NOTHING`, 0],
  ['UPDATE c SET n = 0 WHERE n IS NULL', 1],
  ['UPDATE c SET n = n + 1', 4],
  ['UPDATE c SET n = n + 1 WHERE a = 0', 0],
  [`WITH big AS (SELECT id FROM c WHERE n > 4) DELETE FROM c WHERE id IN (SELECT id FROM big)`, 1],
  ['CREATE TABLE copied AS SELECT * FROM c', 0],
  ['ALTER TABLE copied ADD COLUMN more', 0],
  ['INSERT INTO copied SELECT *, 1 FROM c', 3],
  ['CREATE TABLE log (a)', 0],
  ['CREATE TRIGGER c_u AFTER UPDATE ON c BEGIN INSERT INTO log VALUES (1), (2); END', 0],
  ['UPDATE c SET n = 1', 3],
  ['ANALYZE', 0],
  ['REINDEX', 0],
  ['DELETE FROM copied', 6],
  ['DROP TABLE copied', 0],
];

test('a statement counts the rows that it changes itself, and other statements count 0', async () => {
  for (const [sql, count] of counts) assert.equal(await run(sql), count, sql);
  assert.deepEqual(await run('SELECT count(*) AS n FROM log'), [{ n: 6 }]);
});

test('values come unchanged, also unusual ones', async () => {
  const sql = `SELECT 9223372036854775807 AS most, -9223372036854775808 AS least, 9e999 AS up, -9e999 AS down,
    x'00ff10' AS bytes, '' AS empty, NULL AS none, 1.0 AS one, 0.1 AS tenth, 1e300 AS large, 'ä😀' AS text, 1 AS id, 2 AS id, 3 AS id`;
  assert.deepEqual(await run(sql), [
    {
      most: 9_223_372_036_854_775_807n,
      least: -9_223_372_036_854_775_808n,
      up: Infinity,
      down: -Infinity,
      bytes: 'AP8Q',
      empty: '',
      none: null,
      one: 1,
      tenth: 0.1,
      large: 1e300,
      text: 'ä😀',
      id: 1,
      'id:1': 2,
      'id:2': 3,
    },
  ]);
});

test('a result without rows has its columns', async () => {
  const outcome = await engine.execute('project', sqlCall('SELECT id, a AS b FROM c WHERE 0'));
  assert.ok(outcome.kind === 'rows');
  assert.deepEqual(await rowsOf(outcome.batches), []);
  assert.deepEqual(outcome.columns(), [
    { name: 'id', type: 'INTEGER' },
    { name: 'b', type: '' },
  ]);
});

test('a cached statement reads a recreated table with its new columns', async () => {
  const read = async (): Promise<unknown> => run('SELECT * FROM changing');
  await run('CREATE TABLE changing (a)');
  await run('INSERT INTO changing VALUES (1)');
  assert.deepEqual(await read(), [{ a: 1 }]);
  await run('ALTER TABLE changing ADD COLUMN b DEFAULT 2');
  assert.deepEqual(await read(), [{ a: 1, b: 2 }]);
  await run('DROP TABLE changing');
  await assert.rejects(read(), { code: 'sql_error', message: 'no such table: changing' });
  await run('CREATE TABLE changing (c, d, e)');
  await run('INSERT INTO changing VALUES (1, 2, 3)');
  assert.deepEqual(await read(), [{ c: 1, d: 2, e: 3 }]);
});

test('32,766 parameters are bound, and 40,000 are refused', async () => {
  const select = (count: number) =>
    run(`SELECT ${Array.from({ length: 1000 }, () => '?').join(', ')}`, {
      params: Array.from({ length: count }, () => 1),
    });
  await assert.rejects(select(40_000), { status: 400, code: 'parameter_mismatch' });
  const list = Array.from({ length: 40_000 }, () => '?').join(', ');
  await assert.rejects(run(`SELECT 1 WHERE 1 IN (${list})`, { params: Array.from({ length: 40_000 }, () => 1) }), {
    status: 400,
    code: 'sql_error',
  });
  const most = Array.from({ length: 32_766 }, () => '?').join(', ');
  const params = Array.from({ length: 32_766 }, () => 1);
  assert.deepEqual(await run(`SELECT 1 AS one WHERE 1 IN (${most})`, { params }), [{ one: 1 }]);
});

test('a NUL does not end a statement', async () => {
  for (const sql of ['SELECT 1 \0; DROP TABLE c', 'SELECT 1 \0 + 1']) {
    const call = { ...sqlCall(''), body: Buffer.from(JSON.stringify({ sql })) };
    await assert.rejects(engine.execute('project', call), { status: 400 });
  }
  assert.deepEqual(await run('SELECT 1 AS one; -- and no more\n ;;'), [{ one: 1 }]);
});

test('writes that share a commit do not share their errors', async () => {
  await run('CREATE TABLE shared (id INTEGER PRIMARY KEY, a UNIQUE)');
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, i) => run('INSERT INTO shared (a) VALUES (?)', { params: [Math.floor(i / 2)] })),
  );
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 100);
  assert.deepEqual(await run('SELECT count(*) AS n, count(DISTINCT a) AS distinct_n FROM shared'), [
    { n: 100, distinct_n: 100 },
  ]);
});

test('a write that rolls its transaction back does not undo other writes', async () => {
  await run('CREATE TABLE rolled (id INTEGER PRIMARY KEY, a UNIQUE)');
  await run(`CREATE TRIGGER no AFTER INSERT ON rolled WHEN new.a < 0 BEGIN SELECT RAISE(ROLLBACK, 'no'); END`);
  await run('INSERT INTO rolled (a) VALUES (0)');
  const statements = Array.from({ length: 60 }, (_, i) => {
    if (i % 3 === 0) return `INSERT INTO rolled (a) VALUES (${-i - 1})`;
    return i % 3 === 1 ? 'INSERT OR ROLLBACK INTO rolled (a) VALUES (0)' : `INSERT INTO rolled (a) VALUES (${i})`;
  });
  const results = await Promise.allSettled(statements.map(sql => run(sql)));
  assert.deepEqual(
    results.map(({ status }) => status),
    statements.map((_, i) => (i % 3 === 2 ? 'fulfilled' : 'rejected')),
  );
  assert.deepEqual(await run('SELECT count(*) AS n FROM rolled'), [{ n: 21 }]);
});

test('a deferred constraint is checked for each write alone', async () => {
  await run('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
  await run('CREATE TABLE child (id REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)');
  const results = await Promise.allSettled([
    run('INSERT INTO child VALUES (1)'),
    run('INSERT INTO parent VALUES (1)'),
    run('INSERT INTO child VALUES (1)'),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});

test('a statement that fails half-way changes nothing, whatever its conflict clause', async () => {
  await run('CREATE TABLE half (a UNIQUE)');
  await assert.rejects(run('INSERT OR FAIL INTO half VALUES (1), (2), (1)'), { code: 'sql_error' });
  assert.deepEqual(await run('SELECT count(*) AS n FROM half'), [{ n: 0 }]);
});

test('a write that returns too many rows is refused and changes nothing', async () => {
  await run('CREATE TABLE wide (a)');
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO wide SELECT hex(zeroblob(500000)) FROM n RETURNING a`;
  await assert.rejects(run(sql), { status: 413, code: 'too_large' });
  assert.deepEqual(await run('SELECT count(*) AS n FROM wide'), [{ n: 0 }]);
});

test('the schema has the columns as they were declared', async () => {
  await run(
    `CREATE TABLE declared (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'no ''name''', price DECIMAL(8, 2), x)`,
  );
  const column = { notNull: false, defaultValue: null, primaryKey: 0 };
  assert.deepEqual(await engine.schema('project', 'declared'), [
    { ...column, position: 0, name: 'id', type: 'INTEGER', primaryKey: 1 },
    { ...column, position: 1, name: 'name', type: 'TEXT', notNull: true, defaultValue: `'no ''name'''` },
    { ...column, position: 2, name: 'price', type: 'DECIMAL(8, 2)' },
    { ...column, position: 3, name: 'x', type: '' },
  ]);
  await assert.rejects(engine.schema('project', 'nowhere'), { status: 404, code: 'table_not_found' });
});

test('the schema has generated columns, but no internal columns of virtual tables', async () => {
  await run('CREATE TABLE generated (a, b AS (a + 1), c AS (a * 2) STORED)');
  await run('CREATE VIRTUAL TABLE words USING fts5(text)');
  const schemas = [await engine.schema('project', 'generated'), await engine.schema('project', 'words')];
  assert.deepEqual(
    schemas.map(columns => columns.map(({ name }) => name)),
    [['a', 'b', 'c'], ['text']],
  );
});

test('a table with any name can be browsed and described', async () => {
  for (const name of ['a "quoted" one', 'with.dot', 'größe 名前', 'semi;colon', `it's`, 'select']) {
    await run(`CREATE TABLE "${name.replaceAll('"', '""')}" (a)`);
    await run(`INSERT INTO "${name.replaceAll('"', '""')}" VALUES (1)`);
    const { batches } = await engine.browse('project', { table: name, limit: 10, offset: 0 });
    assert.deepEqual(await rowsOf(batches), [{ a: 1 }], name);
    assert.equal((await engine.schema('project', name))[0]?.name, 'a');
  }
});

test('a table is browsed by its rowid, also when columns have the names of the rowid', async () => {
  for (const columns of ['rowid', 'RowID, _rowid_', 'rowid, _rowid_, oid']) {
    await run(`CREATE TABLE named (a, ${columns})`);
    await run(`INSERT INTO named (a, rowid) VALUES ('first', 3), ('second', 1), ('third', 2)`);
    const { batches } = await engine.browse('project', { table: 'named', limit: 2, offset: 1 });
    const order = JSON.stringify(await rowsOf(batches)).match(/second|third|first/g);
    assert.deepEqual(order, ['second', 'third'], columns);
    await run('DROP TABLE named');
  }
});

test('a database that another program has locked is busy, and the error says when to try again', async () => {
  await run('CREATE TABLE held (a)', { project: 'held' });
  const other = new DatabaseSync(join(folder, 'held.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  const insert = () => run('INSERT INTO held VALUES (1)', { project: 'held' });
  const refusals = await Promise.allSettled(Array.from({ length: 20 }, insert));
  for (const refusal of refusals) {
    assert.ok(refusal.status === 'rejected');
    const { status, code, retryAfter } = refusal.reason as { status: number; code: string; retryAfter: number };
    assert.deepEqual([status, code, retryAfter], [503, 'busy', 1000]);
  }
  other.exec('ROLLBACK');
  other.close();
  assert.equal(await insert(), 1);
});

test('a database that another program has locked before it is opened is busy too', async () => {
  const project = 'unopened';
  const other = new DatabaseSync(join(folder, `${project}.sqlite`));
  other.exec('BEGIN EXCLUSIVE');
  await assert.rejects(run('SELECT 1', { project }), { status: 503, code: 'busy', retryAfter: 1000 });
  other.exec('ROLLBACK');
  other.close();
  assert.deepEqual(await run('SELECT 1 AS one', { project }), [{ one: 1 }]);
});

for (const [name, sql] of [
  ['texts in rows', 'SELECT * FROM long'],
  ['BLOBs in rows', 'SELECT CAST(value AS BLOB) FROM long'],
  ['texts returned by a write', 'UPDATE long SET id = id RETURNING *'],
] as const) {
  test(`long values make short batches: ${name}`, async () => {
    const outcome = await engine.execute('project', sqlCall(sql));
    assert.ok(outcome.kind === 'rows');
    const batches = await Array.fromAsync(outcome.batches, String);
    assert.equal(batches.join('').split('},').length, 40);
    assert.ok(batches.every(batch => batch.length < 2_000_000));
  });
}

test('statements on the project’s own objects are not taken for statements on temp', async () => {
  for (const sql of [
    'CREATE TABLE own (a, b)',
    'ALTER TABLE own ADD COLUMN c DEFAULT 1',
    'ALTER TABLE own RENAME COLUMN b TO d',
    'ALTER TABLE own DROP COLUMN c',
    'ALTER TABLE own RENAME TO u',
    'CREATE TABLE v AS SELECT * FROM u ORDER BY a',
    'CREATE INDEX u_a ON u (a)',
    'CREATE TRIGGER u_i AFTER INSERT ON u BEGIN INSERT INTO v VALUES (new.a, new.d); END',
    'INSERT INTO main.u SELECT a, d FROM v ORDER BY d',
    'CREATE VIRTUAL TABLE terms USING fts5(body)',
    `INSERT INTO terms (terms) VALUES ('integrity-check')`,
    'CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)',
    'INSERT INTO boxes VALUES (1, 2, 3)',
    'ANALYZE',
    'REINDEX',
    'DROP TABLE terms',
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
  assert.equal(((await run('PRAGMA data_version')) as unknown[]).length, 1);
  await assert.rejects(run('PRAGMA data_version = 2'), { code: 'denied_statement' });
});

test('a failed browse releases its connection', async () => {
  await run('CREATE VIEW broken AS SELECT * FROM missing', { project: 'views' });
  await assert.rejects(engine.browse('views', { table: 'broken', limit: 1, offset: 0 }), { code: 'sql_error' });
  await engine.close();
  // SQLite removes the log of a database with its last connection.
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('views')),
    ['views.sqlite'],
  );
});
