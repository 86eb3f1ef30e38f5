import { placeholders } from '../parameters/placeholders.ts';

/** SQLite prepares this much without a noticeable pause, and people write less by hand. */
const maxLength = 128_000;

/** SQLite compares each name of a parameter with all earlier ones. */
const maxNamedParameters = 1000;

/** Whether checking a statement at each keystroke would cause a pause. Such a statement is data rather than code. */
export function isTooLarge(statement: string): boolean {
  if (statement.length > maxLength) return true;
  // A named parameter has at least two characters.
  if (statement.length < 2 * maxNamedParameters || !/[:@$]/.test(statement)) return false;
  return placeholders(statement).filter(({ start }) => statement[start] !== '?').length > maxNamedParameters;
}
