import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import type { Arrangement, ColumnFilter, SortKey } from '../../../../src/protocol/rowQueries.ts';
import { openRows, type RowsUnderTest, shownTexts } from '../../../support/queriedRows.ts';

/** Pseudorandom whole numbers below a bound, the same for each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A common beginning of texts, longer than the window in which texts are compared. */
const commonStart = 'the same beginning of many texts. '.repeat(70);
const alphabet = ['a', 'B', 'ä', '"', '\\', '\n', '\0', ' ', '😀', '9', '\t', 'Z'];

function randomValue(random: (below: number) => number): SQLInputValue {
  const text = Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join('');
  switch (random(9)) {
    case 0:
      return null;
    case 1:
      return BigInt(random(20)) - 10n;
    case 2:
      return random(2000) / 64 - 10;
    case 3:
      return 9_007_199_254_740_990n + BigInt(random(6));
    case 4:
      return -(2n ** 63n) + BigInt(random(3));
    case 5:
      return [2 ** 53, 1e300, -1e300, Infinity, 0.1, 1e-9][random(6)]!;
    case 6:
      return commonStart + text;
    default:
      return text;
  }
}

/** Random values in a SQLite table and as rows of a result. Column `n` numbers the rows. */
async function openBoth(context: TestContext, seed: number, count: number) {
  const random = randomOf(seed);
  const database = new DatabaseSync(':memory:');
  context.after(() => database.close());
  database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, a, b)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
  const rows = await openRows(context, ['n', 'a', 'b']);
  for (let n = 0; n < count; n++) {
    const a = randomValue(random);
    const b = randomValue(random);
    insert.run(n, a, b);
    await rows.add({ n, a, b });
  }
  return { database, rows };
}

async function numbersOf(rows: RowsUnderTest): Promise<number[]> {
  return (await shownTexts(rows)).map(([n]) => Number(n));
}

async function checkAsSqlite(rows: RowsUnderTest, database: DatabaseSync, arrangement: Arrangement, sql: string) {
  await rows.queries.arrange(arrangement);
  const expected = database.prepare(`SELECT n FROM t ${sql}`).all() as { n: number }[];
  assert.deepEqual(
    await numbersOf(rows),
    expected.map(({ n }) => n),
    sql,
  );
}

const by = (...sort: SortKey[]): Arrangement => ({ sort, filters: [] });
const only = (...filters: ColumnFilter[]): Arrangement => ({ sort: [], filters });
const up = (column: number): SortKey => ({ column, descending: false });
const down = (column: number): SortKey => ({ column, descending: true });

test('rows are sorted as SQLite sorts them, by any number of columns', async context => {
  const { rows, database } = await openBoth(context, 7, 3000);
  await checkAsSqlite(rows, database, by(up(1)), 'ORDER BY a, n');
  await checkAsSqlite(rows, database, by(down(1)), 'ORDER BY a DESC, n');
  await checkAsSqlite(rows, database, by(up(1), down(2)), 'ORDER BY a, b DESC, n');
  await checkAsSqlite(rows, database, by(down(2), up(1), down(0)), 'ORDER BY b DESC, a, n DESC');
});

const filterCases: readonly (readonly [filter: ColumnFilter, where: string])[] = [
  [{ kind: 'null', column: 1, isNull: true }, 'a IS NULL'],
  [{ kind: 'null', column: 1, isNull: false }, 'a IS NOT NULL'],
  [{ kind: 'equals', column: 1, text: '' }, "a = ''"],
  [{ kind: 'equals', column: 2, text: '5' }, "b = 5 OR b = '5'"],
  [{ kind: 'contains', column: 1, text: 'AB' }, "typeof(a) = 'text' AND instr(lower(a), 'ab')"],
  [
    { kind: 'range', column: 1, from: '9007199254740993', to: '9007199254740994' },
    "CASE typeof(a) WHEN 'text' THEN a BETWEEN '9007199254740993' AND '9007199254740994' ELSE a BETWEEN 9007199254740993 AND 9007199254740994 END",
  ],
  [{ kind: 'range', column: 1, from: 'B' }, "a >= 'B'"],
  [{ kind: 'range', column: 1, to: '3' }, "CASE typeof(a) WHEN 'text' THEN a <= '3' ELSE a <= 3 END"],
];

test('filters leave the same rows as WHERE in SQLite', async context => {
  const { rows, database } = await openBoth(context, 11, 2000);
  for (const [filter, where] of filterCases) {
    await checkAsSqlite(rows, database, only(filter), `WHERE ${where} ORDER BY n`);
    await checkAsSqlite(rows, database, { sort: [down(2)], filters: [filter] }, `WHERE ${where} ORDER BY b DESC, n`);
  }
});

