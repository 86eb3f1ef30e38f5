import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { completeMarked } from '../../support/completeMarked.ts';

const schema = Schema.of(`
  CREATE TABLE a(id INTEGER PRIMARY KEY, sum AS (id + 1), note);
  CREATE TABLE b(a_id INT REFERENCES a, other INT REFERENCES a(id), PRIMARY KEY (a_id, other));
`);

for (const [marked, label, detail, origin] of [
  ['SELECT ¦ FROM a', 'id', 'INTEGER primary key', 'a'],
  ['SELECT ¦ FROM a AS x', 'sum', 'generated', 'x'],
  ['SELECT x.¦ FROM a AS x', 'note', '', 'x'],
  ['SELECT ¦ FROM b', 'a_id', 'INT primary key → a', 'b'],
  ['INSERT INTO b(¦', 'other', 'INT primary key → a.id', 'b'],
  ['WITH c AS (SELECT id AS k FROM a) SELECT ¦ FROM c', 'k', 'INTEGER', 'c'],
  ['CREATE TABLE n(x REFERENCES a(¦', 'id', 'INTEGER primary key', 'a'],
  ['INSERT INTO a SELECT * FROM b JOIN b AS c USING (¦)', 'other', 'INT', ''],
  ['INSERT INTO b SELECT * FROM b JOIN b AS c USING (¦)', 'other', 'INT', ''],
] as const) {
  test(`a column shows its type, its keys and its table: ${marked}`, () => {
    const proposal = completeMarked(marked, schema).proposals.find(other => other.label === label);
    assert.deepEqual([proposal?.detail, proposal?.origin], [detail, origin]);
  });
}

test('a foreign key proposes each column once', () => {
  const { proposals } = completeMarked('CREATE TABLE n(x, y, FOREIGN KEY (x, ¦) REFERENCES a)', schema);
  assert.deepEqual(
    proposals.filter(({ kind }) => kind === 'column').map(({ label }) => label),
    ['y'],
  );
});
