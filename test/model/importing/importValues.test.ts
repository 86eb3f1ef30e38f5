import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { changeDatabase } from '../../support/changeDatabase.ts';
import { ImportedProject } from '../../support/importRuns.ts';

/** The values of files as they are stored in a table. */

const imports = await ImportedProject.start();
const { folder } = imports;

/** Integers in one type, whatever their source. */
const plain = (row: object): unknown[] =>
  Object.values(row).map((value: unknown) =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  );

test('values are stored as the affinity of their column asks, and as they are spelled elsewhere, if the user wants text in number columns', async () => {
  const table = await imports.createTable('a TEXT, b, c INTEGER, d REAL, e NUMERIC, f DATE');
  const values = ['007', '1e5', '12345678901234567890', '', 'x', '2024-01-02'];
  const lines = values.map(value => Array.from({ length: 6 }, () => value).join(','));
  const { run, counts } = await imports.importText(
    table,
    `a,b,c,d,e,f\n${lines.join('\n')}\n"\0","a ""b""\nc",,,,\n"say ""hi""",it's \\ ""all,,,,\n`,
    { target: { checksNumbers: false } },
  );
  assert.deepEqual([run.state, counts], ['done', { sentRows: 8, changedRows: 8, rejectedRows: 0 }]);
  const rows = await imports.rowsOf(table);
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
      const table = await imports.createTable('id INTEGER, text TEXT, last TEXT');
      const lines = texts.map((text, id) => [id, `"${text.replaceAll('"', '""')}"`, 'x'].join(delimiter));
      const content = [['id', 'text', 'last'].join(delimiter), ...lines].join('\n');
      await imports.importText(table, content, { options: { delimiter } });
      assert.deepEqual(
        await imports.rowsOf(table),
        texts.map((text, id) => [id, text, 'x']),
      );
    }
  });
}

test('a text that is not valid UTF-8 arrives with its bytes, also when its row waits for another one or is rejected', async () => {
  const bytes = `CAST(x'41ff42' AS TEXT)`;
  const table = 'raw_texts';
  await imports.sql(
    'CREATE TABLE raw_texts (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES raw_texts, text TEXT UNIQUE)',
  );
  const path = join(folder.path, 'notes.db');
  changeDatabase(
    path,
    `CREATE TABLE rows (id, parent, text); INSERT INTO rows VALUES (1, 4, ${bytes}), (2, 4, x'41ff42'),
    (3, NULL, ${bytes}), (4, NULL, '\u{fffd}')`,
  );
  const plan = await imports.plan({ path, table });
  const run = await imports.run(plan);
  assert.deepEqual([run.state, run.progress.rounds], ['done', 1]);
  const sql = `SELECT id, typeof(text) || ' ' || hex(text) AS text FROM "${table}" ORDER BY id`;
  assert.deepEqual(
    (await imports.sql(sql)).map(row => Object.values(row)),
    [
      [2, 'blob 41FF42'],
      [3, 'text 41FF42'],
      [4, 'text EFBFBD'],
    ],
  );
  assert.match((await imports.rejectedLines(plan)).join('\n'), /^1,text,UNIQUE.*,"1, 4, CAST\(x'41ff42' AS TEXT\)"$/);
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

function numbersFile(path: string, rows: readonly (readonly (string | null)[])[]): void {
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
    if (format === 'db') numbersFile(path, all);
    else await folder.write(`numbers.${format}`, (format === 'csv' ? csvFile : ndjsonFile)(all));
    const options = { nullText: '' };
    const table = await imports.createTable(numbers);
    const plan = await imports.plan({ path, table, options });
    const run = await imports.run(plan);
    assert.deepEqual([run.state, run.progress.counts], ['done', { sentRows: 3, changedRows: 3, rejectedRows: 5 }]);
    const rejected = (await imports.rejectedLines(plan)).map(line => line.split(',').slice(1, 3).join(' '));
    assert.deepEqual(rejected, refusedValues);
    const types = names.map(name => `typeof("${name}")`).join(` || ' ' || `);
    const typesOf = async () =>
      (await imports.sql(`SELECT ${types} FROM "${table}"`)).map(row => Object.values(row)[0]);
    assert.deepEqual(await typesOf(), [
      'integer real integer integer text text text',
      'integer real integer integer text text text',
      'null null null null null null null',
    ]);
    await imports.sql(`DELETE FROM "${table}"`);
    const asText = await imports.run(await imports.plan({ path, table, options, target: { checksNumbers: false } }));
    assert.deepEqual(asText.progress.counts, { sentRows: 8, changedRows: 8, rejectedRows: 0 });
    assert.equal((await typesOf())[3], 'text real integer integer text text text');
    assert.equal((await typesOf())[4], 'real real integer integer text text text');
  });
}

