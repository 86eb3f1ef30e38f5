import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { RowRandom } from '../../../src/model/generating/random.ts';
import type { CellRange } from '../../../src/protocol/rowQueries.ts';
import { allCells, notAborted, openRows, type RowsUnderTest } from '../../support/queriedRows.ts';

interface ParquetFile {
  /** The types of the columns. A text is a BYTE_ARRAY. */
  readonly types: Readonly<Record<string, string | undefined>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly groupCount: number;
  readonly mixedColumns: readonly string[] | undefined;
}

const request = { format: 'parquet', headers: true, guardFormulas: false, table: 't' } as const;

async function exported(rows: RowsUnderTest, ranges?: readonly CellRange[]): Promise<ParquetFile> {
  let mixedColumns: readonly string[] | undefined;
  const pieces = rows.queries.text(
    { ...request, ranges: ranges ?? [allCells(rows, rows.columns.length)] },
    { ...notAborted, onMixedColumns: names => void (mixedColumns = names) },
  );
  const { buffer } = new Uint8Array(Buffer.concat(await Array.fromAsync(pieces)));
  const { schema, row_groups: groups } = parquetMetadata(buffer);
  return {
    types: Object.fromEntries(schema.slice(1).map(({ name, type }) => [name, type])),
    rows: await parquetReadObjects({ file: buffer }),
    groupCount: groups.length,
    mixedColumns,
  };
}

test('each value of a Parquet file is read back as it was, in a column of its type', async context => {
  const rows = await openRows(context, [
    'integer',
    'real',
    { name: 'whole', type: 'REAL' },
    'text',
    'flag',
    { name: 'blob', type: 'BLOB' },
    'nothing',
    '',
  ]);
  await rows.add(
    {
      integer: 9_223_372_036_854_775_807n,
      real: -0,
      whole: 5,
      text: '',
      flag: true,
      blob: 'AP8=',
      nothing: null,
      '': 1,
    },
    { integer: -9_223_372_036_854_775_808n, real: 0, whole: null, text: 'ü 😀 "\\\n\0', flag: false, blob: null },
    { integer: 9_007_199_254_740_993n, real: Infinity, whole: 2 ** 52, text: null, flag: null, blob: 'AAAA' },
    { integer: null, real: 1e-300, whole: 0, text: '-0.0', flag: null, blob: null, nothing: null, '': -1 },
  );
  const { types, rows: found, mixedColumns } = await exported(rows);
  assert.deepEqual(types, {
    integer: 'INT64',
    real: 'DOUBLE',
    whole: 'DOUBLE',
    text: 'BYTE_ARRAY',
    flag: 'INT64',
    blob: 'BYTE_ARRAY',
    nothing: 'BYTE_ARRAY',
    '': 'INT64',
  });
  assert.deepEqual(mixedColumns, []);
  const column = (name: string): readonly unknown[] => found.map(row => row[name]);
  assert.deepEqual(column('integer'), [
    9_223_372_036_854_775_807n,
    -9_223_372_036_854_775_808n,
    9_007_199_254_740_993n,
    null,
  ]);
  assert.deepEqual(column('real'), [-0, 0, Infinity, 1e-300]);
  assert.deepEqual(column('whole'), [5, null, 2 ** 52, 0]);
  assert.deepEqual(column('text'), ['', 'ü 😀 "\\\n\0', null, '-0.0']);
  assert.deepEqual(column('flag'), [1n, 0n, null, null]);
  assert.deepEqual(column('blob'), ['AP8=', null, 'AAAA', null]);
  assert.deepEqual(column('nothing'), [null, null, null, null]);
  assert.deepEqual(column(''), [1n, null, null, -1n]);
});

