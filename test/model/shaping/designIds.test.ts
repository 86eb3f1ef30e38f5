import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFormerIds } from '../../../src/model/shaping/designIds.ts';
import { decodeTableDesign, type TableDesign } from '../../../src/protocol/tableDesign.ts';
import { readTableDesign } from '../../../src/model/shaping/readTableDesign.ts';

/** The design of a table as it is read from its statement. */
function designOf(sql: string, ...indexes: readonly string[]): TableDesign {
  const entries = [
    { kind: 'table' as const, name: 't', table: 't', sql },
    ...indexes.map(index => ({ kind: 'index' as const, name: /INDEX (\w+)/.exec(index)![1]!, table: 't', sql: index })),
  ];
  return decodeTableDesign(readTableDesign(entries, 't'))!;
}

const idsOf = ({ columns }: TableDesign): Record<string, string> =>
  Object.fromEntries(columns.map(({ name, id }) => [name, id]));

test('columns keep their ids when another one before them is gone', () => {
  const former = designOf(
    'CREATE TABLE t(a, b, c, PRIMARY KEY (c))',
    'CREATE INDEX i ON t(b)',
    'CREATE INDEX j ON t(c)',
  );
  const present = designOf('CREATE TABLE t(b, c, PRIMARY KEY (c))', 'CREATE INDEX j ON t(c)');
  const again = withFormerIds(present, former, former);
  const { a: _gone, ...rest } = idsOf(former);
  assert.deepEqual(idsOf(again), rest);
  assert.equal(again.primaryKey?.columns[0]?.column, rest['c']);
  assert.equal(again.indexes[0]?.id, former.indexes[1]?.id);
  assert.deepEqual(again.indexes[0]?.parts, [{ column: rest['c'] }]);
});

test('a column that a statement of the draft has renamed or added is that of the draft', () => {
  const former = designOf('CREATE TABLE t(a, b)');
  const draft = {
    ...former,
    columns: [
      { ...former.columns[0]!, name: 'first' },
      { ...former.columns[1]! },
      { ...former.columns[1]!, id: 'added', name: 'c' },
    ],
  };
  const again = withFormerIds(designOf('CREATE TABLE t(first, b, c)'), former, draft);
  assert.deepEqual(idsOf(again), { first: former.columns[0]!.id, b: former.columns[1]!.id, c: 'added' });
});

test('a new column never gets the id of another one', () => {
  const former = designOf('CREATE TABLE t(a, b)');
  const again = withFormerIds(designOf('CREATE TABLE t(x, y, b)'), former, former);
  const ids = Object.values(idsOf(again));
  assert.equal(new Set(ids).size, 3);
  assert.equal(idsOf(again)['b'], former.columns[1]!.id);
  assert.ok(!ids.includes(former.columns[0]!.id));
});
