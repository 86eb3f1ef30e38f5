import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { maxShownColumns } from '../../../../src/protocol/results.ts';
import { parseExact } from '../../../../src/wire/exactJson.ts';
import { cutToShow, shownLength, tagValue, textOf } from '../../../../src/protocol/shownValues.ts';
import type { SqlValue } from '../../../../src/wire/values.ts';
import { assertWithin, cpuMsOf } from '../../../support/cpuTime.ts';
import { allCells, openRows, notAborted, type RowsUnderTest, textOfPieces } from '../../../support/queriedRows.ts';
import { startRowsThread } from '../../../support/rowsThread.ts';

/** Makes its row so large that the rows thread reads it. */
const padding = 'x'.repeat(300_000);
const megabyte = 2 ** 20;

const long = (unit: string): string => `"${unit.repeat(1500)}"`;
const values: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '1.50', '9007199254740993', '-9223372036854775808', '1e300', '9e999'],
  ...['""', '"a"', '[]', '{"b": [1,  2.50]}', String.raw`"\u00e9\"\/"`],
  ...[long('a'), long('é'), long('日'), long('🎉'), long(String.raw`\n`), long(String.raw`\ud83c\udf89`)],
  // The 1000th unit is the first half of a character.
  `"${'a'.repeat(999)}🎉${'b'.repeat(999)}"`,
  String.raw`"${'a'.repeat(999)}\ud83c\udf89b"`,
  long(String.raw`\ud800`),
  `[${'1,'.repeat(1500)}1]`,
  `{"deep":${'['.repeat(500)}${']'.repeat(500)}}`,
  '7'.repeat(900),
];
const columns = [...values.keys()].map(nth => `v${nth}`);
const members = values.map((value, nth) => `"v${nth}":${value}`);

const decoded = (value: string) => tagValue(parseExact(value) as SqlValue);

test('the cells of a large row are shown and read as those of a small one', async context => {
  const thread = startRowsThread();
  context.after(() => thread.dispose());
  const rows = await openRows(context, [...columns, 'missing'], { thread });
  await rows.add(`{${members.join(',')}}`);
  const [small] = await rows.queries.rows(0, 1);
  assert.equal(thread.isRunning, false, 'the first rows of a result need not wait for the thread');
  await rows.add(`{${[...members, `"padding":"${padding}"`].join(',')}}`, '{"v0":1}');
  const [first, large, next] = await rows.queries.rows(0, 3);
  assert.equal(thread.isRunning, true);
  assert.deepEqual([first, large], [small, small]);
  assert.deepEqual(large, [...values.map(value => cutToShow(decoded(value), shownLength)), { kind: 'null' }]);
  assert.deepEqual(next?.[0], { kind: 'integer', text: '1' });
  for (const [column, value] of values.entries()) {
    for (const maxLength of [10, 1200, Infinity]) {
      const { end, ...cell } = await rows.queries.cell(1, column, maxLength);
      assert.deepEqual(cell, cutToShow(decoded(value), maxLength), value.slice(0, 50));
      assert.equal(end === undefined, cell.length === undefined);
    }
  }
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual(
    (await rows.queries.rows(0, 3)).map(row => row[0]?.kind),
    ['integer', 'null', 'null'],
  );
  assert.deepEqual((await rows.queries.rows(2, 1))[0], large);
});

test('the end of a cut cell of a large row has the size of its bytes', async context => {
  const rows = await openRows(context, ['a', 'padding']);
  await rows.add({ a: `${'A'.repeat(1998)}==`, padding });
  const { end, length } = await rows.queries.cell(0, 0, 100);
  assert.deepEqual([end, length], ['==', 2000]);
});

/** Far less than decoding any of these rows takes, which is seconds for the first two. */
const maxBusyMs = 150;

