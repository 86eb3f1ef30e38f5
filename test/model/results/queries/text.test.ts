import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { TextRequest } from '../../../../src/model/results/rowQueries.ts';
import type { CellRange } from '../../../../src/protocol/rowQueries.ts';
import { allCells, notAborted, openRows, type RowsUnderTest, textOfPieces } from '../../../support/queriedRows.ts';

/** Parses CSV or TSV as RFC 4180 defines it. */
function parseDelimited(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*)(${delimiter}|\\r\\n|\\n|$)`, 'y');
  while (cell.lastIndex < text.length || rows.at(-1)?.length === 0) {
    const at = cell.lastIndex;
    const [, value, end] = cell.exec(text) ?? [];
    if (value === undefined) throw new Error(`This is no cell: ${text.slice(at, at + 20)}`);
    rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === '') break;
    if (end !== delimiter) rows.push([]);
    if (cell.lastIndex === text.length && end !== delimiter) {
      rows.pop();
      break;
    }
  }
  return rows;
}

type Options = Partial<TextRequest>;

function textOf({ queries }: RowsUnderTest, ranges: readonly CellRange[], options: Options): Promise<string> {
  const usual = { format: 'tsv', headers: true, guardFormulas: false, table: 't' } as const;
  return textOfPieces(queries.text({ ...usual, ranges, ...options }, notAborted));
}

const values = [
  { id: 1, text: 'plain', real: 1.5 },
  { id: 9_007_199_254_740_993n, text: 'comma, "quote"\ttab\r\nline', real: null },
  { id: -5, text: '', real: 1e300 },
  { id: null, text: "it's\\ ünï 😀 | pipe <b>", real: 0.1 },
  { id: 0, text: 'nul \0 and \u0007', real: Infinity },
] as const;

async function sample(context: Parameters<typeof openRows>[0]): Promise<RowsUnderTest> {
  const rows = await openRows(context, ['id', 'text', 'real']);
  await rows.add(...values);
  return rows;
}

/** The values as CSV and TSV write them: numbers as in JSON, and nothing for NULL. */
const plainTexts = values.map(({ id, text, real }) => [
  id === null ? '' : String(id),
  text,
  real === Infinity ? '9e999' : real === 1e300 ? '1e+300' : real === null ? '' : String(real),
]);

test('CSV is read back without a change', async context => {
  const rows = await sample(context);
  const csv = await textOf(rows, [allCells(rows, 3)], { format: 'csv' });
  assert.deepEqual(parseDelimited(csv, ','), [['id', 'text', 'real'], ...plainTexts]);
  assert.ok(csv.startsWith('id,text,real\r\n1,plain,1.5\r\n'));
  assert.ok(csv.includes('\r\n-5,"",1e+300\r\n'), "'' differs from NULL");
  assert.ok(csv.endsWith('\r\n'));
});

test('TSV is read back without a change, and ends with its last cell', async context => {
  const rows = await sample(context);
  const tsv = await textOf(rows, [allCells(rows, 3)], { headers: false });
  assert.deepEqual(parseDelimited(tsv, '\t'), plainTexts);
  assert.ok(tsv.endsWith('9e999'));
});

test('TSV distinguishes an empty text from NULL, and keeps a last line of NULL', async context => {
  const rows = await sample(context);
  const texts = { firstRow: 1, endRow: 3, columns: [1, 2] };
  assert.match(await textOf(rows, [texts], { headers: false }), /\n""\t1e\+300$/);
  const ending = { firstRow: 0, endRow: 2, columns: [2] };
  assert.equal(await textOf(rows, [ending], { headers: false }), '1.5\n\n');
});

test('copying a single cell gives its text without quotes', async context => {
  const rows = await sample(context);
  const cell = { firstRow: 1, endRow: 2, columns: [1] };
  assert.equal(await textOf(rows, [cell], { headers: false }), values[1].text);
});

test('JSON is read back without a change, with all digits of integers', async context => {
  const rows = await sample(context);
  const expected = values.map(({ id, text, real }) => ({ id: id === null ? null : Number(id), text, real }));
  const whole = await textOf(rows, [allCells(rows, 3)], { format: 'json' });
  assert.deepEqual(JSON.parse(whole), expected);
  assert.ok(whole.includes('"id":9007199254740993,'));
  const some = await textOf(rows, [{ firstRow: 1, endRow: 3, columns: [2, 0] }], { format: 'json' });
  assert.equal(some, '[\n{"real":null,"id":9007199254740993},\n{"real":1e+300,"id":-5}\n]\n');
  const lines = await textOf(rows, [allCells(rows, 3)], { format: 'ndjson' });
  assert.deepEqual(
    lines
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as unknown),
    expected,
  );
});

test('NDJSON writes a line for each row, even if the service spread it over several, and a broken row as text', async context => {
  const rows = await openRows(context, ['a', 'b']);
  await rows.add('{\n "a": 1,\n "b": {"c":\n2}\n}', '{"a":nothing}', '{"b":2}');
  const lines = await textOf(rows, [allCells(rows, 2)], { format: 'ndjson' });
  assert.equal(lines, '{"a":1,"b":{"c":2}}\n{"a":"{\\"a\\":nothing}","b":null}\n{"b":2}\n');
});

test('INSERT statements write the same values into a table', async context => {
  const rows = await openRows(context, ['id', 'te"xt', { name: 'blob', type: 'BLOB' }, 'flag']);
  const blob = Buffer.from([0, 255, 10, 39]);
  await rows.add(
    { id: 9_007_199_254_740_993n, 'te"xt': "it's \0 ü", blob: blob.toString('base64'), flag: true },
    { id: 1.5, 'te"xt': null, blob: 'not base64!', flag: false },
  );
  const sql = await textOf(rows, [allCells(rows, 4)], { format: 'insert', table: 'my "table"' });
  using database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE "my ""table""" (id, "te""xt", blob, flag);\n${sql}`);
  const query = database.prepare('SELECT * FROM "my ""table"""');
  query.setReadBigInts(true);
  assert.deepEqual(
    query.all().map(row => Object.values(row)),
    [
      [9_007_199_254_740_993n, "it's \0 ü", new Uint8Array(blob), 1n],
      [1.5, null, 'not base64!', 0n],
    ],
  );
});