for (const format of ['csv', 'ndjson'] as const) {
  test(`a column for numbers takes nothing as NULL and words for booleans, and other columns keep both (${format})`, async () => {
    const table = await imports.createTable(
      'i INTEGER, at INTERVAL, spot POINT, flag BOOLEAN, text TEXT, big BIGINT UNSIGNED',
    );
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
    const run = await imports.run(await imports.plan({ path, table }));
    assert.deepEqual(run.progress.counts, { sentRows: 3, changedRows: 3, rejectedRows: 0 });
    assert.deepEqual(await imports.rowsOf(table), [
      [null, '1 day', '(1,2)', 1, '', 9_223_372_036_854_775_807n],
      [1, '', '', 0, 'true', -9_223_372_036_854_775_808n],
      [2, '', '', null, 'x', null],
    ]);
  });
}

test('an empty key rejects its row where rows are found by it', async () => {
  const table = await imports.createTable('id INTEGER PRIMARY KEY, name TEXT');
  for (const time of ['first', 'second']) {
    const { counts } = await imports.importText(table, `id,name\n1,${time}\n,${time}\n`, {
      target: { mode: 'upsert', key: ['id'] },
    });
    assert.deepEqual([counts.sentRows, counts.rejectedRows], [1, 1]);
  }
  assert.deepEqual(await imports.rowsOf(table), [[1, 'second']]);
});

test('bytes in a column for numbers reject their row, and stop the import before it if the user wants that', async () => {
  const table = await imports.createTable('id INTEGER PRIMARY KEY, price REAL');
  const path = join(folder.path, 'prices.db');
  changeDatabase(path, `CREATE TABLE rows (id, price); INSERT INTO rows VALUES (1, 1), (2, x'31'), (3, 3)`);
  const plan = await imports.plan({ path, table, stopsAtRejection: true });
  const run = await imports.run(plan);
  assert.equal(run.state, 'stopped');
  assert.deepEqual(run.end.lastRejection, {
    line: 2,
    column: 'price',
    reason: { kind: 'notNumber', column: 'price' },
    text: `2, x'31'`,
  });
  assert.deepEqual(await imports.rowsOf(table), [[1, 1]]);
});

test('a STRICT table refuses by itself what is to be stored as text', async () => {
  const table = await imports.createTable('i INT, any ANY', 'STRICT');
  const { counts, plan } = await imports.importText(table, 'i,any\nabc,abc\n1,abc\n', {
    target: { checksNumbers: false },
  });
  assert.equal(counts.sentRows, 1);
  assert.match((await imports.rejectedLines(plan)).join(), /cannot store TEXT value in INT column/);
});

test('the values of a database file arrive with their types', async () => {
  const table = await imports.createTable('i, r, t, b');
  const path = join(folder.path, 'types.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE s (i, r, t, b);
    INSERT INTO s VALUES (-9223372036854775808, 1e400, 'a' || char(0), x'00ff'), (NULL, -0.0, '', x''), (5, 5.0, '5', '0x00')`);
  const types = 'SELECT typeof(i), typeof(r), typeof(t), typeof(b), hex(b), length(CAST(t AS BLOB)), i, r FROM';
  const expected = database.prepare(`${types} s`);
  expected.setReadBigInts(true);
  for (const hasJsonb of [true, false]) {
    const plan = await imports.plan({ path, table, target: { hasJsonb } });
    const run = await imports.run(plan);
    assert.equal(run.state, 'done');
    const rows = await imports.sql(`${types} "${table}"`);
    assert.deepEqual(rows.map(plain), expected.all().map(plain));
    await imports.sql(`DELETE FROM "${table}"`);
  }
  database.close();
});
