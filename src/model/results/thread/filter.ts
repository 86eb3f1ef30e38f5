import type { Arrangement, ColumnFilter } from '../../../protocol/rowQueries.ts';
import { type Column, isNumberType } from '../../../wire/values.ts';
import { blobColumn, brokenRow, type CellTest, differentSpelling, kindOf, shownText } from './cell.ts';
import { isBlobAt, storageClassAt, numberClass, orderedNumberAt, roundingErrorAt, textBytesAt } from './compare.ts';
import { isAt } from '../../../base/jsonBytes.ts';
import type { RowWalker } from './rowWalker.ts';
import { type MatchPlace, TextMatcher } from './textMatcher.ts';
import { typedBytes, typedNumber } from '../typedValues.ts';

type Filters = Pick<Arrangement, 'filters' | 'search'>;

/** The columns that a {@link RowFilter} reads: those of the filters in their order, and all for a search. */
export const filteredColumns = ({ filters, search }: Filters, columns: readonly Column[]): number[] => [
  ...filters.map(({ column }) => column),
  ...(search === undefined ? [] : columns.keys()),
];

export class RowFilter {
  readonly #tests: readonly { readonly column: number; readonly slot: number; readonly test: CellTest }[];
  readonly #searchedSlots: readonly number[];
  readonly #contains: CellTest | undefined;

  /** `slots` begins with those of the {@link filteredColumns}. */
  constructor(filtered: Filters, slots: readonly number[], columns: readonly Column[]) {
    const { filters, search } = filtered;
    this.#tests = filters.map((filter, at) => ({
      column: filter.column,
      slot: slots[at]!,
      test: testOf(filter, columns[filter.column]?.type ?? ''),
    }));
    this.#searchedSlots = slots.slice(filters.length, filteredColumns(filtered, columns).length);
    this.#contains = search === undefined ? undefined : testOf({ kind: 'contains', column: 0, text: search }, '');
  }

  passes(walker: RowWalker): boolean {
    for (const { slot, test } of this.#tests) if (!passesAt(walker, slot, test)) return false;
    return this.#hasSearched(walker);
  }

  /** The one column whose filter the row does not pass. Undefined if the row passes all. */
  refusingColumn(walker: RowWalker): number | 'several' | undefined {
    let refusing: number | undefined;
    for (const { column, slot, test } of this.#tests) {
      if (passesAt(walker, slot, test)) continue;
      if (refusing !== undefined) return 'several';
      refusing = column;
    }
    return this.#hasSearched(walker) ? refusing : 'several';
  }

  #hasSearched(walker: RowWalker): boolean {
    const contains = this.#contains;
    return contains === undefined || this.#searchedSlots.some(slot => passesAt(walker, slot, contains));
  }
}

/** A column that the result does not have is NULL in every row. */
function passesAt(walker: RowWalker, slot: number, test: CellTest): boolean {
  const from = slot === -1 ? -1 : walker.from[slot]!;
  return test(walker.bytes as Buffer, from, walker.to[slot] ?? 0, walker.flags[slot] ?? 0);
}

function testOf(filter: ColumnFilter, type: string): CellTest {
  if (filter.kind === 'null') return (bytes, from) => (kindOf(bytes, from) === 'null') === filter.isNull;
  const test = valueTest(filter, type);
  const { not } = filter;
  const nullPasses = filter.kind === 'in' && filter.withNull === true && !not;
  return (bytes, from, to, flags) =>
    kindOf(bytes, from) === 'null' ? nullPasses : test(bytes, from, to, flags) !== (not === true);
}

/** Tests a value that is not NULL. The negation of a filter uses the same test. */
function valueTest(filter: Exclude<ColumnFilter, { readonly kind: 'null' }>, type: string): CellTest {
  switch (filter.kind) {
    case 'equals':
      return equals(filter.text);
    case 'in':
      return isListed(filter.texts);
    case 'contains':
      return hasText(filter.text, 'anywhere');
    case 'startsWith':
      return hasText(filter.text, 'start');
    case 'endsWith':
      return hasText(filter.text, 'end');
    case 'range':
      return isInRange(filter, type);
  }
}