test('a filter finds a text anywhere in a cell, short or long, regardless of the case of ASCII letters', async context => {
  const rows = await openRows(context, ['n', 'a']);
  const short = [
    '',
    'b',
    'aab',
    'AAAB',
    'xaAbx',
    'aa',
    'ab',
    'ba',
    'ÄAB',
    'äab"',
    'a\\nab',
    'Aa\u212a',
    '\u00c1ab',
    7.5,
    null,
  ];
  const sided = short.flatMap(cell => ['before', 'behind'].map(side => [cell, side] as const));
  const filler = 'x'.repeat(150);
  const cells = [
    ...short,
    ...sided.map(([cell, side]) => (side === 'before' ? `${cell}${filler}` : `${filler}${cell}`)),
    ...Array.from({ length: 4 }, (_, more) => `${'x'.repeat(97 + more)}aab`),
  ];
  for (const [n, a] of cells.entries()) await rows.add({ n, a });
  for (const text of [
    '',
    'a',
    'AAB',
    'ab',
    'xA',
    'ä',
    'Ä',
    '"',
    '\n',
    'k',
    '7.5',
    filler,
    `${filler}x`,
    `b${filler}`,
  ]) {
    await rows.queries.arrange(only({ kind: 'contains', column: 1, text }));
    // For a text of ASCII, only the case of ASCII letters is ignored.
    const fold =
      Buffer.byteLength(text) === text.length
        ? (cell: string) => cell.replace(/[A-Z]/g, letter => letter.toLowerCase())
        : (cell: string) => cell.toLowerCase();
    const expected = cells.flatMap((cell, n) => (cell !== null && fold(String(cell)).includes(fold(text)) ? [n] : []));
    assert.deepEqual(await numbersOf(rows), expected, JSON.stringify(text));
  }
});

test('BLOBs are sorted by their bytes as SQLite sorts them, however long they are', async context => {
  const random = randomOf(13);
  using database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, a BLOB)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
  const rows = await openRows(context, ['n', { name: 'a', type: 'BLOB' }]);
  const beginning = Buffer.alloc(3000, 'the same beginning');
  for (let n = 0; n < 2000; n++) {
    const bytes = Buffer.from(Array.from({ length: random(8) }, () => [0, 1, 62, 250, 255][random(5)]!));
    const blob = n % 3 === 0 ? Buffer.concat([beginning, bytes]) : bytes;
    insert.run(n, n % 50 === 0 ? null : blob);
    await rows.add({ n, a: n % 50 === 0 ? null : blob.toString('base64') });
  }
  await checkAsSqlite(rows, database, by(up(1)), 'ORDER BY a, n');
  await checkAsSqlite(rows, database, by(down(1)), 'ORDER BY a DESC, n');
  const between = only({ kind: 'range', column: 1, from: 'AT4=', to: '+v8=' });
  await checkAsSqlite(rows, database, between, "WHERE a BETWEEN x'013e' AND x'faff'");
});

test('BLOBs and texts that differ in length alone are sorted as SQLite sorts them', async context => {
  const random = randomOf(17);
  using database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, a BLOB, b)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
  const rows = await openRows(context, ['n', { name: 'a', type: 'BLOB' }, 'b']);
  for (let n = 0; n < 600; n++) {
    const blob = Buffer.alloc(random(3000) + (n % 200 === 0 ? 300_000 : 0));
    const text = 'x'.repeat(random(300));
    insert.run(n, blob, text);
    await rows.add({ n, a: blob.toString('base64'), b: text });
  }
  await checkAsSqlite(rows, database, by(up(1)), 'ORDER BY a, n');
  await checkAsSqlite(rows, database, by(down(1)), 'ORDER BY a DESC, n');
  await checkAsSqlite(rows, database, by(down(2), up(1)), 'ORDER BY b DESC, a, n');
});

test('an open-ended range in a numeric column lets no text through', async context => {
  const rows = await openRows(context, ['n', { name: 'level', type: 'REAL' }, 'any']);
  await rows.add(
    { n: 0, level: 4.5, any: 4.5 },
    { n: 1, level: 5.5, any: 5.5 },
    { n: 2, level: 'n/a', any: 'n/a' },
    { n: 3, level: null, any: null },
  );
  await rows.queries.arrange(only({ kind: 'range', column: 1, from: '5' }));
  assert.deepEqual(await numbersOf(rows), [1]);
  await rows.queries.arrange(only({ kind: 'range', column: 1, to: 'x' }));
  assert.deepEqual(await numbersOf(rows), [0, 1, 2], 'numbers stand before texts');
  await rows.queries.arrange(only({ kind: 'range', column: 1, from: 'm', to: 'o' }));
  assert.deepEqual(await numbersOf(rows), [2], 'a bound that is a text finds texts');
  await rows.add({ n: 4, level: '4 or so', any: '4 or so' });
  await rows.queries.arrange(only({ kind: 'range', column: 1, to: '5' }));
  assert.deepEqual(await numbersOf(rows), [0], 'texts stand after numbers, whatever they begin with');
  await rows.queries.arrange(only({ kind: 'range', column: 2, from: '5' }));
  assert.deepEqual(await numbersOf(rows), [1, 2], 'a column without a type may hold texts');
});
