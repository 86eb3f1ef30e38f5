import { type Clock, systemClock } from '../../src/base/clock.ts';

/** A small statement that uses up all memory of an engine, and the table that it needs. */
export const wideTable = `CREATE TABLE wide (${Array.from({ length: 2000 }, (_, index) => `column_number_${index}`).join(', ')})`;
export const exhausting = Array.from({ length: 400 }, () => 'SELECT 1 FROM (SELECT * FROM wide)').join(' UNION ');

const joinedTables = Array.from({ length: 20 }, (_, index) => `t${index}`);
const allPairs = joinedTables.flatMap(one => joinedTables.map(other => `${one}.a = ${other}.b`)).join(' AND ');
const join = `SELECT t0.a FROM ${joinedTables.map(alias => `pairs ${alias}`).join(', ')} WHERE ${allPairs} ORDER BY ${joinedTables.map(alias => `${alias}.a`).join(', ')}`;

/** A table with indexes, and a statement whose joins SQLite's planner takes seconds to order. It needs little memory. */
export const pairsSchema = [
  'CREATE TABLE pairs (a, b)',
  'CREATE INDEX pairs_a ON pairs (a, b)',
  'CREATE INDEX pairs_b ON pairs (b, a)',
];
export const slowToPlan = `SELECT ${Array.from({ length: 15 }, (_, index) => `(${join}) AS c${index}`).join(', ')}`;

/** Such an engine does not end the statement for its time. */
export const standingClock: Clock = { ...systemClock, now: () => 0 };
