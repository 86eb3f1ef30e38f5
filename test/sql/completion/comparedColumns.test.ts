import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { completeMarked } from '../../support/completeMarked.ts';

const schema = Schema.of(`
  CREATE TABLE a(name, x, y, PRIMARY KEY (x, y));
  CREATE TABLE b(name, p, q, FOREIGN KEY (p, q) REFERENCES a);
`);

for (const [marked, first] of [
  ['SELECT * FROM b JOIN a ON b.q = ¦', 'y'],
  ['SELECT * FROM b JOIN a ON b.p = a.x AND a.y = ¦', 'q'],
  ['SELECT * FROM b JOIN a ON b.p = a.¦', 'x'],
  ['SELECT * FROM b JOIN a ON ¦ = a.x', 'p'],
  ['SELECT * FROM b, a WHERE q = ¦', 'y'],
  ['SELECT * FROM a WHERE EXISTS (SELECT 1 FROM b WHERE p = ¦)', 'x'],
  ['SELECT * FROM b, a, (SELECT 1 AS name, 2 AS x) c WHERE b.p = c.¦', 'name'],
  ['SELECT * FROM b u JOIN b v ON u.p = v.¦', 'name'],
  ['SELECT * FROM b JOIN a ON b.p > a.¦', 'name'],
] as const) {
  test(`a comparison proposes the column at the other end of a foreign key first: ${marked}`, () => {
    const proposal = completeMarked(marked, schema).proposals.find(({ kind }) => kind === 'column');
    assert.equal(proposal?.label, first);
  });
}
