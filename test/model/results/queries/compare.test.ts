import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type ComparisonPlan, planComparison } from '../../../../src/model/results/comparison.ts';
import type { ComparisonSummary } from '../../../../src/protocol/results.ts';
import { notAborted, openRows, type RowsUnderTest } from '../../../support/queriedRows.ts';
import { seedsOf } from '../../../support/seeds.ts';
import { seeded, upTo } from '../../../fuzz/random.ts';

interface Compared extends ComparisonSummary {
  readonly plan: ComparisonPlan;
  /** The rows that differ, each as its text. */
  readonly rows: readonly string[];
}

interface CompareOptions {
  readonly key?: readonly string[];
  readonly letters?: number;
}

async function compare(
  before: RowsUnderTest,
  after: RowsUnderTest,
  { key = [], letters }: CompareOptions = {},
): Promise<Compared> {
  const plan = planComparison(before.columns.slice(0, letters), after.columns.slice(0, letters), key);
  const pieces = before.queries.compare(after.queries, { plan, letterColumns: [letters, letters] }, notAborted);
  const rows: string[] = [];
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { ...next.value, plan, rows };
    const text = Buffer.from(next.value.bytes).toString('utf8');
    const some = text.slice(1, -1).split('},{');
    assert.equal(some.length, next.value.rowCount);
    rows.push(...some.map(row => `{${row}}`));
  }
}

const countsOf = ({ added, removed, changed, same, duplicates }: ComparisonSummary) => ({
  added,
  removed,
  changed,
  same,
  duplicates,
});

/** Spellings of one value. Values of different lines differ. */
const values: readonly (readonly string[])[] = [
  ['null'],
  ['1'],
  ['1.0', '10e-1', '1.00'],
  ['"1"', '"\\u0031"'],
  ['0'],
  ['0.0', '0e0'],
  ['-0.0', '-0'],
  ['9007199254740992'],
  ['9007199254740993'],
  ['-9223372036854775808'],
  ['-9223372036854775807'],
  ['9.007199254740992e15', '9007199254740992.0'],
  ['9e999', '1e400'],
  ['""'],
  ['"a/b"', '"a\\/b"'],
  ['"é\\n"', '"\\u00e9\\u000a"'],
  ['"A"'],
  ['true'],
];

type NaiveRow = readonly number[];

const keyOf = (row: NaiveRow, columns: readonly number[]): string => columns.map(column => row[column]).join(' ');

function grouped(rows: readonly NaiveRow[], columns: readonly number[]): Map<string, NaiveRow[]> {
  return Map.groupBy(rows, row => keyOf(row, columns));
}

/** Each difference as a kind and the numbers of the values before and after. */
function naive(before: readonly NaiveRow[], after: readonly NaiveRow[], key: readonly number[]): string[] {
  const found: string[] = [];
  const one = grouped(before, key);
  const other = grouped(after, key);
  const hasKey = key.length < 3;
  for (const id of new Set([...one.keys(), ...other.keys()])) {
    const rows = one.get(id) ?? [];
    const others = other.get(id) ?? [];
    if (hasKey && (rows.length > 1 || others.length > 1)) {
      found.push(...rows.map(row => `duplicate key (before) ${row.join(' ')}`));
      found.push(...others.map(row => `duplicate key (after) ${row.join(' ')}`));
      continue;
    }
    const pairs = Math.min(rows.length, others.length);
    found.push(...rows.slice(pairs).map(row => `removed ${row.join(' ')}`));
    found.push(...others.slice(pairs).map(row => `added ${row.join(' ')}`));
    if (!hasKey) continue;
    for (let nth = 0; nth < pairs; nth++) {
      if (String(rows[nth]) !== String(others[nth]))
        found.push(`changed ${rows[nth]!.join(' ')} ${others[nth]!.join(' ')}`);
    }
  }
  return found.toSorted();
}

const names = ['k', 'l', 'v'];

/** The number of the value that a text of JSON spells. */
const valueOf = (text: string | undefined): number => values.findIndex(spellings => spellings.includes(text ?? 'null'));

function foundIn({ rows }: Compared): string[] {
  return rows
    .map(row => {
      const cells = new Map(
        [...row.matchAll(/"([^"]*)":(\[(?:[^[\]]|\[[^\]]*\])*\]|"(?:[^"\\]|\\.)*"|[^,}]+)/g)].map(match => [
          match[1]!,
          match[2]!,
        ]),
      );
      const kind = JSON.parse(cells.get('change')!) as string;
      const after = names.map(name => valueOf(cells.get(name)));
      if (kind !== 'changed') return `${kind} ${after.join(' ')}`;
      const changed = JSON.parse(cells.get('changed columns')!) as (string | string[])[];
      const changedNames = new Set(changed.map(entry => (typeof entry === 'string' ? entry : entry[0])));
      const before = names.map((name, nth) =>
        changedNames.has(name) ? valueOf(cells.get(`${name} (before)`)) : after[nth],
      );
      return `changed ${before.join(' ')} ${after.join(' ')}`;
    })
    .toSorted();
}

