import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCells, openRows, notAborted, shownTexts, textOfPieces } from '../../../support/queriedRows.ts';

const csv = { format: 'csv', headers: true, guardFormulas: false, table: 't' } as const;

test('a broken row is shown, sorted and written as its own text, and hides no other row', async context => {
  const rows = await openRows(context, ['a', 'b']);
  await rows.add('{"a":2,"b":"x"}', '{"a":1,"b":tru}', '{"a":3,"b":null}');
  const asSent = ['{"a":1,"b":tru}', null];
  assert.deepEqual(await shownTexts(rows), [['2', 'x'], asSent, ['3', null]]);
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual(await shownTexts(rows), [asSent, ['3', null], ['2', 'x']]);
  const text = await textOfPieces(rows.queries.text({ ...csv, ranges: [allCells(rows, 2)] }, notAborted));
  assert.equal(text, 'a,b\r\n"{""a"":1,""b"":tru}",\r\n3,\r\n2,x\r\n');
});

test('a string with a raw line break makes its row broken, and does not break a line of NDJSON', async context => {
  const rows = await openRows(context, ['a', 'b']);
  const asSent = '{"a":"x\ny","b":1}';
  await rows.add(asSent, '{"a":"z","b":2}');
  assert.deepEqual(await shownTexts(rows), [
    [asSent, null],
    ['z', '2'],
  ]);
  const ranges = [allCells(rows, 2)];
  const lines = await textOfPieces(rows.queries.text({ ...csv, format: 'ndjson', ranges }, notAborted));
  assert.equal(lines, `${JSON.stringify({ a: asSent, b: null })}\n{"a":"z","b":2}\n`);
});

test('a value that nests too deep for the engine is shown and written, and so are its neighbours', async context => {
  const rows = await openRows(context, ['a', 'b']);
  const deep = `${'['.repeat(20_000)}9007199254740993${']'.repeat(20_000)}`;
  await rows.add(`{"a":${deep},"b":1}`, '{"a":[],"b":2}');
  const [first, second] = await rows.queries.rows(0, 2);
  assert.deepEqual(first?.[0], { kind: 'json', text: deep.slice(0, 1000), length: deep.length });
  assert.deepEqual(second?.[1], { kind: 'integer', text: '2' });
  const text = await textOfPieces(rows.queries.text({ ...csv, ranges: [allCells(rows, 2)] }, notAborted));
  assert.ok(text === `a,b\r\n${deep},1\r\n[],2\r\n`);
});

test('columns of the same name show and write the same value', async context => {
  const rows = await openRows(context, ['a', 'a', 'b']);
  await rows.add({ a: 1, b: 2 }, { a: 0, b: 3 });
  await rows.queries.arrange({ sort: [{ column: 1, descending: false }], filters: [] });
  assert.deepEqual(await shownTexts(rows), [
    ['0', '0', '3'],
    ['1', '1', '2'],
  ]);
  const text = await textOfPieces(rows.queries.text({ ...csv, ranges: [allCells(rows, 3)] }, notAborted));
  assert.equal(text, 'a,a,b\r\n0,0,3\r\n1,1,2\r\n');
});

test('a column with an empty name shows only its own values', async context => {
  const rows = await openRows(context, ['', 'b']);
  await rows.add('{"":1,"b":2}', '{"b":3}', '{"b":4,"":5}');
  await rows.queries.arrange({ sort: [{ column: 1, descending: false }], filters: [] });
  const text = await textOfPieces(
    rows.queries.text({ ...csv, headers: false, ranges: [allCells(rows, 2)] }, notAborted),
  );
  assert.equal(text, '1,2\r\n,3\r\n5,4\r\n');
});

test('five hundred columns work, and so do names that are special in JavaScript', async context => {
  const names = ['__proto__', 'constructor', '0', '', ...Array.from({ length: 496 }, (_, n) => `c${n}`)];
  const rows = await openRows(context, names);
  const row = (n: number): string => `{${names.map((name, at) => `${JSON.stringify(name)}:${at * n}`).join(',')}}`;
  await rows.add(row(1), row(2));
  await rows.queries.arrange({
    sort: [
      { column: 0, descending: false },
      { column: 499, descending: true },
    ],
    filters: [],
  });
  const [first] = await rows.queries.rows(0, 1);
  assert.deepEqual(first?.[499], { kind: 'integer', text: '998' });
  const { sum } = await rows.queries.summarize([allCells(rows, 500)], notAborted);
  assert.equal(sum, String(3 * ((499 * 500) / 2)));
});

test('a cell of 64 MB is sorted, found and written whole', async context => {
  const rows = await openRows(context, ['n', 'text']);
  const large = `${'x'.repeat(64 * 1024 * 1024)}end`;
  await rows.add({ n: 1, text: `${large}b` }, { n: 2, text: 'small' }, { n: 3, text: `${large}a` });
  await rows.queries.arrange({ sort: [{ column: 1, descending: true }], filters: [] });
  assert.deepEqual(
    (await rows.queries.rows(0, 3)).map(([n]) => n),
    [1, 3, 2].map(n => ({ kind: 'integer', text: String(n) })),
  );
  const step = { text: 'enda', matchCase: true, row: 0, column: 0, columns: [1] };
  const found = await rows.queries.find({ ...step, backwards: false, including: true }, notAborted);
  assert.deepEqual(found, { count: 1, place: { index: 0, row: 1, column: 1 } });
  let bytes = 0;
  const ranges = [{ firstRow: 0, endRow: 1, columns: [1] }];
  for await (const piece of rows.queries.text({ ...csv, headers: false, ranges }, notAborted)) bytes += piece.length;
  assert.equal(bytes, large.length + 1 + 2);
  const cell = await rows.queries.cell(1, 1, Infinity);
  assert.equal(cell.kind === 'text' && cell.text.endsWith('enda'), true);
});
