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

/** Row queries: work on rows that have arrived already. Columns are named by their number in the result. */

/** More than a person types or selects. A page cannot ask for more. */
const maxTerms = 100;
const maxTextLength = 10_000;
const maxColumns = 100_000;
const maxRanges = 10_000;

const decodeText = refine(asString, text => text.length <= maxTextLength);

export const decodeColumnNumbers = arrayOf(asCount, maxColumns);

const decodeSortKey = object({ column: asCount, descending: isTrue });
export type SortKey = Infer<typeof decodeSortKey>;

const maxListedValues = 1000;

/** A negated filter keeps the rows that the filter leaves out. NULL passes neither. */
const not = optional(oneOf([true]));

const decodeTextFilter = object({ column: asCount, text: decodeText, not });

const decodeRangeFilter = object({
  column: asCount,
  from: optional(decodeText),
  to: optional(decodeText),
  /** The ends themselves do not pass. */
  exclusive: optional(oneOf([true])),
  /** Only numbers pass, in any column. */
  numbers: optional(oneOf([true])),
  not,
});

const decodeListFilter = object({
  column: asCount,
  texts: arrayOf(decodeText, maxListedValues),
  /** NULL passes as well. */
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

/** All rows in the order in which they arrived. */
export const unsorted: Arrangement = { sort: [], filters: [] };

/** A search may hide rows, too. */
export const isFiltered = ({ filters, search }: Arrangement): boolean => filters.length > 0 || search !== undefined;

export const hasSameFilters = (one: Arrangement, other: Arrangement): boolean =>
  one.search === other.search && JSON.stringify(one.filters) === JSON.stringify(other.filters);

export const isArranged = (arrangement: Arrangement): boolean => arrangement.sort.length > 0 || isFiltered(arrangement);

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

export const decodeFindStep = object({
  text: decodeText,
  matchCase: isTrue,
  row: asCount,
  column: asCount,
  backwards: isTrue,
  /** Whether a match in the start cell counts. */
  including: isTrue,
  /** The columns to search, in the order in which they are shown. */
  columns: decodeColumnNumbers,
});
export type FindStep = Infer<typeof decodeFindStep>;

/** The number of matching cells, and the match that was found. `index` counts matches from 0. */
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
  /** NULL is not counted. */
  distinct: asCount,
  /** Counting stopped: there are at least `distinct` different values. */
  distinctOrMore: optional(oneOf([true])),
  /** Missing without numbers. */
  sum: optional(asString),
  /** Missing without numbers. */
  average: optional(asString),
  /** In sort order, without NULL and BLOBs. */
  min: optional(asString),
  max: optional(asString),
});
export type Summary = Infer<typeof decodeSummary>;

const maxCountedValues = 1000;

/** The distinct values of a column, among the rows that pass the filters of all other columns. */
export const decodeValuesQuery = object({
  column: asCount,
  /** Only values that contain this text, in any case of ASCII letters; '' for all. */
  search: decodeText,
  maxValues: refine(asCount, count => count > 0 && count <= maxCountedValues),
});
export type ValuesQuery = Infer<typeof decodeValuesQuery>;

const decodeValueCount = object({
  /** The value as a filter spells it. Null for NULL. */
  text: nullable(asString),
  count: asCount,
});
export type ValueCount = Infer<typeof decodeValueCount>;

/** The most frequent value comes first. */
export const decodeValueCounts = object({
  values: arrayOf(decodeValueCount, maxCountedValues),
  /** More values exist than are listed, or some are too long to be listed. */
  hasMore: optional(oneOf([true])),
});
export type ValueCounts = Infer<typeof decodeValueCounts>;

/** Spellings of BLOBs in formats that have no literal for them. */
export const blobSpellings = ['hex', 'base64'] as const;
export type BlobSpelling = (typeof blobSpellings)[number];

export const copyFormats = ['tsv', 'csv', 'json', 'ndjson', 'markdown', 'insert', 'inList'] as const;
export type CopyFormat = (typeof copyFormats)[number];

export const exportFormats = [
  'csv',
  'tsv',
  'xlsx',
  'parquet',
  'json',
  'ndjson',
  'markdown',
  'insert',
  'sqlite',
] as const;
export type ExportFormat = (typeof exportFormats)[number];
