import {
  arrayOf,
  asCount,
  asString,
  type Infer,
  isTrue,
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
export const maxRanges = 10_000;

const decodeText = refine(asString, text => text.length <= maxTextLength);

export const decodeColumns = arrayOf(asCount, maxColumns);

const decodeSortKey = object({ column: asCount, descending: isTrue });
export type SortKey = Infer<typeof decodeSortKey>;

const decodeTextFilter = object({ column: asCount, text: decodeText });
const decodeOpenRange = object({ column: asCount, from: optional(decodeText), to: optional(decodeText) });

/**
 * `contains` and `equals` compare the text that a cell shows. `range` compares in sort order and includes both ends; at
 * least one of them is set.
 */
const decodeFilter = variant('kind', {
  contains: decodeTextFilter,
  equals: decodeTextFilter,
  range: refine(decodeOpenRange, ({ from, to }) => from !== undefined || to !== undefined),
  null: object({ column: asCount, isNull: isTrue }),
});
export type ColumnFilter = Infer<typeof decodeFilter>;

/** How rows are sorted and filtered. The first sort key weighs most. A row is shown if it passes every filter. */
export const decodeArrangement = refine(
  object({ sort: arrayOf(decodeSortKey), filters: arrayOf(decodeFilter) }),
  ({ sort, filters }) => sort.length + filters.length <= maxTerms,
);
export type Arrangement = Infer<typeof decodeArrangement>;

/** The rows in the order in which they came, all of them. */
export const unsorted: Arrangement = { sort: [], filters: [] };

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
  columns: decodeColumns,
});
export type FindStep = Infer<typeof decodeFindStep>;

/** How many cells match, and the match that was found, counted from 0. */
export const decodeFindResult = object({
  count: asCount,
  place: optional(object({ index: asCount, row: asCount, column: asCount })),
});
export type FindResult = Infer<typeof decodeFindResult>;

/** Rows from the first to before the end, in the order shown, and some of their columns in the order shown. */
const decodeRange = object({ firstRow: asCount, endRow: asCount, columns: decodeColumns });
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

export const copyFormats = ['tsv', 'csv', 'json', 'markdown', 'insert', 'inList'] as const;
export type CopyFormat = (typeof copyFormats)[number];

export const exportFormats = ['csv', 'tsv', 'json', 'ndjson', 'markdown', 'insert', 'sqlite'] as const;
export type ExportFormat = (typeof exportFormats)[number];
