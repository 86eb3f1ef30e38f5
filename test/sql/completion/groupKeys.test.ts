import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeMarked } from '../../support/completeMarked.ts';

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
