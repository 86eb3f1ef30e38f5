import { type Clock, systemClock } from '../../src/base/clock.ts';

/** A statement that is small and takes all the memory that an engine has, together with a table to do so on. */
export const wideTable = `CREATE TABLE wide (${Array.from({ length: 2000 }, (_, index) => `column_number_${index}`).join(', ')})`;
export const exhausting = Array.from({ length: 400 }, () => 'SELECT 1 FROM (SELECT * FROM wide)').join(' UNION ');

/** On which it is not cut off for the time that it takes. */
export const standingClock: Clock = { ...systemClock, now: () => 0 };
