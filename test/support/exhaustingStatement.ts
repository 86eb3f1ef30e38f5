import { type Clock, systemClock } from '../../src/base/clock.ts';

/** A small statement that uses up all memory of an engine, and the table that it needs. */
export const wideTable = `CREATE TABLE wide (${Array.from({ length: 2000 }, (_, index) => `column_number_${index}`).join(', ')})`;
export const exhausting = Array.from({ length: 400 }, () => 'SELECT 1 FROM (SELECT * FROM wide)').join(' UNION ');

/** Such an engine does not end the statement for its time. */
export const standingClock: Clock = { ...systemClock, now: () => 0 };
