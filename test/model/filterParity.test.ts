import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ColumnFilter, unsorted, type ValueCount } from '../../src/protocol/rowQueries.ts';
import type { Column } from '../../src/wire/values.ts';
import { firstColumn, startTable } from '../support/browsedTable.ts';
import { openRows, notAborted, type RowsUnderTest, shownTexts } from '../support/queriedRows.ts';
import { startTestService } from '../support/testService.ts';

// A filter means the same in a browsed table, where it is SQL, and in a result, where the rows thread applies it.

const { client, projectId } = await startTestService();
const setup = [
  `CREATE TABLE goods(id INTEGER PRIMARY KEY, name TEXT, quantity INTEGER, price REAL, made DATE, code TEXT COLLATE NOCASE, picture BLOB, any)`,
  `INSERT INTO goods VALUES
    (1, 'Apple', 5, 1.5, '2020-01-05', 'ab', x'00ff10', 1),
    (2, 'apple pie', 10, 2.0, '2020-12-31', 'AB', x'', 2.0),
    (3, 'Pineapple', NULL, 10.25, '2021-01-01', NULL, NULL, '5'),
    (4, '', 0, -3.5, NULL, 'x''00''', x'00ff11', 'five'),
    (5, NULL, -7, NULL, '2019', '12', NULL, NULL),
    (6, 'Ärger', 9007199254740993, 8.75, '2020', '1e1', x'41', 10),
    (7, '10%', 100, 100.0, 'soon', '10', NULL, 'x, y'),
    (8, '日本 apple', 7, 0.1, '2020-01-05', 'b"c', NULL, -1)`,
];
for (const sql of setup) await client.execSql(projectId, { sql });

const id = 0;
const name = 1;
const quantity = 2;
const price = 3;
const made = 4;
const code = 5;
const picture = 6;
const any = 7;

