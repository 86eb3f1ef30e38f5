import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { rememberedMs } from '../../../src/wire/headers.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';
import type { SendStatement } from '../../../src/model/importing/importRun.ts';
import { leaveOut, sendAgain, unknownRows } from '../../../src/model/importing/importEnd.ts';
import { newRun, planOf, rejectedLines, savedProgress, sendWith } from '../../support/importRuns.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = await ImportFolder.create();
after(() => folder[Symbol.asyncDispose]());
const send = sendWith(client, projectId);
let count = 0;

/** A service that reads short bodies only. */
const small: SendStatement = async (request, options) => {
  const size = 'body' in request ? request.body.length : JSON.stringify(request.params).length;
  if (size > 500) throw new ServiceError({ status: 413, code: 'too_large', message: `${size} characters` });
  return send(request, options);
};

/** The answer to each call is lost. */
const lost: SendStatement = async (request, options) => {
  await send(request, options);
  throw new Error('The connection was lost.');
};

/** Integers in one type, whatever their source. */
const plain = (row: object): unknown[] =>
  Object.values(row).map((value: unknown) =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  );

async function createTable(columns: string, suffix = ''): Promise<string> {
  const table = `t ${++count}`;
  await client.execSql(projectId, { sql: `CREATE TABLE "${table}" (${columns}) ${suffix}` });
  return table;
}

async function rowsOf(table: string): Promise<unknown[][]> {
  const { rows } = await client.execSql(projectId, { sql: `SELECT * FROM "${table}" ORDER BY rowid` });
  return rows.map(row => Object.values(row));
}

async function importFile(table: string, content: string, choice: Partial<Parameters<typeof planOf>[2]> = {}) {
  const path = await folder.write(`file ${count}.csv`, content);
  const plan = await planOf(client, projectId, { path, table, ...choice });
  const run = newRun({ folder: folder.path, plan, send });
  await run.start();
  return { run, plan, counts: run.progress.counts };
}

test('values are stored as the affinity of their column asks, and as they are spelled elsewhere, if the user wants text in number columns', async () => {
  const table = await createTable('a TEXT, b, c INTEGER, d REAL, e NUMERIC, f DATE');
  const values = ['007', '1e5', '12345678901234567890', '', 'x', '2024-01-02'];
  const lines = values.map(value => Array.from({ length: 6 }, () => value).join(','));
  const { run, counts } = await importFile(
    table,
    `a,b,c,d,e,f\n${lines.join('\n')}\n"\0","a ""b""\nc",,,,\n"say ""hi""",it's \\ ""all,,,,\n`,
    { target: { checksNumbers: false } },
  );
  assert.deepEqual([run.state, counts], ['done', { sentRows: 8, changedRows: 8, rejectedRows: 0 }]);
  const rows = await rowsOf(table);
  assert.deepEqual(
    rows.slice(0, 6).map(([text, none]) => [text, none]),
    values.map(value => [value, value]),
  );
  assert.deepEqual(rows[0]?.slice(2), [7, 7, 7, 7]);
  assert.deepEqual(rows[3]?.slice(2), ['', '', '', '']);
  assert.deepEqual(rows[5]?.slice(2), ['2024-01-02', '2024-01-02', '2024-01-02', '2024-01-02']);
  assert.deepEqual(rows[6]?.slice(0, 2), ['\0', 'a "b"\nc']);
  assert.deepEqual(rows[7]?.slice(0, 2), ['say "hi"', 'it\'s \\ ""all']);
});