test('a column with values of several types has texts with every digit, and is named', async context => {
  const rows = await openRows(context, ['mixed', 'wide', 'list', 'numbers']);
  await rows.add(
    '{"mixed":1,"wide":9007199254740993,"list":[1, {"a":2}],"numbers":1}',
    '{"mixed":"1","wide":0.5,"list":"[]","numbers":0.5}',
    '{"mixed":-0.0,"wide":null,"list":null,"numbers":9007199254740991}',
    '{"mixed":true}',
  );
  const { types, rows: found, mixedColumns } = await exported(rows);
  assert.deepEqual(types, { mixed: 'BYTE_ARRAY', wide: 'BYTE_ARRAY', list: 'BYTE_ARRAY', numbers: 'DOUBLE' });
  assert.deepEqual(mixedColumns, ['mixed', 'wide']);
  assert.deepEqual(found, [
    { mixed: '1', wide: '9007199254740993', list: '[1,{"a":2}]', numbers: 1 },
    { mixed: '1', wide: '0.5', list: '[]', numbers: 0.5 },
    { mixed: '-0.0', wide: null, list: null, numbers: 9_007_199_254_740_991 },
    { mixed: 'true', wide: null, list: null, numbers: null },
  ]);
});

test('random rows of several row groups come back, each value the same', async context => {
  const random = new RowRandom(7, 0, 0);
  const text = (): string => random.oneOf(['', 'ü', 'x'.repeat(random.upTo(6000)), `${random.upTo(9)} 😀`, 'a"b\\c\n']);
  const integer = (): bigint =>
    BigInt(random.upTo(2 ** 31)) ** BigInt(random.upTo(3)) * (random.chance(0.5) ? 1n : -1n);
  const real = (): number => random.oneOf([-0, 0, 0.1, random.next(), -random.next() * 1e300, 5e-324]);
  const orNull = <T>(value: T): T | null => (random.chance(0.2) ? null : value);
  const sent = Array.from({ length: 20_000 }, () => ({
    integer: orNull(integer()),
    real: orNull(real()),
    text: orNull(text()),
    few: orNull(random.oneOf(['red', 'green', 'blue'])),
    mixed: orNull(random.chance(0.01) ? text() : integer()),
  }));
  const rows = await openRows(context, ['integer', 'real', 'text', 'few', 'mixed']);
  await rows.add(...sent);
  const { types, rows: found, groupCount, mixedColumns } = await exported(rows);
  assert.deepEqual(Object.values(types), ['INT64', 'DOUBLE', 'BYTE_ARRAY', 'BYTE_ARRAY', 'BYTE_ARRAY']);
  assert.deepEqual(mixedColumns, ['mixed']);
  assert.ok(groupCount > 1, `${groupCount} row groups`);
  assert.equal(found.length, sent.length);
  for (const [nth, row] of sent.entries()) {
    assert.deepEqual(found[nth], { ...row, mixed: row.mixed === null ? null : String(row.mixed) });
  }
});

test('rows are written in the order shown, and a column of a second range is NULL elsewhere', async context => {
  const rows = await openRows(context, ['id', 'ID', 'name']);
  await rows.add({ id: 1, ID: 'a', name: 'one' }, { id: 2, ID: 'b', name: 'two' }, { id: 3, ID: 'c', name: 'three' });
  await rows.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  const { rows: found } = await exported(rows, [
    { firstRow: 0, endRow: 1, columns: [0, 1] },
    { firstRow: 1, endRow: 3, columns: [2] },
  ]);
  assert.deepEqual(found, [
    { id: 3n, 'ID:1': 'c', name: null },
    { id: null, 'ID:1': null, name: 'two' },
    { id: null, 'ID:1': null, name: 'one' },
  ]);
});

test('a result without rows has its columns, and one without columns says so', async context => {
  const none = await openRows(context, ['a', { name: 'b', type: 'REAL' }]);
  const { types, rows } = await exported(none);
  assert.deepEqual([types, rows], [{ a: 'BYTE_ARRAY', b: 'BYTE_ARRAY' }, []]);
  await assert.rejects(exported(await openRows(context, [])), { code: 'no_columns' });
});
