import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { TableReader } from '../../../src/model/copying/tableReader.ts';
import { isFileSource } from '../../../src/model/importing/journal.ts';
import type { SourceValue } from '../../../src/model/importing/sourceRow.ts';
import { firstPlace, type Place } from '../../../src/model/importing/sourceRow.ts';
import { copyPlanOf, tableSourceOf } from '../../support/copyRuns.ts';
import { newRun, savedProgress, sendWith } from '../../support/importRuns.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = new ImportFolder();
const send = sendWith(client, projectId);
let count = 0;

const run = async (sql: string): Promise<unknown[][]> => {
  const { rows } = await client.execSql(projectId, { sql });
  return rows.map(row => Object.values(row));
};

/** Creates a source and a table for its copy, with the same columns. */
async function createTables(columns: string, suffix = ''): Promise<{ source: string; table: string }> {
  const source = `source ${++count}`;
  const table = `copy ${count}`;
  for (const name of [source, table]) await run(`CREATE TABLE "${name}" (${columns}) ${suffix}`);
  return { source, table };
}

async function copy(source: string, table: string) {
  const plan = await copyPlanOf({ client, projectId, source, table });
  const copied = newRun({ folder: folder.path, plan, send, openSource: tableSourceOf(plan, () => client) });
  await copied.start();
  if (copied.state === 'failed') throw copied.error;
  return copied;
}

/** All values with their storage classes, as texts that SQLite writes. */
async function exactRows(table: string): Promise<unknown[][]> {
  const [[columns]] = (await run(`SELECT json_group_array(name) FROM pragma_table_info('${table}')`)) as [[string]];
  const values = (JSON.parse(columns) as string[]).map(
    name => `typeof("${name}") || ' ' || quote("${name}") || hex("${name}")`,
  );
  return run(
    `SELECT ${values.join(', ')} FROM "${table}" ORDER BY ${values.map((_value, place) => place + 1).join(', ')}`,
  );
}

test('every value arrives as it is stored: storage classes, 64 bits, infinity, -0.0, BLOBs and NUL characters', async () => {
  const { source, table } = await createTables('a, b, c TEXT, d REAL, e INTEGER, f BLOB');
  await run(`INSERT INTO "${source}" VALUES
    (-9223372036854775808, 9223372036854775807, 'a' || char(0) || 'b', -0.0, 9007199254740993, x'00ff'),
    (1e400, -1e400, '', 1e400, NULL, x''),
    (5, 5.0, '5', 5, '5', 5),
    ('5', 1.7976931348623157e308, '''"\\', 4.9e-324, 'x', 'text'),
    (9007199254740993.0, 0.1, 'é😀' || char(10), 0.30000000000000004, 2.5, NULL)`);
  const { state, progress } = await copy(source, table);
  assert.deepEqual([state, progress.counts], ['done', { sentRows: 5, changedRows: 5, rejectedRows: 0 }]);
  assert.deepEqual(await exactRows(table), await exactRows(source));
});

test('a text that is not valid UTF-8 is copied with its bytes, also as a part of the key', async () => {
  const { source, table } = await createTables('a TEXT, b BLOB, c, PRIMARY KEY (a, b)', 'WITHOUT ROWID');
  await run(
    `INSERT INTO "${source}" VALUES (CAST(x'41ff42' AS TEXT), x'41ff42', 'é'), ('\u{fffd}', x'', CAST(x'eda080' AS TEXT))`,
  );
  const { state, progress } = await copy(source, table);
  assert.deepEqual([state, progress.counts.changedRows], ['done', 2]);
  assert.deepEqual(await exactRows(table), await exactRows(source));
});

test('keys of every kind put the rows in order, and no page loses or repeats one', async () => {
  const kinds: [columns: string, suffix: string, values: string][] = [
    ['a, b', '', `CASE n % 3 WHEN 0 THEN n WHEN 1 THEN 'x' || n END, n`],
    ['a INTEGER PRIMARY KEY, b', '', `n * 7 - 9000, 'v' || n`],
    ['a TEXT PRIMARY KEY NOT NULL, b', '', `'k' || n, n`],
    ['a, b, c, PRIMARY KEY (a, b)', 'WITHOUT ROWID', `n / 700, CASE n % 2 WHEN 0 THEN n ELSE 'x' || n END, n`],
    [
      'a TEXT COLLATE NOCASE, b, PRIMARY KEY (a COLLATE BINARY, b)',
      'WITHOUT ROWID',
      `CASE n % 2 WHEN 0 THEN 'a' ELSE 'A' END, n`,
    ],
    [
      'a TEXT, b REAL, PRIMARY KEY (a COLLATE NOCASE DESC, b)',
      'WITHOUT ROWID',
      `CASE n % 2 WHEN 0 THEN 'a' ELSE 'B' END, n + 0.5`,
    ],
    ['a BLOB PRIMARY KEY, b', 'WITHOUT ROWID', `CAST(x'00' || n AS BLOB), n`],
    ['rowid, oid, _rowid_', '', `n % 5, 'x', CASE n % 2 WHEN 0 THEN 1 ELSE 1.0 END`],
    ['rowid, b', '', `'same', n % 10`],
  ];
  for (const [columns, suffix, values] of kinds) {
    const { source, table } = await createTables(columns, suffix);
    await run(
      `INSERT INTO "${source}" WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) SELECT ${values} FROM c`,
    );
    const { state, isSourceChanged } = (await copy(source, table)).end;
    assert.deepEqual([state, isSourceChanged], ['done', false], columns);
    assert.deepEqual(await exactRows(table), await exactRows(source), columns);
  }
});