const not = true;
const cases: readonly (readonly [filter: ColumnFilter, expected: string])[] = [
  [{ kind: 'equals', column: quantity, text: '5' }, '1'],
  [{ kind: 'equals', column: quantity, text: ' 5.0 ' }, '1'],
  [{ kind: 'equals', column: quantity, text: '1e1' }, '2'],
  [{ kind: 'equals', column: quantity, text: '9007199254740993' }, '6'],
  [{ kind: 'equals', column: quantity, text: '9007199254740992' }, ''],
  [{ kind: 'equals', column: quantity, text: 'five' }, ''],
  [{ kind: 'equals', column: quantity, text: '5', not }, '2 4 5 6 7 8'],
  [{ kind: 'equals', column: price, text: '2' }, '2'],
  [{ kind: 'equals', column: price, text: '10.250' }, '3'],
  [{ kind: 'equals', column: price, text: '2', not }, '1 3 4 6 7 8'],
  [{ kind: 'equals', column: name, text: 'apple pie' }, '2'],
  [{ kind: 'equals', column: name, text: 'APPLE PIE' }, ''],
  [{ kind: 'equals', column: name, text: '' }, '4'],
  [{ kind: 'equals', column: name, text: '', not }, '1 2 3 6 7 8'],
  [{ kind: 'equals', column: code, text: 'ab' }, '1'],
  [{ kind: 'equals', column: code, text: 'ab', not }, '2 4 5 6 7 8'],
  [{ kind: 'equals', column: code, text: '10' }, '7'],
  [{ kind: 'equals', column: code, text: '10.0' }, ''],
  [{ kind: 'equals', column: code, text: "x'00'" }, '4'],
  [{ kind: 'equals', column: picture, text: "x'00FF10'" }, '1'],
  [{ kind: 'equals', column: picture, text: '0x00ff11' }, '4'],
  [{ kind: 'equals', column: picture, text: 'AP8Q' }, '1'],
  [{ kind: 'equals', column: picture, text: "x''" }, '2'],
  [{ kind: 'equals', column: picture, text: "x'00ff10'", not }, '2 4 6'],
  [{ kind: 'equals', column: any, text: '5' }, '3'],
  [{ kind: 'equals', column: any, text: '2' }, '2'],
  [{ kind: 'equals', column: any, text: '2', not }, '1 3 4 6 7 8'],

  [{ kind: 'in', column: quantity, texts: ['5', '1e2', 'none'] }, '1 7'],
  [{ kind: 'in', column: quantity, texts: ['5', '7'], withNull: true }, '1 3 8'],
  [{ kind: 'in', column: quantity, texts: [], withNull: true }, '3'],
  [{ kind: 'in', column: quantity, texts: ['5', '7'], not }, '2 4 5 6 7'],
  [{ kind: 'in', column: quantity, texts: ['5', '7'], withNull: true, not }, '2 4 5 6 7'],
  [{ kind: 'in', column: quantity, texts: [], withNull: true, not }, '1 2 4 5 6 7 8'],
  [{ kind: 'in', column: code, texts: ['ab', '10', "x'00'"] }, '1 4 7'],
  [{ kind: 'in', column: picture, texts: ["x'41'", "x''"] }, '2 6'],
  [{ kind: 'in', column: picture, texts: ["x'41'", "x''"], not }, '1 4'],
  [{ kind: 'in', column: any, texts: ['5', '10.0', 'x, y'] }, '3 6 7'],

  [{ kind: 'range', column: quantity, from: '5' }, '1 2 6 7 8'],
  [{ kind: 'range', column: quantity, from: '5', exclusive: true }, '2 6 7 8'],
  [{ kind: 'range', column: quantity, to: '5' }, '1 4 5'],
  [{ kind: 'range', column: quantity, to: '5', exclusive: true }, '4 5'],
  [{ kind: 'range', column: quantity, from: '9007199254740992', exclusive: true }, '6'],
  [{ kind: 'range', column: quantity, from: '9007199254740993', exclusive: true }, ''],
  [{ kind: 'range', column: quantity, from: '0', to: '7' }, '1 4 8'],
  [{ kind: 'range', column: quantity, from: '0', to: '7', not }, '2 5 6 7'],
  [{ kind: 'range', column: quantity, from: '0', not }, '5'],
  [{ kind: 'range', column: quantity, from: '-Infinity', to: 'Infinity' }, '1 2 4 5 6 7 8'],
  [{ kind: 'range', column: price, from: '.1', to: '+2.00' }, '1 2 8'],
  [{ kind: 'range', column: name, from: 'B' }, '2 3 6 8'],
  [{ kind: 'range', column: name, from: 'B', not }, '1 4 7'],
  [{ kind: 'range', column: name, to: 'Apple', exclusive: true }, '4 7'],
  [{ kind: 'range', column: made, from: '2020', to: '2021' }, '1 2 6 8'],
  [{ kind: 'range', column: picture, from: "x'00ff11'" }, '4 6'],
  [{ kind: 'range', column: picture, to: 'AP8Q', exclusive: true }, '2'],
  [{ kind: 'range', column: any, from: '5' }, '3 4 6 7'],
  [{ kind: 'range', column: any, from: '5', exclusive: true }, '4 6 7'],

  [{ kind: 'contains', column: name, text: 'APPLE' }, '1 2 3 8'],
  [{ kind: 'contains', column: name, text: 'apple', not }, '4 6 7'],
  [{ kind: 'contains', column: name, text: '%' }, '7'],
  [{ kind: 'contains', column: name, text: '' }, '1 2 3 4 6 7 8'],
  [{ kind: 'contains', column: quantity, text: '740993' }, '6'],
  [{ kind: 'contains', column: price, text: '.' }, '1 3 4 6 8'],
  [{ kind: 'contains', column: picture, text: 'A' }, ''],
  [{ kind: 'contains', column: picture, text: 'A', not }, '1 2 4 6'],
  [{ kind: 'startsWith', column: name, text: 'aPPle' }, '1 2'],
  [{ kind: 'startsWith', column: name, text: 'apple', not }, '3 4 6 7 8'],
  [{ kind: 'startsWith', column: name, text: 'Ä' }, '6'],
  [{ kind: 'startsWith', column: name, text: '' }, '1 2 3 4 6 7 8'],
  [{ kind: 'startsWith', column: quantity, text: '1' }, '2 7'],
  [{ kind: 'endsWith', column: name, text: 'APPLE' }, '1 3 8'],
  [{ kind: 'endsWith', column: name, text: 'apple', not }, '2 4 6 7'],
  [{ kind: 'endsWith', column: name, text: 'the whole apple' }, ''],
  [{ kind: 'endsWith', column: name, text: '本 apple' }, '8'],
  [{ kind: 'endsWith', column: name, text: '' }, '1 2 3 4 6 7 8'],
  [{ kind: 'endsWith', column: price, text: '.5' }, '1 4'],
  [{ kind: 'endsWith', column: code, text: '"C' }, '8'],

  [{ kind: 'null', column: name, isNull: true }, '5'],
  [{ kind: 'null', column: picture, isNull: false }, '1 2 4 6'],
];

