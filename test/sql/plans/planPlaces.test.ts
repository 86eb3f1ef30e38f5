import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { planOf } from '../../../src/model/queryPlan.ts';
import { planPlaces } from '../../../src/sql/plans/planPlaces.ts';
import type { Row } from '../../../src/wire/values.ts';

const database = new DatabaseSync(':memory:');
database.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id, total, day);
  CREATE TABLE "odd table" (a);
  CREATE INDEX by_customer ON orders (customer_id);
  CREATE VIEW big AS SELECT * FROM orders WHERE total > 5`);

/** Each line of the plan with the text of its place. */
function placesIn(sql: string): (readonly [detail: string, place: string | undefined, table?: string])[] {
  const lines = planOf(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Row[]);
  return planPlaces(sql, lines).map((place, index) => {
    const text = place && sql.slice(place.start, place.end);
    return place?.table === undefined ? [lines[index]!.detail, text] : [lines[index]!.detail, text, place.table];
  });
}

const placesOf = (sql: string): (string | undefined)[] => placesIn(sql).map(([, place]) => place);

test('a step leads to the table in FROM that its alias names', () => {
  assert.deepEqual(placesIn('SELECT * FROM orders o JOIN customers AS c ON c.id = o.customer_id ORDER BY c.name, 1'), [
    ['SCAN o USING INDEX by_customer', 'orders', 'orders'],
    ['SEARCH c USING INTEGER PRIMARY KEY (rowid=?)', 'customers', 'customers'],
    ['USE TEMP B-TREE FOR ORDER BY', 'c.name, 1'],
  ]);
  assert.deepEqual(placesIn('SELECT * FROM main."odd table" AS "my alias"'), [
    ['SCAN my alias', 'main."odd table"', 'odd table'],
  ]);
});

test('equal tables of several queries each have their own place', () => {
  const sql = 'SELECT day FROM orders WHERE total = 1 UNION ALL SELECT day FROM orders GROUP BY day';
  const second = sql.lastIndexOf('orders');
  const lines = planOf(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Row[]);
  const starts = planPlaces(sql, lines).flatMap(place => place?.start ?? []);
  assert.deepEqual(starts, [sql.indexOf('orders'), second, sql.lastIndexOf('day')]);
});

test('sorting leads to its clause, also in a subquery and for a call', () => {
  assert.deepEqual(placesOf('SELECT DISTINCT day FROM orders'), ['orders', 'SELECT DISTINCT']);
  assert.deepEqual(
    placesOf('SELECT * FROM (SELECT day, count(DISTINCT total) FROM orders GROUP BY day) s ORDER BY 2'),
    ['SELECT day, count(DISTINCT total) FROM orders GROUP BY day', 'orders', 'day', 'count(DISTINCT total)', 's', '2'],
  );
});

test('a subquery leads to its text, and its tables to those in it', () => {
  const sql = `SELECT * FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE city = 'x')
    AND total > (SELECT avg(total) FROM orders)`;
  assert.deepEqual(placesIn(sql).slice(0, 3), [
    ['SCAN orders', 'orders', 'orders'],
    ['LIST SUBQUERY 1', "SELECT id FROM customers WHERE city = 'x'"],
    ['SCAN customers', 'customers', 'customers'],
  ]);
  const average = placesIn(sql).at(-1);
  assert.deepEqual(average, ['SCAN orders', 'orders', 'orders']);
});

test('a common table is no table of the schema, and a table in a view has no place', () => {
  const sql =
    'WITH orders AS MATERIALIZED (SELECT day, count(*) n FROM main.orders GROUP BY day) SELECT * FROM orders, orders o';
  assert.deepEqual(
    placesIn(sql).filter(([detail]) => detail.startsWith('SCAN')),
    [
      ['SCAN main.orders', 'main.orders', 'orders'],
      ['SCAN orders', 'orders'],
      ['SCAN o', 'orders'],
    ].map(([detail, place, table]) => (table === undefined ? [detail, place] : [detail, place, table])),
  );
  assert.deepEqual(placesIn('SELECT * FROM big'), [['SCAN orders', undefined]]);
});

test('a statement that cannot be parsed, and lines of no SQLite, have no places', () => {
  assert.deepEqual(planPlaces('SELEC (((', [{ detail: 'SCAN t', depth: 0 }]), [undefined]);
  const lines = [
    { detail: '', depth: 5 },
    { detail: `SCAN ${'x '.repeat(50_000)}`, depth: 9 },
    { detail: 'USE TEMP B-TREE FOR ORDER BY', depth: 3 },
  ];
  assert.deepEqual(planPlaces('SELECT 1', lines), [undefined, undefined, undefined]);
});
