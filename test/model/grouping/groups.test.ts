import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupFilters } from '../../../src/model/grouping/groupFilters.ts';
import { groupColumns, groupingSql } from '../../../src/model/grouping/groupingSql.ts';
import { type GroupQuery, figureKinds, periods } from '../../../src/protocol/groups.ts';
import { type Arrangement, unsorted } from '../../../src/protocol/rowQueries.ts';
import { parseExact } from '../../../src/wire/exactJson.ts';
import { codeOf } from '../../support/codeOf.ts';
import { notAborted, openRows, type RowsUnderTest } from '../../support/queriedRows.ts';
import { openRandomRows } from '../../support/randomRows.ts';
import { seedsOf } from '../../support/seeds.ts';

const source = { sql: 'SELECT * FROM t; ', params: [] };

for (const seed of seedsOf({ few: 3, all: 30 })) {
  test(`groups of random rows ${seed} are those of SQLite`, async context => {
    const { rows, database } = await openRandomRows(context, seed, 300);
    const figures = [2, 3, 1, 0, 5].flatMap(column => figureKinds.map(kind => ({ kind, column })));
    const filters: Arrangement = { sort: [], filters: [{ kind: 'range', column: 2, from: '-100', to: '300' }] };
    const queries: GroupQuery[] = [
      { keys: [{ column: 0 }], figures },
      { keys: [{ column: 1 }, { column: 5 }], figures },
      { keys: [{ column: 5 }, { column: 3 }, { column: 0 }], figures: [{ kind: 'rows' }] },
      { keys: [], figures },
      ...periods.map(period => ({ keys: [{ column: 4, period }], figures })),
    ];
    for (const arrangement of [unsorted, filters]) {
      await rows.queries.arrange(arrangement);
      for (const query of queries) {
        const { sql, params } = groupingSql({ source, columns: rows.columns, arrangement }, query);
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        const expected = statement.all(...(params as (string | number | bigint)[])).map(row => Object.values(row));
        assertSame(
          await groupsOf(rows, query),
          expected.map(row => row.map(comparable)),
        );
      }
    }
  });
}

test('the filters of a group leave its rows', async context => {
  const { rows, database } = await openRandomRows(context, 7, 300);
  const queries: GroupQuery[] = [
    { keys: [{ column: 0 }], figures: [{ kind: 'rows' }] },
    { keys: [{ column: 2 }, { column: 3 }], figures: [{ kind: 'rows' }] },
    ...periods.map((period): GroupQuery => ({ keys: [{ column: 4, period }], figures: [{ kind: 'rows' }] })),
  ];
  for (const query of queries) {
    await rows.queries.arrange(unsorted);
    for (const group of await groupsOf(rows, query)) {
      const values = group.slice(0, -1).map(value => (value === null ? null : `${value as string | number | bigint}`));
      const filters = groupFilters(query.keys, values);
      if (!filters) {
        assert.equal(values[0], null);
        continue;
      }
      await rows.queries.arrange({ sort: [], filters });
      // The range of a year has days that no month has.
      const oddDays =
        values[0] === '2026' ? database.prepare("SELECT count(*) n FROM t WHERE day = '2026-02-31'").get()!['n'] : 0;
      assert.equal(rows.queries.shownRows, Number(group.at(-1)) + Number(oddDays), JSON.stringify(filters));
    }
  }
});

test('sums of integers are exact beyond 64 bits', async context => {
  const rows = await openRows(context, ['n']);
  await rows.add({ n: 2n ** 63n - 1n }, { n: 2n ** 63n - 1n }, { n: 5 });
  const groups = await groupsOf(rows, { keys: [], figures: [{ kind: 'sum', column: 0 }] });
  assert.deepEqual(groups, [[2n ** 64n + 3n]]);
});

test('too many groups end with an error that says what to do', async context => {
  const rows = await openRows(context, ['n']);
  for (let part = 0; part < 51; part++) {
    await rows.add(...Array.from({ length: 10_000 }, (_, n) => `{"n":${part * 10_000 + n}}`));
  }
  const grouped = groupsOf(rows, { keys: [{ column: 0 }], figures: [] });
  assert.equal(await grouped.then(() => undefined, codeOf), 'misuse/too_many_groups');
});

test('a row that is not JSON is a group of its text', async context => {
  const rows = await openRows(context, ['a']);
  await rows.add('{"a":1}', '{"a":oops "x"}');
  const groups = await groupsOf(rows, { keys: [{ column: 0 }], figures: [{ kind: 'rows' }] });
  assert.deepEqual(groups, [
    [1, 1],
    ['{"a":oops "x"}', 1],
  ]);
});

async function groupsOf({ queries, columns }: RowsUnderTest, query: GroupQuery): Promise<unknown[][]> {
  const names = groupColumns(columns, query).map(({ name }) => name);
  const pieces: string[] = [];
  for await (const { bytes } of queries.groups({ query, names }, notAborted))
    pieces.push(Buffer.from(bytes).toString());
  const groups = parseExact(`[${pieces.join(',')}]`) as Record<string, unknown>[];
  return groups.map(group => names.map(name => group[name]));
}

/** A value as it is in JSON. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
    ? Number(value)
    : value;
}

/** Sums of REALs may be rounded in another order. */
function assertSame(found: readonly unknown[][], expected: readonly unknown[][]): void {
  assert.equal(found.length, expected.length);
  for (const [nth, row] of expected.entries()) {
    for (const [column, value] of row.entries()) {
      const other = found[nth]![column];
      const isNear =
        typeof value === 'number' && other !== null && Math.abs(value - Number(other)) <= Math.abs(value) * 1e-13;
      if (!isNear) assert.deepEqual(other, value, JSON.stringify([nth, column, String(other), String(value)]));
    }
  }
}