for (const [name, delimiter] of [
  ['commas', ','],
  ['tabs', '\t'],
  ['apostrophes', "'"],
] as const) {
  test(`every character arrives as it is from a file with ${name}`, async () => {
    // SQLite reads a text up to a NUL character.
    const all = Array.from({ length: 0x17f }, (_, code) => String.fromCharCode(code + 1));
    // Rows without a special character are encoded faster, so each of these has a file without the others.
    const special = ["it's", "''", '\\', "\\'", 'a\tb', '\r\n', '\n', '\u0001', '\u007f', '"', '\u2028', '😀', "['x']"];
    for (const texts of [all, ...special.map(text => ['plain', text, 'plain'])]) {
      const table = await createTable('id INTEGER, text TEXT, last TEXT');
      const lines = texts.map((text, id) => [id, `"${text.replaceAll('"', '""')}"`, 'x'].join(delimiter));
      const content = [['id', 'text', 'last'].join(delimiter), ...lines].join('\n');
      await importFile(table, content, { options: { delimiter } });
      assert.deepEqual(
        await rowsOf(table),
        texts.map((text, id) => [id, text, 'x']),
      );
    }
  });
}

test('a text that is not valid UTF-8 arrives with its bytes, also when its row waits for another one or is rejected', async () => {
  const bytes = `CAST(x'41ff42' AS TEXT)`;
  const table = await createTable(
    `id INTEGER PRIMARY KEY, parent INTEGER REFERENCES "t ${count + 1}", text TEXT UNIQUE`,
  );
  const path = join(folder.path, `file ${count}.db`);
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE rows (id, parent, text); INSERT INTO rows VALUES (1, 4, ${bytes}), (2, 4, x'41ff42'),
    (3, NULL, ${bytes}), (4, NULL, '\u{fffd}')`);
  database.close();
  const plan = await planOf(client, projectId, { path, table });
  const run = newRun({ folder: folder.path, plan, send });
  await run.start();
  assert.deepEqual([run.state, run.progress.rounds], ['done', 1]);
  const sql = `SELECT id, typeof(text) || ' ' || hex(text) AS text FROM "${table}" ORDER BY id`;
  assert.deepEqual(
    (await client.execSql(projectId, { sql })).rows.map(row => Object.values(row)),
    [
      [2, 'blob 41FF42'],
      [3, 'text 41FF42'],
      [4, 'text EFBFBD'],
    ],
  );
  assert.match(
    (await rejectedLines(folder.path, plan)).join('\n'),
    /^1,text,UNIQUE.*,"1, 4, CAST\(x'41ff42' AS TEXT\)"$/,
  );
});

/** A value for each column, in the order of `numbers`. */
const numbers = 'i INTEGER, r REAL, n NUMERIC, flag BOOLEAN, day DATE, none, text TEXT';
const goodRows = [
  ['1', '1.5', '-2e3', '1', '2024-01-02', 'abc', 'abc'],
  [' 7 ', '.5', '0', '0', 'abc', '', ''],
  [null, null, null, null, null, null, null],
];
const badRows = [
  ['abc', '1', '1', '1', '', '', ''],
  ['18446744073709551615', '1', '1', '1', '', '', ''],
  ['1', '0x10', '1', '1', '', '', ''],
  ['1', '1', '12 345', '1', '', '', ''],
  ['1', '1', '1', 'yes', '', '', ''],
];
const refusedValues = ['i notNumber', 'i integerTooLarge', 'r notNumber', 'n notNumber', 'flag notNumber'];
const names = ['i', 'r', 'n', 'flag', 'day', 'none', 'text'];
const csvValue = (value: string | null): string => (value === null ? '' : `"${value}"`);
const csvFile = (rows: readonly (readonly (string | null)[])[]): string =>
  [names, ...rows].map(row => row.map(csvValue).join(',')).join('\n');
const ndjsonFile = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.map(row => JSON.stringify(Object.fromEntries(names.map((name, nth) => [name, row[nth]])))).join('\n');

async function databaseFile(path: string, rows: readonly (readonly (string | null)[])[]): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE rows (${names.join(', ')})`);
  const insert = database.prepare(`INSERT INTO rows VALUES (${names.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(...row);
  database.close();
}

for (const format of ['csv', 'ndjson', 'db'] as const) {
  test(`a value that is not a number rejects its row in a column for numbers, unless it is to be stored as text (${format})`, async () => {
    const all = [...goodRows, ...badRows];
    const path = join(folder.path, `numbers.${format}`);
    if (format === 'db') await databaseFile(path, all);
    else await folder.write(`numbers.${format}`, (format === 'csv' ? csvFile : ndjsonFile)(all));
    const options = { nullText: '' };
    const table = await createTable(numbers);
    const plan = await planOf(client, projectId, { path, table, options });
    const run = newRun({ folder: folder.path, plan, send });
    await run.start();
    assert.deepEqual([run.state, run.progress.counts], ['done', { sentRows: 3, changedRows: 3, rejectedRows: 5 }]);
    const rejected = (await rejectedLines(folder.path, plan)).map(line => line.split(',').slice(1, 3).join(' '));
    assert.deepEqual(rejected, refusedValues);
    const types = names.map(name => `typeof("${name}")`).join(` || ' ' || `);
    const typesOf = async () =>
      (await client.execSql(projectId, { sql: `SELECT ${types} FROM "${table}"` })).rows.map(
        row => Object.values(row)[0],
      );
    assert.deepEqual(await typesOf(), [
      'integer real integer integer text text text',
      'integer real integer integer text text text',
      'null null null null null null null',
    ]);
    await client.execSql(projectId, { sql: `DELETE FROM "${table}"` });
    const asText = newRun({
      folder: folder.path,
      plan: await planOf(client, projectId, { path, table, options, target: { checksNumbers: false } }),
      send,
    });
    await asText.start();
    assert.deepEqual(asText.progress.counts, { sentRows: 8, changedRows: 8, rejectedRows: 0 });
    assert.equal((await typesOf())[3], 'text real integer integer text text text');
    assert.equal((await typesOf())[4], 'real real integer integer text text text');
  });
}

for (const format of ['csv', 'ndjson'] as const) {
  test(`a column for numbers takes nothing as NULL and words for booleans, and other columns keep both (${format})`, async () => {
    const table = await createTable('i INTEGER, at INTERVAL, spot POINT, flag BOOLEAN, text TEXT, big BIGINT UNSIGNED');
    const rows = [
      ['', '1 day', '(1,2)', 'true', '', '9223372036854775807'],
      ['1', '', '', 'FALSE', 'true', '-9223372036854775808'],
      ['2', '', '', '', 'x', ''],
    ];
    const header = ['i', 'at', 'spot', 'flag', 'text', 'big'];
    const file =
      format === 'csv'
        ? [header, ...rows].map(row => row.map(cell => (cell.includes(',') ? `"${cell}"` : cell)).join(',')).join('\n')
        : rows.map(row => JSON.stringify(Object.fromEntries(header.map((name, nth) => [name, row[nth]])))).join('\n');
    const path = await folder.write(`words.${format}`, file);
    const run = newRun({ folder: folder.path, plan: await planOf(client, projectId, { path, table }), send });
    await run.start();
    assert.deepEqual(run.progress.counts, { sentRows: 3, changedRows: 3, rejectedRows: 0 });
    assert.deepEqual(await rowsOf(table), [
      [null, '1 day', '(1,2)', 1, '', 9_223_372_036_854_775_807n],
      [1, '', '', 0, 'true', -9_223_372_036_854_775_808n],
      [2, '', '', null, 'x', null],
    ]);
  });
}

test('an empty key rejects its row where rows are found by it', async () => {
  const table = await createTable('id INTEGER PRIMARY KEY, name TEXT');
  for (const time of ['first', 'second']) {
    const { counts } = await importFile(table, `id,name\n1,${time}\n,${time}\n`, {
      target: { mode: 'upsert', key: ['id'] },
    });
    assert.deepEqual([counts.sentRows, counts.rejectedRows], [1, 1]);
  }
  assert.deepEqual(await rowsOf(table), [[1, 'second']]);
});

test('bytes in a column for numbers reject their row, and stop the import before it if the user wants that', async () => {
  const table = await createTable('id INTEGER PRIMARY KEY, price REAL');
  const path = join(folder.path, `file ${count}.db`);
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE rows (id, price); INSERT INTO rows VALUES (1, 1), (2, x'31'), (3, 3)`);
  database.close();
  const plan = await planOf(client, projectId, { path, table, stopsAtRejection: true });
  const run = newRun({ folder: folder.path, plan, send });
  await run.start();
  assert.equal(run.state, 'stopped');
  assert.deepEqual(run.lastRejection, {
    line: 2,
    column: 'price',
    reason: { kind: 'notNumber', column: 'price' },
    text: `2, x'31'`,
  });
  assert.deepEqual(await rowsOf(table), [[1, 1]]);
});

