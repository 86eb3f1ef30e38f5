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

const orders = Schema.of(`
  CREATE TABLE orders(
    status TEXT CHECK (status IN ('new', 'it''s sent')), stars INT, other,
    size CHECK (size IS NOT NULL AND (size IN ('S', 'M') OR size IN ('L'))),
    word CHECK (word IN ('a', '${'long '.repeat(20)}')),
    line CHECK (line IN ('a\n')),
    CHECK (stars IS NULL OR (stars IN (1, 2))),
    CHECK (other NOT IN ('x'))
  )`);

for (const [marked, ...expected] of [
  ['SELECT * FROM orders WHERE status = ¦', "'new'", "'it''s sent'"],
  ['SELECT * FROM orders WHERE status IN (¦', "'new'", "'it''s sent'"],
  ["SELECT * FROM orders AS o WHERE o.status NOT IN ('new', ¦)", "'new'", "'it''s sent'"],
  ['SELECT * FROM orders WHERE ¦ <> stars', '1', '2'],
  ['SELECT * FROM orders WHERE size = ¦', "'S'", "'M'", "'L'"],
  ['SELECT * FROM orders WHERE word = ¦'],
  ['SELECT * FROM orders WHERE line = ¦'],
  ['SELECT * FROM orders WHERE other = ¦'],
  ['SELECT * FROM orders WHERE status < ¦'],
] as const) {
  test(`the values that a CHECK lists are proposed first: ${marked}`, () => {
    const { proposals } = completeMarked(marked, orders);
    assert.deepEqual(
      proposals.filter(({ kind }) => kind === 'expression').map(({ label }) => label),
      expected,
    );
    assert.equal(expected.length > 0, proposals[0]?.kind === 'expression');
  });
}

for (const [marked, ...expected] of [
  ['SELECT dept, upper(name) AS n, count(*) FROM emp GROUP BY ¦', 'dept, n', 'dept', 'n'],
  ['SELECT dept, count(*) FROM emp GROUP BY ¦ ORDER BY 1', 'dept'],
  ['SELECT e.dept, e.name FROM emp e GROUP BY ¦', 'e.dept, e.name', 'e.dept', 'e.name'],
  ['SELECT e.dept, e.name, max(id) FROM emp e GROUP BY e.dept, ¦', 'e.name'],
  ['SELECT length(name), sum(salary) * 2 FROM emp GROUP BY ¦', 'length(name)'],
  ['SELECT max(id, mgr), max(id) FROM emp GROUP BY ¦', 'max(id, mgr)'],
  ['SELECT "dept", 1, ?, random(), rank() OVER (ORDER BY id) FROM emp GROUP BY ¦', '"dept"'],
] as const) {
  test(`GROUP BY proposes the results without aggregates: ${marked}`, () => {
    const inserts = completeMarked(marked).proposals.map(({ insert }) => insert);
    assert.deepEqual(inserts.slice(0, expected.length), expected);
    assert.ok(!inserts.some(insert => /\*|sum\(salary|random\(\)/.test(insert)));
  });
}