const declared: readonly Column[] = [
  ['id', 'INTEGER'],
  ['name', 'TEXT'],
  ['quantity', 'INTEGER'],
  ['price', 'REAL'],
  ['made', 'DATE'],
  ['code', 'TEXT'],
  ['picture', 'BLOB'],
  ['any', ''],
].map(([columnName = '', type = '']) => ({ name: columnName, type }));

/** The rows of the table as those of a result, in the bytes that the service sends. */
async function resultRows(context: TestContext): Promise<RowsUnderTest> {
  const rows = await openRows(context, declared);
  await using scanner = await client.project(projectId).stream('SELECT * FROM goods ORDER BY id');
  for await (const batch of scanner.rawBatches()) await rows.spool.append(batch);
  return rows;
}

test('each filter leaves the same rows of a browsed table and of a result', async context => {
  const rows = await resultRows(context);
  await using run = await startTable({ client, projectId, name: 'goods' });
  for (const [filter, expected] of cases) {
    const arrangement = { sort: [], filters: [filter] };
    await rows.queries.arrange(arrangement);
    const inResult = (await shownTexts(rows)).map(row => row[id]).join(' ');
    assert.equal(inResult, expected, `result: ${JSON.stringify(filter)}`);
    await run.queries.arrange(arrangement);
    const inTable = (await firstColumn(run, 0, 100)).join(' ');
    assert.equal(inTable, expected, `table: ${JSON.stringify(filter)} by ${run.statement.sql}`);
    await run.countAll();
    assert.equal(run.rowCount, expected === '' ? 0 : expected.split(' ').length, 'the count has the same filter');
  }
});

const searches: readonly (readonly [search: string, filters: readonly ColumnFilter[], expected: string])[] = [
  ['APPLE', [], '1 2 3 8'],
  ['10', [], '2 3 6 7'],
  ['2020', [], '1 2 6 8'],
  ['5', [{ kind: 'contains', column: name, text: 'apple' }], '1 3 8'],
  ['e', [{ kind: 'null', column: quantity, isNull: true }], '3'],
  ['Ä', [], '6'],
  // A cell shows no text of a BLOB, and none of NULL.
  ['/w==', [], ''],
  ['null', [], ''],
  ['%', [], '7'],
];