test('a STRICT table refuses by itself what is to be stored as text', async () => {
  const table = await createTable('i INT, any ANY', 'STRICT');
  const { counts, plan } = await importFile(table, 'i,any\nabc,abc\n1,abc\n', { target: { checksNumbers: false } });
  assert.equal(counts.sentRows, 1);
  assert.match((await rejectedLines(folder.path, plan)).join(), /cannot store TEXT value in INT column/);
});

test('columns that the file does not have get their defaults, and an autoincrement key numbers itself', async () => {
  const table = await createTable(`id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, state TEXT DEFAULT 'new'`);
  await importFile(table, 'name,other\nAnn,1\nBob,2\n');
  assert.deepEqual(await rowsOf(table), [
    [1, 'Ann', 'new'],
    [2, 'Bob', 'new'],
  ]);
});

test('a bad row costs a few calls, goes to a file with its line and column, and does not stop the rest', async () => {
  const table = await createTable('id INTEGER PRIMARY KEY, mail TEXT UNIQUE, age INTEGER CHECK (age < 200)');
  const lines = Array.from({ length: 4000 }, (_, id) => `${id},m${id}@x,${id % 100}`);
  lines[1000] = '1000,m5@x,1';
  lines[3000] = '3000,m3000@x,500';
  lines[3500] = 'broken';
  const path = await folder.write('bad.csv', `id,mail,age\n${lines.join('\n')}\n`);
  const plan = await planOf(client, projectId, { path, table });
  let calls = 0;
  const run = newRun({
    folder: folder.path,
    plan,
    send: (...call) => {
      calls++;
      return send(...call);
    },
  });
  await run.start();
  assert.equal(run.state, 'done');
  assert.deepEqual(run.progress.counts, { sentRows: 3997, changedRows: 3997, rejectedRows: 3 });
  assert.deepEqual((await rejectedLines(folder.path, plan)).toSorted(), [
    `1002,mail,UNIQUE constraint failed: ${table}.mail,"1000,m5@x,1"`,
    `3002,age,CHECK constraint failed: age < 200,"3000,m3000@x,500"`,
    '3502,,fieldCount,broken',
  ]);
  assert.ok(calls < 60, `${calls} calls`);
  assert.equal(await savedProgress(folder.path, plan), undefined);
});

