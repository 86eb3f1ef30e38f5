import type { ColumnFilter } from '../../../protocol/rowQueries.ts';
import { type Column, isNumberType } from '../../../wire/values.ts';
import { blobOf } from './formats/literals.ts';
import { kindOf, blobColumn, shownText, differentSpelling } from './cell.ts';
import { classAt, nullClass, numberClass, orderedNumberAt, restAt, textBytesAt } from './compare.ts';
import { isAt } from '../../../base/jsonBytes.ts';
import type { RowWalker } from './rowWalker.ts';
import { TextMatcher } from './textMatcher.ts';

/** Whether the cell at these bytes passes a filter. */
type CellTest = (bytes: Buffer, from: number, to: number, flags: number) => boolean;

/** Tests whether rows pass all filters. */
export class RowFilter {
  readonly #tests: readonly { readonly slot: number; readonly test: CellTest }[];

  /** `slots` are those of the filters' columns, in the order of the filters. */
  constructor(filters: readonly ColumnFilter[], slots: readonly number[], columns: readonly Column[]) {
    this.#tests = filters.map((filter, at) => ({
      slot: slots[at]!,
      test: testOf(filter, columns[filter.column]?.type ?? ''),
    }));
  }

  passes(walker: RowWalker): boolean {
    for (const { slot, test } of this.#tests) {
      // A column that the result does not have is NULL in every row.
      const from = slot === -1 ? -1 : walker.from[slot]!;
      if (!test(walker.bytes as Buffer, from, walker.to[slot] ?? 0, walker.flags[slot] ?? 0)) return false;
    }
    return true;
  }
}

function testOf(filter: ColumnFilter, type: string): CellTest {
  switch (filter.kind) {
    case 'null':
      return (bytes, from) => (kindOf(bytes, from) === 'null') === filter.isNull;
    case 'equals':
      return equals(filter.text);
    case 'contains': {
      const matcher = new TextMatcher(filter.text, false);
      return (bytes, from, to, flags) => matcher.matches(bytes, from, to, flags);
    }
    case 'range':
      return isInRange(filter.from, filter.to, type);
  }
}

function equals(text: string): CellTest {
  const expected = Buffer.from(text);
  return (bytes, from, to, flags) => {
    const kind = kindOf(bytes, from);
    if (kind === 'null') return false;
    if (flags & differentSpelling) return shownText(bytes, from, to, flags) === text;
    const quoteBytes = kind === 'text' ? 1 : 0;
    return to - from - 2 * quoteBytes === expected.length && isAt(bytes, from + quoteBytes, expected);
  };
}

/** A bound of a range. `blob` and `number` are set if its text can be read as one. */
interface Bound {
  readonly text: Buffer;
  readonly blob: Buffer | undefined;
  readonly number: number | undefined;
  readonly rest: number;
}

/** Compares in SQLite's order, as sorting does: numbers stand before texts. Both bounds belong to the range. */
function isInRange(from: string | undefined, to: string | undefined, type: string): CellTest {
  const min = from === undefined ? undefined : boundOf(from);
  const max = to === undefined ? undefined : boundOf(to);
  // A text is compared with a bound as text. In a column of numbers, a bound that is a number excludes texts, as in SQLite.
  const isNumbersOnly = isNumberType(type) && (min?.number !== undefined || max?.number !== undefined);
  return (bytes, first, past, flags) => {
    const kind = classAt(bytes, first);
    if (kind === nullClass || (isNumbersOnly && kind !== numberClass)) return false;
    const compare = kind === numberClass ? numberWith(bytes, first, past) : textWith(bytes, first, past, flags);
    return (!min || compare(min) >= 0) && (!max || compare(max) <= 0);
  };
}

function boundOf(text: string): Bound {
  const trimmed = text.trim();
  const isNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(trimmed);
  const number = isNumber ? Number(trimmed) : undefined;
  const digits = Buffer.from(trimmed.replace(/^\+/, ''));
  const rest = number === undefined ? 0 : restAt(digits, 0, digits.length, number);
  return { text: Buffer.from(text), blob: blobOf(text), number, rest };
}

/** A number stands before every text, so also before a bound that is not a number. */
function numberWith(bytes: Buffer, from: number, to: number): (bound: Bound) => number {
  const number = orderedNumberAt(bytes, from, to);
  return bound => {
    if (bound.number === undefined) return -1;
    return number === bound.number ? restAt(bytes, from, to, number) - bound.rest : number < bound.number ? -1 : 1;
  };
}

/**
 * A text is compared with the bound as it is typed, even if that looks like a number: dates are filtered by a year. A BLOB is
 * compared with the bytes whose base64 the bound is.
 */
function textWith(bytes: Buffer, from: number, to: number, flags: number): (bound: Bound) => number {
  const [text, first, past] = textBytesAt(bytes, from, to, flags);
  const value = text.subarray(first, past);
  return bound => Buffer.compare(value, flags & blobColumn ? (bound.blob ?? bound.text) : bound.text);
}