test('a search leaves the same rows of a browsed table and of a result: those with the text in any column', async context => {
  const rows = await resultRows(context);
  await using run = await startTable({ client, projectId, name: 'goods' });
  for (const [search, filters, expected] of searches) {
    const arrangement = { sort: [], filters, search };
    await rows.queries.arrange(arrangement);
    assert.equal((await shownTexts(rows)).map(row => row[id]).join(' '), expected, `result: ${search}`);
    await run.queries.arrange(arrangement);
    assert.equal((await firstColumn(run, 0, 100)).join(' '), expected, `table: ${search} by ${run.statement.sql}`);
    await run.countAll();
    assert.equal(run.rowCount, expected === '' ? 0 : expected.split(' ').length, 'the count has the same search');
    const query = { column: made, search: '', maxValues: 100 };
    const inTable = await run.queries.values(query, notAborted);
    const inResult = await rows.queries.values(query, notAborted);
    assert.deepEqual(inResult.values.toSorted(byCount), inTable.values.toSorted(byCount), `values: ${search}`);
  }
});

test('a search looks in each of more columns than an expression may nest', async () => {
  const columns = Array.from({ length: 1500 }, (_, column) => `c${column}`);
  await client.execSql(projectId, { sql: `CREATE TABLE wide(${columns.join(', ')})` });
  await client.execSql(projectId, {
    sql: `INSERT INTO wide(c0, c1499) VALUES ('first', 'needle'), ('needle', 'last')`,
  });
  await using run = await startTable({ client, projectId, name: 'wide' });
  await run.queries.arrange({ ...unsorted, search: 'NEEDLE' });
  assert.deepEqual(await firstColumn(run, 0, 10), ['first', 'needle']);
  await run.queries.arrange({ ...unsorted, search: 'last' });
  assert.deepEqual(await firstColumn(run, 0, 10), ['needle']);
});

const byCount = (one: ValueCount, other: ValueCount): number =>
  other.count - one.count || String(one.text).localeCompare(String(other.text));

test('the values of a column are counted alike in a browsed table and in a result', async context => {
  const rows = await resultRows(context);
  await using run = await startTable({ client, projectId, name: 'goods' });
  const valuesOf = async (column: number, search = '', maxValues = 100): Promise<readonly ValueCount[]> => {
    const query = { column, search, maxValues };
    const inTable = await run.queries.values(query, notAborted);
    const inResult = await rows.queries.values(query, notAborted);
    assert.deepEqual(inResult.values.toSorted(byCount), inTable.values.toSorted(byCount));
    assert.equal(inResult.hasMore, inTable.hasMore);
    return inTable.values.toSorted(byCount);
  };
  const textsOf = async (column: number): Promise<readonly (string | null)[]> =>
    (await valuesOf(column)).map(({ text }) => text);
  assert.deepEqual(await valuesOf(made, '2020-01'), [{ text: '2020-01-05', count: 2 }]);
  assert.deepEqual(await textsOf(made), ['2020-01-05', '2019', '2020', '2020-12-31', '2021-01-01', null, 'soon']);
  assert.deepEqual(await textsOf(picture), [null, "x''", "x'00ff10'", "x'00ff11'", "x'41'"]);
  // The column's own filter does not shorten its list; those of other columns do.
  const filters: ColumnFilter[] = [
    { kind: 'equals', column: made, text: '2019' },
    { kind: 'range', column: quantity, from: '5' },
  ];
  await run.queries.arrange({ sort: [], filters });
  await rows.queries.arrange({ sort: [], filters });
  assert.deepEqual(await textsOf(made), ['2020-01-05', '2020', '2020-12-31', 'soon']);
  // Each value of the list is one that the filter finds.
  for (const { text, count } of await valuesOf(any)) {
    const listed: ColumnFilter = {
      kind: 'in',
      column: any,
      texts: text === null ? [] : [text],
      ...(text === null && { withNull: true }),
    };
    const arrangement = { sort: [], filters: [listed, filters[1]!] };
    await rows.queries.arrange(arrangement);
    assert.equal(rows.queries.shownRows, count, `${text}`);
  }
  await rows.queries.arrange(unsorted);
  const few = await rows.queries.values({ column: id, search: '', maxValues: 3 }, notAborted);
  assert.deepEqual([few.values.length, few.hasMore], [3, true]);
});