test('generated columns are left out, and a copy of large rows keeps its pages small', async () => {
  const { source, table } = await createTables(
    'id INTEGER PRIMARY KEY, body TEXT, size INT AS (length(body)) STORED, twice AS (id * 2)',
  );
  await run(`INSERT INTO "${source}" (body) WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
    SELECT CASE WHEN n < 30 THEN 'short' ELSE hex(zeroblob(150000)) END FROM c`);
  const plan = await copyPlanOf({ client, projectId, source, table });
  assert.ok(!isFileSource(plan.source));
  const reader = new TableReader({
    source: plan.source,
    open: async () => client.project(projectId),
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const sizes: number[] = [];
  let place: Place = firstPlace;
  for await (const block of reader.blocks(place)) {
    sizes.push(
      block.rows.reduce(
        (sum, { cells }) =>
          sum + cells.reduce((all: number, cell: SourceValue) => all + (typeof cell === 'string' ? cell.length : 8), 0),
        0,
      ),
    );
    place = block.placeAfter(block.rows.length - 1);
  }
  assert.equal(place.rows, 60);
  assert.ok(Math.max(...sizes) < 2.5 * 1024 * 1024, sizes.join(' '));
  const { state } = await copy(source, table);
  assert.equal(state, 'done');
  assert.deepEqual(
    await run(`SELECT sum(size), sum(twice) FROM "${table}"`),
    await run(`SELECT sum(size), sum(twice) FROM "${source}"`),
  );
});

test('a copy says when rows of its table were added or deleted during it', async () => {
  const { source, table } = await createTables('id INTEGER PRIMARY KEY, a');
  await run(
    `INSERT INTO "${source}" WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900) SELECT n, n FROM c`,
  );
  const plan = await copyPlanOf({ client, projectId, source, table });
  let calls = 0;
  const copied = newRun({
    folder: folder.path,
    plan,
    openSource: tableSourceOf(plan, () => client),
    send: async (...call) => {
      if (++calls === 1) await run(`DELETE FROM "${source}" WHERE id = 1`);
      return send(...call);
    },
  });
  await copied.start();
  assert.deepEqual([copied.state, copied.end.isSourceChanged], ['done', true]);
  assert.deepEqual(await run(`SELECT count(*) FROM "${table}"`), [[900]]);
});

test('a batch whose answer was lost is sent again as it was, although its rows have changed', async () => {
  const { source, table } = await createTables('id INTEGER PRIMARY KEY, a');
  await run(`INSERT INTO "${source}" VALUES (1, 'one'), (2, 'two'), (3, 'three')`);
  const plan = await copyPlanOf({ client, projectId, source, table });
  const openSource = tableSourceOf(plan, () => client);
  const lost = newRun({
    folder: folder.path,
    plan,
    openSource,
    send: async (...call) => {
      await send(...call);
      throw new Error('The connection was lost.');
    },
  });
  await lost.start();
  assert.equal(lost.state, 'failed');
  await run(`UPDATE "${source}" SET a = 'changed'`);
  await run(`DELETE FROM "${source}" WHERE id = 2`);
  await run(`INSERT INTO "${source}" VALUES (4, 'four')`);
  const progress = await savedProgress(folder.path, plan);
  const rest = newRun({ folder: folder.path, plan, progress, openSource, send });
  await rest.start();
  assert.equal(rest.state, 'done');
  assert.deepEqual(await run(`SELECT * FROM "${table}" ORDER BY id`), [
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
  ]);
  assert.deepEqual(await savedProgress(folder.path, plan), undefined);
});

test('a table whose columns have changed stops the copy before a row is written', async () => {
  const { source, table } = await createTables('id INTEGER PRIMARY KEY, a');
  await run(`INSERT INTO "${source}" VALUES (1, 'one')`);
  const plan = await copyPlanOf({ client, projectId, source, table });
  await run(`ALTER TABLE "${source}" RENAME COLUMN a TO b`);
  const copied = newRun({ folder: folder.path, plan, send, openSource: tableSourceOf(plan, () => client) });
  await copied.start();
  assert.equal((copied.error as { code?: string }).code, 'source_changed');
  assert.deepEqual(await run(`SELECT * FROM "${table}"`), []);
});

test('a rejected row is reported with its number and values, and statements after the rows run once', async () => {
  const { source, table } = await createTables('id INTEGER PRIMARY KEY, a');
  await run(`INSERT INTO "${source}" VALUES (1, 'one'), (2, 'it''s'), (3, 'three')`);
  await run(`INSERT INTO "${table}" VALUES (2, 'present')`);
  const finish = [`CREATE TABLE "done ${count}" (a)`, 'CREATE TABLE "done"'];
  const plan = await copyPlanOf({ client, projectId, source, table, finish });
  const copied = newRun({ folder: folder.path, plan, send, openSource: tableSourceOf(plan, () => client) });
  await copied.start();
  assert.equal(copied.state, 'done');
  assert.deepEqual(copied.progress.counts, { sentRows: 2, changedRows: 2, rejectedRows: 1 });
  assert.equal(copied.end.refusedStatements.length, 1);
  assert.deepEqual(await run(`SELECT count(*) FROM "done ${count}"`), [[0]]);
});
