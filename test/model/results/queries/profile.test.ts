import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { ColumnProfile } from '../../../../src/protocol/profile.ts';
import { type ColumnFilter, unsorted } from '../../../../src/protocol/rowQueries.ts';
import { notAborted, openRows, type RowsUnderTest } from '../../../support/queriedRows.ts';
import { openRandomRows } from '../../../support/randomRows.ts';
import { seedsOf } from '../../../support/seeds.ts';

const names = ['city', 'mixed', 'n', 'r', 'day', 'bytes'];

for (const seed of seedsOf({ few: 3, all: 30 })) {
  for (const inDetail of [false, true]) {
    test(`the profile of random rows ${seed} has the figures of SQLite${inDetail ? ' in detail' : ''}`, async context => {
      const { rows, database } = await openRandomRows(context, seed, 400);
      const profiles = await rows.queries.profile({ columns: [...names.keys()], inDetail }, notAborted);
      for (const profile of profiles) {
        const name = names[profile.column]!;
        assert.deepEqual(figuresOf(profile), expectedFigures(database, name), name);
        assert.equal(profile.median, inDetail ? expectedMedian(database, name) : undefined, name);
        await assertChoices(rows, profile);
      }
    });
  }
}

test('a column is profiled without its own filter, and with those of the others', async context => {
  const rows = await openRows(context, ['a', 'b']);
  await rows.add(...Array.from({ length: 100 }, (_, n) => ({ a: n % 10, b: n })));
  await rows.queries.arrange({
    sort: [],
    filters: [
      { kind: 'equals', column: 0, text: '3' },
      { kind: 'range', column: 1, to: '49' },
    ],
  });
  const [a, b] = await rows.queries.profile({ columns: [0, 1], inDetail: false }, notAborted);
  assert.deepEqual([a?.figures.cells, a?.figures.distinct], [50, 10]);
  assert.deepEqual([b?.figures.cells, b?.figures.max], [10, '93']);
});

test('many different values are estimated roughly, and counted exactly in detail', async context => {
  const rows = await openRows(context, ['text']);
  for (let part = 0; part < 10; part++) {
    await rows.add(...Array.from({ length: 10_000 }, (_, n) => `{"text":"value ${part * 10_000 + n}"}`));
  }
  const [rough] = await rows.queries.profile({ columns: [0], inDetail: false }, notAborted);
  assert.equal(rough?.isDistinctAbout, true);
  assert.equal(rough?.top, undefined);
  assert.ok(Math.abs(rough.figures.distinct / 100_000 - 1) < 0.03, String(rough.figures.distinct));
  const [exact] = await rows.queries.profile({ columns: [0], inDetail: true }, notAborted);
  assert.equal(exact?.isDistinctAbout, undefined);
  assert.equal(exact?.figures.distinct, 100_000);
});

function figuresOf({ figures, texts, blobs, shortest, longest }: ColumnProfile): unknown {
  const { cells, nulls, numbers, distinct, min, max } = figures;
  return { cells, nulls, distinct, min, max, numbers, texts, blobs, shortest, longest };
}

/** The text of a value in the grid, which shows a whole REAL without its decimals. */
const textOf = (value: string): string => `CASE WHEN typeof(${value}) = 'real' AND ${value} = CAST(${value} AS INTEGER)
    THEN CAST(CAST(${value} AS INTEGER) AS TEXT) ELSE CAST(${value} AS TEXT) END`;

function expectedFigures(database: DatabaseSync, name: string): unknown {
  const shown = `FILTER (WHERE typeof(${name}) <> 'blob')`;
  const statement =
    database.prepare(`SELECT count(*) cells, count(*) - count(${name}) nulls, count(DISTINCT ${name}) "distinct",
    ${textOf(`min(${name}) ${shown}`)} min, ${textOf(`max(${name}) ${shown}`)} max,
    count(*) FILTER (WHERE typeof(${name}) IN ('integer', 'real')) numbers,
    count(*) FILTER (WHERE typeof(${name}) = 'text') texts, count(*) FILTER (WHERE typeof(${name}) = 'blob') blobs,
    min(length(${name})) FILTER (WHERE typeof(${name}) = 'text') shortest,
    max(length(${name})) FILTER (WHERE typeof(${name}) = 'text') longest FROM t`);
  return Object.fromEntries(Object.entries(statement.get()!).map(([key, value]) => [key, value ?? undefined]));
}

function expectedMedian(database: DatabaseSync, name: string): string | undefined {
  const sql = `SELECT ${name} value FROM t WHERE typeof(${name}) IN ('integer', 'real') ORDER BY 1`;
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const numbers = statement.all().map(({ value }) => value as number | bigint);
  if (numbers.length === 0 || numbers.some(number => !Number.isSafeInteger(Number(number)) && Number(number) % 1 === 0))
    return undefined;
  const [one, other] = [numbers[(numbers.length - 1) >> 1]!, numbers[numbers.length >> 1]!];
  return String((Number(one) + Number(other)) / 2);
}

/** The filter of each bar and value leaves as many rows as it counts. */
async function assertChoices({ queries }: RowsUnderTest, { column, bars, top, figures }: ColumnProfile): Promise<void> {
  const countOf = async (filter: ColumnFilter): Promise<number> => {
    await queries.arrange({ sort: [], filters: [filter] });
    return queries.shownRows;
  };
  for (const { from, to, count } of bars) {
    assert.equal(
      await countOf({ kind: 'range', column, from, to, numbers: true }),
      count,
      `${column}: ${from} to ${to}`,
    );
  }
  assert.equal(
    bars.reduce((sum, { count }) => sum + count, 0),
    figures.numbers,
  );
  for (const { text, count } of top?.values ?? []) {
    const filter: ColumnFilter =
      text === null ? { kind: 'null', column, isNull: true } : { kind: 'equals', column, text };
    // A text that looks like a number is found with that number.
    if (text === '5') continue;
    assert.equal(await countOf(filter), count, `${column}: ${text}`);
  }
  await queries.arrange(unsorted);
}

test('the bars of the greatest numbers have ends that are numbers', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add(
    '{"n":0}',
    '{"n":1.7976931348623157e308}',
    '{"n":-1.7976931348623157e308}',
    '{"n":9223372036854775807}',
  );
  const [profile] = await rows.queries.profile({ columns: [0], inDetail: true }, notAborted);
  const ends = profile!.bars.flatMap(({ from, to }) => [Number(from), Number(to)]);
  assert.ok(ends.length > 0 && ends.every(Number.isFinite), ends.join());
});
