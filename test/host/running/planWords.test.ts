import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { planOf } from '../../../src/model/queryPlan.ts';
import type { PlanStepView } from '../../../src/protocol/results.ts';
import { planStatistics } from '../../../src/sql/plans/planCosts.ts';
import type { Row } from '../../../src/wire/values.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { wordedPlan } = await import('../../../src/host/running/planWords.ts');

const database = new DatabaseSync(':memory:');
database.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id, total, day);
  CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE notes (customer REFERENCES customers (id) ON DELETE CASCADE);
  CREATE TABLE marks (customer REFERENCES customers (id) ON DELETE CASCADE);
  CREATE INDEX by_customer ON orders (customer_id);
  CREATE INDEX by_total ON orders (total, day);
  CREATE VIRTUAL TABLE texts USING fts5 (x)`);

const counts = new Map([
  ['Orders', 100_000n],
  ['customers', 500n],
]);

function plan(sql: string, statistics: readonly Row[] = []): PlanStepView[] {
  const steps = planOf(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Row[]);
  return wordedPlan(sql, steps, planStatistics(statistics, counts));
}

const words = (sql: string): (string | undefined)[] => plan(sql).map(step => step.words);

test('a join is told as loops with the numbers of rows', () => {
  assert.deepEqual(words('SELECT * FROM orders o JOIN customers ON customers.id = o.customer_id ORDER BY name'), [
    'Reads all 100,000 rows (estimated) of orders (o).',
    'Looks up customers by its primary key, once per row of orders (o).',
    'Sorts in a temporary B-tree because no index has this order.',
  ]);
});

test('numbers of sqlite_stat1 come before counts', () => {
  const [scan] = plan('SELECT * FROM orders', [{ tbl: 'orders', idx: 'by_customer', stat: '7000 14 sz=9' }]);
  assert.equal(scan?.words, 'Reads all 7,000 rows (estimated) of orders.');
});

test('each kind of search says what it reads', () => {
  const cases: readonly (readonly [sql: string, words: string])[] = [
    ['SELECT * FROM orders WHERE customer_id = 1', 'Looks up orders by the index by_customer.'],
    ['SELECT * FROM orders WHERE total > 1', 'Reads a range of orders by the index by_total.'],
    ['SELECT day FROM orders WHERE total = 1', 'Looks up the index by_total in place of orders.'],
    ['SELECT * FROM orders WHERE id > 1', 'Reads a range of orders by its primary key.'],
    ['SELECT * FROM pairs WHERE a = 1 AND b > 2', 'Looks up pairs by its primary key.'],
    ['SELECT max(id) FROM orders', 'Finds the smallest or largest value of orders.'],
    ['SELECT max(total) FROM orders', 'Reads the first or last row of the index by_total in place of orders.'],
    ['SELECT * FROM texts WHERE x MATCH 1', 'Reads the rows that the virtual table texts finds.'],
    [
      'SELECT * FROM orders ORDER BY total',
      'Reads all 100,000 rows (estimated) of orders in the order of the index by_total.',
    ],
    ['SELECT 1', 'Makes a row without reading a table.'],
    ['VALUES (1), (2)', 'Makes 2 rows without reading a table.'],
  ];
  for (const [sql, expected] of cases) assert.equal(words(sql)[0], expected, sql);
});

test('rows of a foreign key are looked for once per row of the changed table', () => {
  database.exec('PRAGMA foreign_keys = ON');
  const [, second, third] = words("DELETE FROM customers WHERE name = 'x'");
  assert.match(second ?? '', /^Reads all rows of (?:marks|notes), once per row of customers\.$/);
  assert.match(third ?? '', /^Reads all rows of (?:marks|notes), once per row of customers\.$/);
});

const statements = `SELECT * FROM orders o LEFT JOIN customers c ON c.name = o.day
SELECT * FROM orders o RIGHT JOIN customers c ON c.name = o.day
SELECT * FROM orders WHERE customer_id = 1 OR total = 3
SELECT day, count(DISTINCT total), group_concat(total ORDER BY day) FROM orders GROUP BY day
SELECT * FROM orders ORDER BY total, id
SELECT * FROM orders ORDER BY total, customer_id, day
SELECT * FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE city = 'x')
SELECT (SELECT name FROM customers c WHERE c.id = o.customer_id) FROM orders o
SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT * FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.day = c.id)
WITH x AS MATERIALIZED (SELECT day FROM orders GROUP BY day) SELECT * FROM x JOIN customers c ON c.name = x.day
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r
SELECT day FROM orders UNION SELECT name FROM customers
SELECT day FROM orders UNION ALL SELECT name FROM customers
SELECT day FROM orders EXCEPT SELECT name FROM customers INTERSECT SELECT city FROM customers
SELECT *, row_number() OVER (PARTITION BY day ORDER BY total) FROM orders
SELECT customer_id IN (SELECT id FROM customers), customer_id IN (SELECT customer_id FROM orders) FROM orders
SELECT day FROM orders WHERE day IN (SELECT x FROM (SELECT DISTINCT total AS x FROM orders LIMIT 3))
SELECT day, (SELECT 1 FROM pairs) FROM orders UNION SELECT name, (SELECT 1 FROM pairs) FROM customers LIMIT 3
SELECT * FROM json_each('[1]')`.split('\n');

test('every line that SQLite prints has a sentence', () => {
  for (const sql of statements) {
    for (const step of plan(sql)) assert.notEqual(step.words, '', `${sql}: ${step.detail}`);
  }
  const others = [
    'USE TEMP B-TREE FOR RIGHT PART OF ORDER BY',
    'UNION USING TEMP B-TREE',
    'EXCEPT USING TEMP B-TREE',
    'INTERSECT USING TEMP B-TREE',
    'REUSE LIST SUBQUERY 3',
    'REUSE SUBQUERY 3',
    'CORRELATED LIST SUBQUERY 4',
    'MATERIALIZE (subquery-2)',
    'SCAN 5 CONSTANT ROWS',
    'SEARCH a USING AUTOMATIC PARTIAL COVERING INDEX (b=?)',
    'SEARCH a USING INDEX i (ANY(b) AND c=?)',
  ].map(detail => ({ detail, step: 'other', depth: 0 }) as const);
  for (const step of wordedPlan('SELECT 1', others, planStatistics([], new Map()))) {
    assert.notEqual(step.words, '', step.detail);
  }
  const [unknown] = wordedPlan(
    'SELECT 1',
    [{ detail: 'TELEPORT', step: 'other', depth: 0 }],
    planStatistics([], new Map()),
  );
  assert.equal(unknown?.words, '');
});

test('the costliest step is the first: a scan in a loop before the loop, and a search last', () => {
  const sql = `SELECT * FROM customers a JOIN orders b ON +b.day = a.name JOIN customers c ON c.id = b.customer_id`;
  const ranked = plan(sql).flatMap(({ detail, rank }) => (rank === undefined ? [] : [[rank, detail] as const]));
  assert.match(ranked.toSorted(([one], [other]) => one - other)[0]?.[1] ?? '', /AUTOMATIC|^SCAN/);
  assert.ok(ranked.length <= 3);
  const [only] = plan('SELECT * FROM orders');
  assert.equal(only?.rank, 1);
});