function equals(text: string): CellTest {
  const expected = Buffer.from(text);
  const { number, roundingError, blob } = boundOf(text);
  const base64 = blob?.toString('base64');
  return (bytes, from, to, flags) => {
    const kind = kindOf(bytes, from);
    if (kind === 'text' && flags & blobColumn && base64 !== undefined) {
      return shownText(bytes, from, to, flags) === base64;
    }
    // The first cell of a row that is not valid JSON shows the row as text, so it is no number.
    if (kind === 'number' && number !== undefined && !(flags & brokenRow)) {
      const found = orderedNumberAt(bytes, from, to);
      return found === number && roundingErrorAt(bytes, from, to, found) === roundingError;
    }
    // The cell shows other text than its bytes.
    if (flags & differentSpelling) return shownText(bytes, from, to, flags) === text;
    const quoteBytes = kind === 'text' ? 1 : 0;
    return to - from - 2 * quoteBytes === expected.length && isAt(bytes, from + quoteBytes, expected);
  };
}

/** Texts are looked up. Only numbers and BLOBs, which have several spellings, are compared with each listed value. */
function isListed(texts: readonly string[]): CellTest {
  const listed = new Set(texts);
  const spelled = texts.filter(text => typedNumber(text) !== undefined || typedBytes(text) !== undefined);
  const tests = spelled.map(equals);
  return (bytes, from, to, flags) => {
    if (listed.has(shownText(bytes, from, to, flags) ?? '')) return true;
    const hasSpellings = kindOf(bytes, from) === 'number' || (flags & blobColumn) !== 0;
    return hasSpellings && tests.some(test => test(bytes, from, to, flags));
  };
}

/** A BLOB never matches: its cell shows no text of it. */
function hasText(text: string, place: MatchPlace): CellTest {
  const matchesCase = false;
  const matcher = new TextMatcher(text, matchesCase, place);
  return (bytes, from, to, flags) => !isBlobAt(bytes, from, to, flags) && matcher.matches(bytes, from, to, flags);
}

/** A bound of a range. `blob` and `number` are set if its text can be read as one. */
interface RangeBound {
  readonly text: Buffer;
  readonly blob: Buffer | undefined;
  readonly number: number | undefined;
  readonly roundingError: number;
}

type Range = Extract<ColumnFilter, { readonly kind: 'range' }>;

/** Compares in SQLite's order, as sorting does: numbers come before texts, and texts before BLOBs. */
function isInRange({ from, to, exclusive, numbers }: Range, type: string): CellTest {
  const min = from === undefined ? undefined : boundOf(from);
  const max = to === undefined ? undefined : boundOf(to);
  // A text is compared with a bound as text. In a column of numbers, a bound that is a number excludes texts, as in SQLite.
  const isNumbersOnly =
    numbers === true || (isNumberType(type) && (min?.number !== undefined || max?.number !== undefined));
  return (bytes, first, past, flags) => {
    const kind = storageClassAt(bytes, first);
    if (isNumbersOnly && kind !== numberClass) return false;
    const compare = kind === numberClass ? numberWith(bytes, first, past) : textWith(bytes, first, past, flags);
    const least = min ? compare(min) : 1;
    const most = max ? compare(max) : -1;
    return exclusive ? least > 0 && most < 0 : least >= 0 && most <= 0;
  };
}

function boundOf(text: string): RangeBound {
  const typed = typedNumber(text);
  const number = typed === undefined ? undefined : Number(typed);
  const roundingError = typeof typed === 'bigint' && number !== undefined ? Number(typed - BigInt(number)) : 0;
  return { text: Buffer.from(text), blob: typedBytes(text), number, roundingError };
}

/** A number comes before every text, so also before a bound that is not a number. */
function numberWith(bytes: Buffer, from: number, to: number): (bound: RangeBound) => number {
  const number = orderedNumberAt(bytes, from, to);
  return bound => {
    if (bound.number === undefined) return -1;
    return number === bound.number
      ? roundingErrorAt(bytes, from, to, number) - bound.roundingError
      : number < bound.number
        ? -1
        : 1;
  };
}

/** Compares a text with the bound as it is typed, even a number: dates are filtered by a year. BLOBs are compared by bytes. */
function textWith(bytes: Buffer, from: number, to: number, flags: number): (bound: RangeBound) => number {
  const [text, first, past] = textBytesAt(bytes, from, to, flags);
  const value = text.subarray(first, past);
  return bound => Buffer.compare(value, flags & blobColumn ? (bound.blob ?? bound.text) : bound.text);
}