async function openNaive(context: TestContext, rows: readonly NaiveRow[], random: (below: number) => number) {
  const opened = await openRows(context, names);
  const cell = (value: number): string => values[value]![random(values[value]!.length)]!;
  await opened.add(...rows.map(row => `{${names.map((name, nth) => `"${name}":${cell(row[nth]!)}`).join(',')}}`));
  return opened;
}

for (const seed of seedsOf({ few: 4, all: 30 })) {
  test(`a comparison equals a naive one on random rows, seed ${seed}`, async context => {
    const state = seeded(seed);
    const random = (below: number): number => upTo(state, below);
    const newRow = (): NaiveRow => names.map(() => random(values.length));
    const before = Array.from({ length: 400 + random(400) }, newRow);
    const after = [...before.filter(() => random(5) > 0), ...Array.from({ length: random(100) }, newRow)].map(row =>
      random(6) === 0 ? [row[0]!, row[1]!, random(values.length)] : row,
    );
    after.sort(() => random(3) - 1);
    const one = await openNaive(context, before, random);
    const other = await openNaive(context, after, random);
    for (const columns of [[0], [0, 1], [0, 1, 2]]) {
      const key = columns.length === 3 ? [] : columns.map(column => names[column]!);
      assert.deepEqual(foundIn(await compare(one, other, { key })), naive(before, after, columns), key.join());
    }
  });
}

test('columns are matched by name, and those of one source alone are shown but not compared', async context => {
  const before = await openRows(context, ['id', 'old', 'name', 'change']);
  const after = await openRows(context, ['name', 'id', 'new', 'change']);
  await before.add({ id: 1, old: 'x', name: 'a', change: 1 }, { id: 2, old: 'y', name: 'b', change: 1 });
  await after.add({ name: 'a', id: 1, new: 5, change: 1 }, { name: 'c', id: 2, new: 6, change: 1 });
  const { rows, plan, changedColumns, ...counts } = await compare(before, after, { key: ['id'] });
  assert.deepEqual(counts, { added: 0, removed: 0, changed: 1, same: 1, duplicates: 0 });
  assert.deepEqual(
    plan.shown.map(({ name }) => name),
    ['change:1', 'changed columns', 'id', 'name', 'change', 'old', 'new', 'name (before)', 'change (before)'],
  );
  assert.deepEqual(plan.changes, [
    { column: 3, before: 7 },
    { column: 4, before: 8 },
  ]);
  assert.deepEqual(changedColumns, [3]);
  assert.deepEqual(
    rows.map(row => JSON.parse(row) as unknown),
    [
      {
        'change:1': 'changed',
        'changed columns': ['name'],
        id: 2,
        name: 'c',
        change: 1,
        old: 'y',
        new: 6,
        'name (before)': 'b',
      },
    ],
  );
});

test('letters of storage classes distinguish values whose JSON is the same', async context => {
  const columns = ['id', 'a', { name: 'b', type: 'BLOB' }, 'classes'];
  const before = await openRows(context, columns);
  const after = await openRows(context, columns);
  await before.add({ id: 1, a: 1, b: 'AAAA', classes: 'iit' }, { id: 2, a: 2, b: null, classes: 'irn' });
  await after.add({ id: 1, a: 1, b: 'AAAA', classes: 'irb' }, '{"id":2,"a":2.0,"b":null,"classes":"irn"}');
  const { rows, ...summary } = await compare(before, after, { key: ['id'], letters: 3 });
  assert.deepEqual(countsOf(summary), { added: 0, removed: 0, changed: 1, same: 1, duplicates: 0 });
  assert.deepEqual(rows, [
    '{"change":"changed","changed columns":[["a","integer","real"],["b","text","blob"]],"id":1,"a":1.0,"b":"AAAA","a (before)":1,"b (before)":"AAAA"}',
  ]);
});

test('differing rows are in the order of the sources, with a new row after the one that it follows', async context => {
  const before = await openRows(context, ['id']);
  const after = await openRows(context, ['id']);
  await before.add({ id: 'b' }, { id: 'd' }, { id: 'e' }, { id: 'g' });
  await after.add({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'e' }, { id: 'h' }, { id: 'i' });
  const { rows } = await compare(before, after, { key: ['id'] });
  const ids = rows.map(row => (JSON.parse(row) as { id: string }).id);
  assert.deepEqual(ids, ['a', 'c', 'd', 'h', 'i', 'g']);
});

test('a closed source ends the comparison', async context => {
  const before = await openRows(context, ['id']);
  const after = await openRows(context, ['id']);
  await before.add({ id: 1 });
  await after.add({ id: 2 });
  const comparing = compare(before, after);
  after.queries.dispose();
  await assert.rejects(comparing, { code: 'result_closed' });
});
