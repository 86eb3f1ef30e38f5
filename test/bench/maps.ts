/** Measures plans in words, the proof of an index, and how long diagrams take to be painted and moved. */
import { DatabaseSync } from 'node:sqlite';
import { planOf } from '../../src/model/queryPlan.ts';
import { doAtOnce } from '../../src/base/turns.ts';
import { Schema } from '../../src/sql/schema/schema.ts';
import { planStatistics } from '../../src/sql/plans/planCosts.ts';
import type { Row } from '../../src/wire/values.ts';
import { type Bench, millisecondsOf, quantileOf } from '../support/bench.ts';
import { openShadow } from '../support/openShadow.ts';
import { stubVscode } from '../support/vscodeStub.ts';
import { diagramBench } from './maps/diagram.ts';

const joinedTables = 30;
const indexCount = 10_000;
const rounds = 20;

/** A join of thirty tables with subqueries and sorting, in a project with ten thousand indexes. */
export const bench: Bench = async print => {
  stubVscode();
  const { wordedPlan } = await import('../../src/host/running/planWords.ts');
  const database = new DatabaseSync(':memory:');
  const numbers = Array.from({ length: joinedTables }, (_, index) => index);
  for (const number of numbers) database.exec(`CREATE TABLE t${number} (id INTEGER PRIMARY KEY, next, name TEXT)`);
  const joins = numbers.slice(1).map(number => `JOIN t${number} AS a${number} ON a${number}.id = a${number - 1}.next`);
  const counts = numbers.map(number => `(SELECT count(*) FROM t${number} x WHERE x.name = a${number}.name)`);
  const sql = `SELECT ${counts.join(', ')} FROM t0 AS a0 ${joins.join(' ')} ORDER BY a3.name`;
  const steps = planOf(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Row[]);
  const statistics = Array.from({ length: indexCount }, (_, index) => {
    return { tbl: `t${index % joinedTables}`, idx: `i${index}`, stat: '100000 12 1' };
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await millisecondsOf(() => wordedPlan(sql, steps, planStatistics(statistics, new Map()))));
  }
  print('plan_words_ms', quantileOf(times, 0.5));
  print('plan_words_first_ms', times[0]!);
  await proofMs(print);
  await diagramBench(print);
};

const provenStatement = `SELECT c.city, o.day, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id
  JOIN items i ON i.order_id = o.id WHERE o.status = 's1' AND o.day > 'd2' AND c.city = 'c1' GROUP BY c.city, o.day ORDER BY 2 DESC`;

/** A join of three tables without an index for its conditions, in a project of a thousand tables. The server has loaded SQLite. */
async function proofMs(print: Parameters<Bench>[0]): Promise<void> {
  const ddl = [
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT, day TEXT, status TEXT)',
    'CREATE TABLE items (order_id INT, product_id INT, quantity INT)',
    'CREATE INDEX items_order ON items (order_id)',
    ...Array.from({ length: 1000 }, (_, index) => `CREATE TABLE other${index} (id INTEGER PRIMARY KEY, name TEXT)`),
  ];
  const database = new DatabaseSync(':memory:');
  database.exec(ddl.join(';'));
  database.exec(
    "ANALYZE; INSERT INTO sqlite_stat1 VALUES ('customers', NULL, '50000'), ('orders', NULL, '900000'), ('items', 'items_order', '3000000 3')",
  );
  database.exec('ANALYZE sqlite_schema');
  const lines = planOf(database.prepare(`EXPLAIN QUERY PLAN ${provenStatement}`).all() as Row[]);
  const statistics = database.prepare('SELECT tbl, idx, stat FROM sqlite_stat1').all() as never[];
  const shadow = await openShadow(ddl);
  const schema = doAtOnce(Schema.read(ddl));
  const explained = {
    statement: provenStatement,
    isChange: false,
    lines,
    statistics,
    counts: new Map<string, number>(),
  };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await millisecondsOf(() => shadow.proveIndexes(explained, schema)));
  }
  const proven = await shadow.proveIndexes(explained, schema);
  if (!proven?.indexes.length) throw new Error('No index was proved.');
  print('index_proof_ms', quantileOf(times, 0.5));
  print('index_proof_first_ms', times[0]!);
}
