import { placeholders } from '../parameters/placeholders.ts';

/** More than anybody writes by hand, and as much as SQLite prepares without a noticeable pause. */
const mostCharacters = 128_000;

/** SQLite compares each name of a parameter with all before it. */
const mostNamedParameters = 1000;

/** Whether there would be a pause at each key if SQLite were asked about a statement. It is data then, more than a statement. */
export function isTooLarge(statement: string): boolean {
  if (statement.length > mostCharacters) return true;
  // A name takes two characters at least.
  if (statement.length < 2 * mostNamedParameters || !/[:@$]/.test(statement)) return false;
  return placeholders(statement).filter(({ start }) => statement[start] !== '?').length > mostNamedParameters;
}