const hostileValues: readonly (readonly [what: string, value: string, kind: string])[] = [
  ['nested arrays', `[${'[[[1]]],'.repeat(megabyte)}1]`, 'json'],
  ['numbers', `[${'1,'.repeat(4 * megabyte)}9007199254740993]`, 'json'],
  ['digits', '1'.repeat(8 * megabyte), 'integer'],
  ['escapes', `"${String.raw`\u00e9\n\"`.repeat(megabyte)}"`, 'text'],
  ['lone surrogates', `"${String.raw`\ud800`.repeat(megabyte)}"`, 'text'],
  ['backslashes', `"${String.raw`\\`.repeat(4 * megabyte)}"`, 'text'],
  ['combining characters', `"${'\u0301'.repeat(4 * megabyte)}"`, 'text'],
  ['marks of the direction', `"${'\u202e'.repeat(2 * megabyte)}"`, 'text'],
];

for (const [what, value, kind] of hostileValues) {
  test(`a row with megabytes of ${what} does not keep the window busy`, async context => {
    await assertWithin(maxBusyMs, async () => {
      const rows = await openRows(context, ['a', 'b']);
      await rows.add('{"a":1,"b":2}', `{"a":${value},"b":3}`);
      return cpuMsOf(async () => {
        const [first, large] = await rows.queries.rows(0, 2);
        assert.deepEqual(first?.[1], { kind: 'integer', text: '2' });
        assert.deepEqual(large?.[1], { kind: 'integer', text: '3' });
        const shown = large?.[0];
        assert.ok(shown?.kind === kind && 'text' in shown && shown.length !== undefined);
        assert.equal(shown.text.length, 1000);
        const cell = await rows.queries.cell(1, 0, 2000);
        assert.equal(cell.length, shown.length);
        await rows.queries.summarize([allCells(rows, 2)], notAborted);
      });
    });
  });
}

test('a large array or object is shown and written as the service wrote it', async context => {
  const rows = await openRows(context, ['a', 'b']);
  const spaced = `[${'1.50, '.repeat(100_000)}\n "\u00e9"]`;
  await rows.add(`{"a":${spaced},"b":1}`);
  const cell = await rows.queries.cell(0, 0, Infinity);
  assert.deepEqual(cell, { kind: 'json', text: spaced });
  const request = { headers: false, guardFormulas: false, table: 't', ranges: [allCells(rows, 2)] };
  const lines = await textOfPieces(rows.queries.text({ ...request, format: 'ndjson' }, notAborted));
  assert.equal(lines, `{"a":${spaced.replace('\n', ' ')},"b":1}\n`);
  const csv = await textOfPieces(rows.queries.text({ ...request, format: 'csv' }, notAborted));
  assert.ok(csv === `"${spaced.replaceAll('"', '""')}",1\r\n`);
});

test('a row with a hundred thousand columns shows the first ones, and exports have all', async context => {
  const count = 100_000;
  const names = Array.from({ length: count }, (_, n) => `c${n}`);
  const row = `{${names.map((name, n) => `"${name}":${n}`).join(',')}}`;
  const openWideRows = async (): Promise<RowsUnderTest> => {
    const opened = await openRows(context, names);
    await opened.add(row, row);
    return opened;
  };
  await assertWithin(maxBusyMs, async () => {
    const { queries } = await openWideRows();
    return cpuMsOf(async () => {
      const shown = await queries.rows(0, 2);
      assert.deepEqual(
        shown.map(({ length }) => length),
        [maxShownColumns, maxShownColumns],
      );
      assert.deepEqual(shown[1]?.at(-1), { kind: 'integer', text: String(maxShownColumns - 1) });
    });
  });
  const rows = await openWideRows();
  assert.deepEqual(await rows.queries.cell(1, count - 1, 100), { kind: 'integer', text: String(count - 1) });
  const ranges = [allCells(rows, count)];
  const request = { headers: false, guardFormulas: false, table: 't', ranges };
  const csv = await textOfPieces(rows.queries.text({ ...request, format: 'csv' }, notAborted));
  const line = names.map((_name, n) => n).join(',');
  assert.ok(csv === `${line}\r\n${line}\r\n`);
});

test('the texts of wide rows are cut shorter, so that a screen of them stays small', async context => {
  const names = Array.from({ length: maxShownColumns }, (_, n) => `c${n}`);
  const rows = await openRows(context, names);
  const row = `{${names.map(name => `"${name}":"${'y'.repeat(1000)}"`).join(',')}}`;
  for (let nth = 0; nth < 5; nth++) await rows.add(row);
  const shown = await rows.queries.rows(0, 5);
  const characters = shown.flat().reduce((sum, value) => sum + textOf(value).length, 0);
  assert.equal(characters, 5 * 100_000);
  assert.equal(shown[4]?.[7]?.length, 1000);
  assert.equal(textOf(await rows.queries.cell(4, 7, Infinity)).length, 1000);
});

/** Rows whose file has lost its end, as that of a saved result may. */
async function damagedRows(context: TestContext, texts: readonly string[], size: number): Promise<RowsUnderTest> {
  const rows = await openRows(context, ['n', 'text']);
  await rows.add(...texts);
  await rows.spool.flush();
  await truncate(rows.spool.file, size);
  return rows;
}

for (const length of [20, 200_000]) {
  test(`rows of ${length} characters that a damaged file has lost are empty, and the others are there`, async context => {
    const texts = Array.from({ length: 4 }, (_, n) => `{"n":${n},"text":"${'t'.repeat(length)}"}`);
    const rows = await damagedRows(context, texts, texts[0]!.length + texts[1]!.length + 1);
    const shown = await rows.queries.rows(0, 4);
    assert.deepEqual(
      shown.map(([n]) => n && textOf(n)),
      ['0', '1', '', ''],
    );
    await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
    const sorted = await rows.queries.rows(0, 4);
    assert.deepEqual(
      sorted.map(([n]) => n && textOf(n)),
      ['1', '0'],
    );
  });
}