test('an IN list has the distinct values of a column', async context => {
  const rows = await openRows(context, ['v']);
  await rows.add({ v: 1 }, { v: "a'b" }, { v: null }, { v: 1 }, { v: 2.5 }, { v: "a'b" });
  assert.equal(await textOf(rows, [allCells(rows, 1)], { format: 'inList' }), "(1, 'a''b', 2.5)");
});

test('an IN list of several columns has the distinct rows, and SQLite finds them', async context => {
  const rows = await openRows(context, ['v', 'w']);
  await rows.add({ v: 1, w: 'x' }, { v: 2, w: null }, { v: 1, w: 'x' }, { v: 1, w: 'y' });
  const list = await textOf(rows, [allCells(rows, 2)], { format: 'inList' });
  assert.equal(list, "(VALUES (1, 'x'), (1, 'y'))");
  using database = new DatabaseSync(':memory:');
  const found = database.prepare(`SELECT (1, 'y') IN ${list} AS there, (2, 'y') IN ${list} AS other`).get();
  assert.deepEqual({ ...found }, { there: 1, other: 0 });
});

test('an IN list of ranges of different widths has their common columns', async context => {
  const rows = await openRows(context, ['v', 'w']);
  await rows.add({ v: 1, w: 'x' }, { v: 2, w: null });
  const ranges = [
    { firstRow: 0, endRow: 1, columns: [0, 1] },
    { firstRow: 1, endRow: 2, columns: [0] },
  ];
  assert.equal(await textOf(rows, ranges, { format: 'inList' }), '(1, 2)');
});

test('an empty IN list is valid in SQLite', async context => {
  const rows = await openRows(context, ['v', 'w']);
  await rows.add({ v: 1, w: null });
  assert.equal(await textOf(rows, [allCells(rows, 2)], { format: 'inList' }), '()');
});

test('a Markdown table has a line for each row, even if values have line breaks', async context => {
  const rows = await openRows(context, ['a|b', 'c']);
  await rows.add({ 'a|b': 'x|y', c: 'one\ntwo <b>' }, { 'a|b': null, c: 5 });
  const table = await textOf(rows, [allCells(rows, 2)], { format: 'markdown' });
  assert.equal(table, '| a\\|b | c |\n| --- | --- |\n| x\\|y | one<br>two \\<b> |\n| NULL | 5 |\n');
});