test('with the choice to stop, all rows before the bad one are imported and none after it, until the import continues', async () => {
  for (const bad of ['5', '5,x,y', '3,again']) {
    const table = await createTable('id INTEGER PRIMARY KEY, name TEXT');
    const content = `id,name\n1,a\n2,b\n3,c\n${bad}\n6,f\n7,g\n`;
    const { run, plan } = await importFile(table, content, { stopsAtRejection: true });
    assert.equal(run.state, 'stopped');
    assert.equal(run.lastRejection?.line, 5);
    assert.deepEqual(
      (await rowsOf(table)).map(([id]) => id),
      [1, 2, 3],
    );
    const progress = await savedProgress(folder.path, plan);
    const rest = newRun({ folder: folder.path, plan: { ...plan, stopsAtRejection: false }, progress, send });
    await rest.start();
    assert.equal(rest.state, 'done');
    assert.deepEqual(
      (await rowsOf(table)).map(([id]) => id),
      [1, 2, 3, 6, 7],
    );
  }
});

test('each mode meets rows of the table in its own way', async () => {
  const content = 'id,name\n1,new\n2,new\n2,newer\n';
  const rows = async (mode: 'ignore' | 'replace' | 'upsert' | 'update') => {
    const table = await createTable(`id INTEGER PRIMARY KEY, name TEXT, note TEXT DEFAULT 'none'`);
    await client.execSql(projectId, { sql: `INSERT INTO "${table}" VALUES (1, 'old', 'kept')` });
    const { counts } = await importFile(table, content, { target: { mode, key: ['id'] } });
    return [counts.changedRows, ...(await rowsOf(table))];
  };
  assert.deepEqual(await rows('ignore'), [1, [1, 'old', 'kept'], [2, 'new', 'none']]);
  assert.deepEqual(await rows('replace'), [3, [1, 'new', 'none'], [2, 'newer', 'none']]);
  assert.deepEqual(await rows('upsert'), [3, [1, 'new', 'kept'], [2, 'newer', 'none']]);
  assert.deepEqual(await rows('update'), [1, [1, 'new', 'kept']]);
});

