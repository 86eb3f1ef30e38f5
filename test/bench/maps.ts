/** Measures what the plan of a statement costs beside SQLite's own answer. */
import { DatabaseSync } from 'node:sqlite';
import { planOf } from '../../src/model/queryPlan.ts';
import { planStatistics } from '../../src/sql/plans/planCosts.ts';
import type { Row } from '../../src/wire/values.ts';
import { type Bench, millisecondsOf, quantileOf } from '../support/bench.ts';
import { stubVscode } from '../support/vscodeStub.ts';

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
};