test('a Markdown table escapes texts that look like markup', async context => {
  const rows = await openRows(context, ['__file__']);
  await rows.add(
    ...['__init__', '2*3*4', 'a `b`', '[x](y)', '~~no~~', '&lt; & b', 'snake_case_é'].map(text => ({ __file__: text })),
  );
  const table = await textOf(rows, [allCells(rows, 1)], { format: 'markdown' });
  const cells = table.split('\n').map(line => line.slice(2, -2));
  assert.deepEqual(
    [cells[0], ...cells.slice(2, -1)],
    [
      String.raw`\_\_file\_\_`,
      String.raw`\_\_init\_\_`,
      String.raw`2\*3\*4`,
      'a \\`b\\`',
      String.raw`\[x](y)`,
      String.raw`\~\~no\~\~`,
      String.raw`\&lt; & b`,
      'snake_case_é',
    ],
  );
});

test('formulas are guarded if requested, and numbers stay numbers', async context => {
  const rows = await openRows(context, ['a', 'b']);
  await rows.add({ a: '=1+1', b: -5 }, { a: '@x,y', b: '-5' }, { a: '\tx', b: 'a=b' }, { a: '+"', b: '' });
  const guarded = await textOf(rows, [allCells(rows, 2)], { format: 'csv', headers: false, guardFormulas: true });
  assert.deepEqual(parseDelimited(guarded, ','), [
    ["'=1+1", '-5'],
    ["'@x,y", "'-5"],
    ["'\tx", 'a=b'],
    [`'+"`, ''],
  ]);
  const plain = await textOf(rows, [allCells(rows, 2)], { format: 'csv', headers: false });
  assert.ok(plain.startsWith('=1+1,-5\r\n'));
});

test('ranges of the same rows are written side by side, and other ranges below each other', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add(...[0, 1, 2, 3].map(n => ({ a: `a${n}`, b: `b${n}`, c: `c${n}` })));
  const columns = [
    { firstRow: 0, endRow: 2, columns: [2] },
    { firstRow: 0, endRow: 2, columns: [0] },
  ];
  assert.equal(await textOf(rows, columns, {}), 'c\ta\nc0\ta0\nc1\ta1');
  const apart = [
    { firstRow: 0, endRow: 1, columns: [0] },
    { firstRow: 2, endRow: 9, columns: [0] },
  ];
  assert.equal(await textOf(rows, apart, {}), 'a\na0\na2\na3');
});

test('a column in two ranges is written once', async context => {
  const rows = await openRows(context, ['a', 'b', 'c']);
  await rows.add({ a: 1, b: 2, c: 3 });
  const left = { firstRow: 0, endRow: 1, columns: [0, 1] };
  const right = { firstRow: 0, endRow: 1, columns: [1, 2] };
  assert.equal(await textOf(rows, [left, right], { format: 'json' }), '[\n{"a":1,"b":2,"c":3}\n]\n');
  assert.equal(
    await textOf(rows, [left, right], { format: 'insert' }),
    'INSERT INTO "t" ("a", "b", "c") VALUES (1, 2, 3);\n',
  );
});

test('text in many pieces follows the order shown', async context => {
  const rows = await openRows(context, ['n', 'text']);
  const long = 'x'.repeat(400);
  await rows.add(...Array.from({ length: 6000 }, (_, n) => ({ n, text: `${long}${n}` })));
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  const csv = await textOf(rows, [allCells(rows, 2)], { format: 'csv', headers: false });
  assert.deepEqual(
    parseDelimited(csv, ','),
    Array.from({ length: 6000 }, (_, nth) => [String(5999 - nth), `${long}${5999 - nth}`]),
  );
});

test('a result without rows is written with its header', async context => {
  const rows = await openRows(context, ['a', 'b']);
  assert.equal(await textOf(rows, [allCells(rows, 2)], { format: 'csv' }), 'a,b\r\n');
  assert.equal(await textOf(rows, [allCells(rows, 2)], { format: 'json' }), '[]\n');
});

test('a reader that stops ends the writing, and the next call is answered', async context => {
  const rows = await openRows(context, ['n', 'text']);
  await rows.add(...Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x'.repeat(1000) })));
  const ranges = [allCells(rows, 2)];
  const request = { format: 'csv', headers: false, guardFormulas: false, table: '', ranges } as const;
  for await (const piece of rows.queries.text(request, notAborted)) {
    assert.ok(piece.length > 0);
    break;
  }
  assert.equal((await rows.queries.summarize(ranges, notAborted)).cells, 10_000);
});
