import { placeholders } from '../../../sql/parameters/placeholders.ts';
import { splitStatements } from '../../../sql/text/splitter.ts';

/** A statement as the engine sends it to SQLite. */
export interface StatementText {
  readonly text: string;
  /** How many values the statement has. They are passed as one list. */
  readonly valueCount: number;
  /** Turns an offset in `text` into one in the caller's statement. */
  placeOf(offset: number): number;
}

/** The value of a `?` in the list of all values. The parentheses are needed: a sign before it would bind more tightly. */
const valueAt = (index: number): string => `(?1->>${index})`;
const writtenValue = /\(\?1->>\d+\)/g;

/**
 * Replaces each `?` by an element of one list of JSON. SQLite's own bindings in an object take every number for a REAL, and
 * at most 100 values. Leaves out the semicolon, so that the statement can be part of another one.
 */
export function statementText(sql: string): StatementText {
  const [{ start, end, terminated } = { start: 0, end: sql.length, terminated: false }] = splitStatements(sql);
  const last = terminated ? end - 1 : end;
  const marks = placeholders(sql);
  let text = '';
  let from = start;
  /** By how much `text` is longer, from each place on. */
  const shifts: { readonly at: number; readonly shift: number }[] = [{ at: 0, shift: -start }];
  for (const [index, mark] of marks.entries()) {
    text += sql.slice(from, mark.start) + valueAt(index);
    from = mark.end;
    shifts.push({ at: text.length, shift: text.length - mark.end });
  }
  text += sql.slice(from, last);
  return {
    text,
    valueCount: marks.length,
    placeOf: offset => offset - shifts.findLast(({ at }) => at <= offset)!.shift,
  };
}

/** A name or message of SQLite as it would be with the `?` of the caller. */
export const withPlaceholders = (text: string): string => text.replaceAll(writtenValue, '?');

/** The statement with NULL for each value, for views, which take no values. */
export const withoutValues = (text: string): string => text.replaceAll(writtenValue, 'NULL');