test('an update uses the last of several rows with a key, and a NULL in a key matches no row', async () => {
  const table = await createTable('a, b, c');
  await client.execSql(projectId, { sql: `INSERT INTO "${table}" VALUES ('1', 'x', 0), (NULL, 'x', 0)` });
  const options = { nullText: '' };
  await importFile(table, 'a,b,c\n1,x,5\n1,x,6\n,x,7\n', { options, target: { mode: 'update', key: ['a', 'b'] } });
  assert.deepEqual(await rowsOf(table), [
    ['1', 'x', '6'],
    [null, 'x', 0],
  ]);
});

test('the values of a database file arrive with their types', async () => {
  const table = await createTable('i, r, t, b');
  const path = join(folder.path, 'types.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE s (i, r, t, b);
    INSERT INTO s VALUES (-9223372036854775808, 1e400, 'a' || char(0), x'00ff'), (NULL, -0.0, '', x''), (5, 5.0, '5', '0x00')`);
  const types = 'SELECT typeof(i), typeof(r), typeof(t), typeof(b), hex(b), length(CAST(t AS BLOB)), i, r FROM';
  const expected = database.prepare(`${types} s`);
  expected.setReadBigInts(true);
  for (const hasJsonb of [true, false]) {
    const plan = await planOf(client, projectId, { path, table, target: { hasJsonb } });
    const run = newRun({ folder: folder.path, plan, send });
    await run.start();
    assert.equal(run.state, 'done');
    const { rows } = await client.execSql(projectId, { sql: `${types} "${table}"` });
    assert.deepEqual(rows.map(plain), expected.all().map(plain));
    await client.execSql(projectId, { sql: `DELETE FROM "${table}"` });
  }
  database.close();
});

test('a statement that is wrong itself ends the import and blames no row', async () => {
  const table = await createTable('a');
  const path = await folder.write('gone.csv', 'a\n1\n2\n');
  const plan = await planOf(client, projectId, { path, table });
  await client.execSql(projectId, { sql: `DROP TABLE "${table}"` });
  const run = newRun({ folder: folder.path, plan, send });
  await run.start();
  assert.equal(run.state, 'failed');
  assert.match(String(run.error), /no such table/);
  assert.deepEqual(run.progress.counts, { sentRows: 0, changedRows: 0, rejectedRows: 0 });
  await client.execSql(projectId, { sql: `CREATE TABLE "${table}" (a)` });
  const progress = await savedProgress(folder.path, plan);
  const again = newRun({ folder: folder.path, plan, send, progress });
  await again.start();
  assert.equal(again.state, 'done');
  assert.deepEqual(await rowsOf(table), [['1'], ['2']]);
});

test('rows that are too many or too large for one call are divided, and a row that is too large is rejected', async () => {
  const table = await createTable('a, b');
  const lines = Array.from({ length: 300 }, (_, id) => `${id},${id === 123 ? 'x'.repeat(600) : 'y'}`);
  const path = await folder.write('large.csv', `a,b\n${lines.join('\n')}\n`);
  const plan = await planOf(client, projectId, { path, table });
  const run = newRun({ folder: folder.path, plan, send: small });
  await run.start();
  assert.equal(run.state, 'done');
  assert.equal((await rowsOf(table)).length, 299);
  assert.match((await rejectedLines(folder.path, plan)).join('|'), /^125,,\d+ characters,"123,x/);
});

test('a file that changes during the import, or before it continues, ends it with its rows so far', async () => {
  const table = await createTable('a');
  const lines = Array.from({ length: 200_000 }, (_, id) => String(id));
  const path = await folder.write('changing.csv', `a\n${lines.join('\n')}\n`);
  const plan = await planOf(client, projectId, { path, table });
  let calls = 0;
  const run = newRun({
    folder: folder.path,
    plan,
    send: async (...call) => {
      if (++calls === 3) await appendFile(path, 'more\n');
      return send(...call);
    },
  });
  await run.start();
  assert.equal(run.state, 'failed');
  assert.match(String(run.error), /changed/);
  const imported = (await rowsOf(table)).map(([a]) => a);
  assert.equal(imported.length, run.progress.counts.sentRows);
  assert.deepEqual(imported, lines.slice(0, imported.length));
  const again = newRun({ folder: folder.path, plan, send, progress: run.progress });
  await again.start();
  assert.deepEqual([again.state, (await rowsOf(table)).length], ['failed', imported.length]);
});

test('an import pauses between calls, continues, and ends when it is cancelled', async () => {
  const table = await createTable('a');
  const lines = Array.from({ length: 100_000 }, (_, id) => String(id));
  const path = await folder.write('paused.csv', `a\n${lines.join('\n')}\n`);
  const plan = await planOf(client, projectId, { path, table });
  let calls = 0;
  const run = newRun({
    folder: folder.path,
    plan,
    send: async (...call) => {
      calls++;
      if (calls === 2) run.pause();
      if (calls === 4) run.cancel();
      return send(...call);
    },
  });
  const ended = run.start();
  while (run.progress.counts.sentRows < 20_000 && run.state !== 'failed') await new Promise(setImmediate);
  assert.equal(run.state, 'paused');
  assert.equal(calls, 2);
  run.resume();
  await ended;
  assert.equal(run.state, 'cancelled');
  assert.equal(calls, 4);
  const imported = run.progress.counts.sentRows;
  assert.equal((await rowsOf(table)).length, imported);
  const rest = newRun({ folder: folder.path, plan, send, progress: await savedProgress(folder.path, plan) });
  await rest.start();
  assert.deepEqual(
    (await rowsOf(table)).map(([a]) => a),
    lines,
  );
});

test('rows whose answer was lost more than a day ago are not sent again unasked', async () => {
  for (const choice of ['again', 'leave out'] as const) {
    const table = await createTable('a');
    const path = await folder.write('expired.csv', 'a\n1\n2\n');
    const plan = await planOf(client, projectId, { path, table });
    await newRun({ folder: folder.path, plan, send: lost }).start();
    const progress = (await savedProgress(folder.path, plan))!;
    const now = Date.now() + rememberedMs;
    const clock = { now: () => now, after: () => () => undefined };
    const late = newRun({ folder: folder.path, plan, send, progress, clock });
    await late.start();
    assert.equal((late.error as { code?: string }).code, 'import_outcome_expired');
    assert.deepEqual(unknownRows(late.progress), { from: 1, to: 2 });
    assert.equal((await rowsOf(table)).length, 2);
    const decided = choice === 'again' ? sendAgain(progress, now) : leaveOut(progress, now);
    const last = newRun({ folder: folder.path, plan, send, progress: decided, clock });
    await last.start();
    assert.equal(last.state, 'done');
    assert.equal((await rowsOf(table)).length, choice === 'again' ? 4 : 2);
  }
});

test('rows whose answer was lost are not doubled by a refusal that has nothing to do with them', async () => {
  const refusals = [
    { status: 401, code: 'unauthenticated' },
    { status: 403, code: 'forbidden' },
    { status: 404, code: 'not_found' },
  ];
  for (const { status, code } of refusals) {
    const table = await createTable('a');
    const path = await folder.write('refused.csv', 'a\n1\n2\n');
    const plan = await planOf(client, projectId, { path, table });
    await newRun({ folder: folder.path, plan, send: lost }).start();
    const refuse: SendStatement = async () => {
      throw new ServiceError({ status, code, message: 'No.' });
    };
    const refused = newRun({
      folder: folder.path,
      plan,
      send: refuse,
      progress: await savedProgress(folder.path, plan),
    });
    await refused.start();
    assert.equal((refused.error as { code?: string }).code, code);
    const last = newRun({ folder: folder.path, plan, send, progress: await savedProgress(folder.path, plan) });
    await last.start();
    assert.deepEqual([last.state, await rowsOf(table)], ['done', [['1'], ['2']]], code);
  }
});

test('rows that were sent before in another form are not sent again unasked', async () => {
  const table = await createTable('a');
  const path = await folder.write('conflict.csv', 'a\n1\n2\n');
  const plan = await planOf(client, projectId, { path, table });
  await newRun({ folder: folder.path, plan, send: lost }).start();
  const progress = (await savedProgress(folder.path, plan))!;
  // Another version of the product writes the statement in another way.
  const other: SendStatement = async (_request, options) =>
    send({ sql: `INSERT INTO "${table}" SELECT value FROM json_each(?)`, params: ['[1,2]'] }, options);
  const run = newRun({ folder: folder.path, plan, send: other, progress });
  await run.start();
  assert.equal((run.error as { code?: string }).code, 'import_outcome_expired');
  assert.deepEqual(await rowsOf(table), [['1'], ['2']]);
});

test('a database file that changed in its write-ahead log is not read further', async () => {
  const table = await createTable('a, b');
  const path = join(folder.path, 'logged.sqlite');
  using writer = new DatabaseSync(path);
  writer.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a INTEGER PRIMARY KEY, b);
    INSERT INTO t WITH RECURSIVE c(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM c LIMIT 2000) SELECT n, hex(zeroblob(400)) FROM c;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  const plan = await planOf(client, projectId, { path, table, options: { format: 'sqlite', table: 't' } });
  let calls = 0;
  const once: SendStatement = async (...call) => {
    if (++calls > 1) throw new Error('The connection was lost.');
    return send(...call);
  };
  const first = newRun({ folder: folder.path, plan, send: once });
  await first.start();
  const imported = first.progress.counts.sentRows;
  assert.ok(imported > 0 && imported < 2000);
  assert.equal(first.share, imported / 2000);
  writer.exec(`DELETE FROM t WHERE a < 20; INSERT INTO t VALUES (1, 'new')`);
  const rest = newRun({ folder: folder.path, plan, send, progress: await savedProgress(folder.path, plan) });
  await rest.start();
  assert.equal((rest.error as { code?: string }).code, 'source_changed');
  assert.equal((await rowsOf(table)).length, imported);
});

test('a thread that dies ends the import, and a later run continues', async () => {
  const table = await createTable('a');
  const path = await folder.write('thread.csv', 'a\n1\n2\n');
  const plan = await planOf(client, projectId, { path, table });
  const broken = await folder.write('broken.mjs', 'process.exit(1);');
  const run = newRun({ folder: folder.path, plan, send, thread: broken });
  await run.start();
  assert.deepEqual([run.state, (run.error as { code?: string }).code], ['failed', 'import_interrupted']);
  const rest = newRun({ folder: folder.path, plan, send, progress: await savedProgress(folder.path, plan) });
  await rest.start();
  assert.deepEqual([rest.state, await rowsOf(table)], ['done', [['1'], ['2']]]);
});
