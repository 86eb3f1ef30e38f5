import {
  arrayOf,
  asCount,
  asString,
  type Infer,
  isTrue,
  nullable,
  object,
  oneOf,
  optional,
  refine,
  variant,
} from '../base/decode.ts';

/**
 * Row queries: questions about rows that are already there. They sort and filter, find texts, summarize ranges, copy
 * and export. Columns are named by their number in the result.
 */

/** Bounds for what a page may send: more than a person types or selects. */
const maxTerms = 100;
const maxTextLength = 10_000;
const maxColumns = 100_000;
/** The most ranges that one query takes. */
const maxRanges = 10_000;

const decodeText = refine(asString, text => text.length <= maxTextLength);

export const decodeColumnNumbers = arrayOf(asCount, maxColumns);

const decodeSortKey = object({ column: asCount, descending: isTrue });
export type SortKey = Infer<typeof decodeSortKey>;

/** How many values a filter lists at most. */
const maxListedValues = 1000;

/** Set on a filter that keeps the rows which the filter without it leaves out. NULL passes neither. */
const not = optional(oneOf([true]));

const decodeTextFilter = object({ column: asCount, text: decodeText, not });

const decodeRangeFilter = object({
  column: asCount,
  from: optional(decodeText),
  to: optional(decodeText),
  /** Set if the ends themselves do not pass. */
  exclusive: optional(oneOf([true])),
  not,
});

const decodeListFilter = object({
  column: asCount,
  texts: arrayOf(decodeText, maxListedValues),
  /** Set if NULL passes as well. */
  withNull: optional(oneOf([true])),
  not,
});

/**
 * The filters of columns. NULL passes a filter only if the filter names NULL.
 *
 * - `equals` and `in` compare values: a number with any spelling of it, a BLOB with `x'00ff'`, and every other value with
 *   the text in its cell.
 * - `contains`, `startsWith` and `endsWith` look at the text in the cell, ignore the case of ASCII letters, and find no BLOB.
 * - `range` compares in sort order. At least one of its ends is set.
 */
const decodeFilter = variant('kind', {
  equals: decodeTextFilter,
  contains: decodeTextFilter,
  startsWith: decodeTextFilter,
  endsWith: decodeTextFilter,
  range: refine(decodeRangeFilter, ({ from, to }) => from !== undefined || to !== undefined),
  in: refine(decodeListFilter, ({ texts, withNull }) => texts.length > 0 || withNull === true),
  null: object({ column: asCount, isNull: isTrue }),
});
export type ColumnFilter = Infer<typeof decodeFilter>;

/**
 * How rows are sorted and filtered. The first sort key weighs most. A row is shown if it passes every filter and if a cell in
 * any column contains the searched text, as `contains` finds it.
 */
export const decodeArrangement = refine(
  object({
    sort: arrayOf(decodeSortKey),
    filters: arrayOf(decodeFilter),
    search: optional(refine(decodeText, text => text !== '')),
  }),
  ({ sort, filters }) => sort.length + filters.length <= maxTerms,
);
export type Arrangement = Infer<typeof decodeArrangement>;

/** The rows in the order in which they came, all of them. */
export const unsorted: Arrangement = { sort: [], filters: [] };

/** Whether filters or a search may hide rows. */
export const isFiltered = ({ filters, search }: Arrangement): boolean => filters.length > 0 || search !== undefined;

/** Whether the same rows pass. */
export const hasSameFilters = (one: Arrangement, other: Arrangement): boolean =>
  one.search === other.search && JSON.stringify(one.filters) === JSON.stringify(other.filters);

/** Whether rows are sorted or may be hidden. */
export const isArranged = (arrangement: Arrangement): boolean => arrangement.sort.length > 0 || isFiltered(arrangement);

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

/** Finds the next match after a cell. */
export const decodeFindStep = object({
  text: decodeText,
  matchCase: isTrue,
  row: asCount,
  column: asCount,
  backwards: isTrue,
  /** Whether a match in the start cell itself counts. */
  including: isTrue,
  /** The columns to search, in the order in which they are shown. */
  columns: decodeColumnNumbers,
});
export type FindStep = Infer<typeof decodeFindStep>;

/** How many cells match, and the match that was found, counted from 0. */
export const decodeFindResult = object({
  count: asCount,
  place: optional(object({ index: asCount, row: asCount, column: asCount })),
});
export type FindResult = Infer<typeof decodeFindResult>;

/** Rows from the first to before the end, in the order shown, and some of their columns in the order shown. */
const decodeRange = object({ firstRow: asCount, endRow: asCount, columns: decodeColumnNumbers });
export type CellRange = Infer<typeof decodeRange>;

export const decodeRanges = arrayOf(decodeRange, maxRanges);

/** The figures of a range. Numbers are text, since sums of integers are exact. */
export const decodeSummary = object({
  cells: asCount,
  nulls: asCount,
  numbers: asCount,
  /** How many different values there are, NULL left out. */
  distinct: asCount,
  /** Set where counting stopped: there are at least `distinct` different values. */
  distinctOrMore: optional(oneOf([true])),
  /** Missing without numbers. */
  sum: optional(asString),
  /** Missing without numbers. */
  average: optional(asString),
  /** The first value in sort order, NULL left out. */
  min: optional(asString),
  /** The last value in sort order, NULL left out. */
  max: optional(asString),
});
export type Summary = Infer<typeof decodeSummary>;

/** The most values that are listed with their counts at once. */
const maxCountedValues = 1000;

/** Requests the distinct values of a column among the rows that pass the filters of all other columns. */
export const decodeValuesQuery = object({
  column: asCount,
  /** Only values that contain this text, in any case of ASCII letters; '' for all. */
  search: decodeText,
  maxValues: refine(asCount, count => count > 0 && count <= maxCountedValues),
});
export type ValuesQuery = Infer<typeof decodeValuesQuery>;

const decodeValueCount = object({
  /** As a filter names the value. NULL has none. */
  text: nullable(asString),
  count: asCount,
});
export type ValueCount = Infer<typeof decodeValueCount>;

/** The most frequent values come first. */
export const decodeValueCounts = object({
  values: arrayOf(decodeValueCount, maxCountedValues),
  /** Set if there are values that are not listed: too many, or too long. */
  hasMore: optional(oneOf([true])),
});
export type ValueCounts = Infer<typeof decodeValueCounts>;

/** How BLOBs are written in text that has no literal for them. */
export const blobSpellings = ['hex', 'base64'] as const;
export type BlobSpelling = (typeof blobSpellings)[number];

export const copyFormats = ['tsv', 'csv', 'json', 'ndjson', 'markdown', 'insert', 'inList'] as const;
export type CopyFormat = (typeof copyFormats)[number];

export const exportFormats = ['csv', 'tsv', 'json', 'ndjson', 'markdown', 'insert', 'sqlite'] as const;
export type ExportFormat = (typeof exportFormats)[number];
