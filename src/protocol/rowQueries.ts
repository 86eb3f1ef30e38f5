import { asArrayOf, asCount, asRecord, asString } from '../base/shape.ts';

/** What may be asked of rows that are there: their order, what is left out, where a text is, what a range adds up to. */

export interface SortKey {
  readonly column: number;
  readonly descending: boolean;
}

/** `contains` and `equals` go by the text that a cell shows, `range` by the order that sorting has. Both ends belong to it. */
export type ColumnFilter =
  | { readonly kind: 'contains'; readonly column: number; readonly text: string }
  | { readonly kind: 'equals'; readonly column: number; readonly text: string }
  | { readonly kind: 'range'; readonly column: number; readonly from?: string; readonly to?: string }
  | { readonly kind: 'null'; readonly column: number; readonly isNull: boolean };

export interface Arrangement {
  /** The first key weighs most. */
  readonly sort: readonly SortKey[];
  /** A row is shown when it passes all of them. */
  readonly filters: readonly ColumnFilter[];
}

export const asTheyCame: Arrangement = { sort: [], filters: [] };

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

/** From where to look, and which way. The place itself counts only with `including`. */
export interface FindStep extends FindQuery {
  readonly row: number;
  /** As the result names them, by number. */
  readonly column: number;
  readonly backwards: boolean;
  readonly including: boolean;
  /** The columns that are looked through, in the order in which they are shown. */
  readonly columns: readonly number[];
}

/** Cells that match, and the one that was found, counted from 0. Nothing was found where there is no place. */
export interface Found {
  readonly count: number;
  readonly place?: { readonly index: number; readonly row: number; readonly column: number };
}

/** Rows from the first to before the end, in the order shown, and the columns of them in the order shown. */
export interface CellRange {
  readonly firstRow: number;
  readonly endRow: number;
  readonly columns: readonly number[];
}

/** Numbers as text, since sums of integers are exact. Without numbers there is no sum and no average. */
export interface Summary {
  readonly cells: number;
  readonly nulls: number;
  readonly numbers: number;
  /** Different values, NULL left out. */
  readonly distinct: number;
  /** Set where there are more different values than are told apart, and `distinct` is the least that there are. */
  readonly distinctOrMore?: true;
  readonly sum?: string;
  readonly average?: string;
  /** The least and the greatest value by the order that sorting has, NULL left out. */
  readonly min?: string;
  readonly max?: string;
}

export const copyFormats = ['tsv', 'csv', 'json', 'markdown', 'insert', 'inList'] as const;
export type CopyFormat = (typeof copyFormats)[number];

export const exportFormats = ['csv', 'tsv', 'json', 'ndjson', 'markdown', 'insert', 'sqlite'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** More than anybody types; a bound for what a page may ask. */
const mostTerms = 100;
const mostRanges = 100;
const longestText = 10_000;
const mostColumns = 100_000;

export function decodeArrangement(value: unknown): Arrangement | undefined {
  const record = asRecord(value);
  const sort = asArrayOf(record?.['sort'], decodeSortKey);
  const filters = asArrayOf(record?.['filters'], decodeFilter);
  return sort && filters && sort.length + filters.length <= mostTerms ? { sort, filters } : undefined;
}

export function decodeFindStep(value: unknown): FindStep | undefined {
  const record = asRecord(value);
  const [text, row, column] = [shortText(record?.['text']), asCount(record?.['row']), asCount(record?.['column'])];
  const columns = decodeColumns(record?.['columns']);
  if (!record || text === undefined || row === undefined || column === undefined || !columns) return undefined;
  const [matchCase, backwards, including] = [record['matchCase'], record['backwards'], record['including']];
  return {
    ...{ text, row, column, columns },
    ...{ matchCase: matchCase === true, backwards: backwards === true, including: including === true },
  };
}

export function decodeFound(value: unknown): Found | undefined {
  const record = asRecord(value);
  const count = asCount(record?.['count']);
  if (count === undefined) return undefined;
  const place = asRecord(record?.['place']);
  const [index, row, column] = [asCount(place?.['index']), asCount(place?.['row']), asCount(place?.['column'])];
  if (index === undefined || row === undefined || column === undefined) return { count };
  return { count, place: { index, row, column } };
}

export function decodeRanges(value: unknown): CellRange[] | undefined {
  const ranges = asArrayOf(value, decodeRange);
  return ranges && ranges.length <= mostRanges ? ranges : undefined;
}

export function decodeColumns(value: unknown): number[] | undefined {
  const columns = asArrayOf(value, asCount);
  return columns && columns.length <= mostColumns ? columns : undefined;
}

export function decodeSummary(value: unknown): Summary | undefined {
  const record = asRecord(value);
  const [cells, nulls] = [asCount(record?.['cells']), asCount(record?.['nulls'])];
  const [numbers, distinct] = [asCount(record?.['numbers']), asCount(record?.['distinct'])];
  if (cells === undefined || nulls === undefined || numbers === undefined || distinct === undefined) return undefined;
  const texts = (['sum', 'average', 'min', 'max'] as const).flatMap(name => {
    const text = asString(record?.[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const orMore = record?.['distinctOrMore'] === true ? { distinctOrMore: true as const } : {};
  return { cells, nulls, numbers, distinct, ...orMore, ...Object.fromEntries(texts) };
}

function decodeSortKey(value: unknown): SortKey | undefined {
  const record = asRecord(value);
  const column = asCount(record?.['column']);
  return column === undefined ? undefined : { column, descending: record?.['descending'] === true };
}

function decodeFilter(value: unknown): ColumnFilter | undefined {
  const record = asRecord(value);
  const column = asCount(record?.['column']);
  if (!record || column === undefined) return undefined;
  const kind = record['kind'];
  switch (kind) {
    case 'contains':
    case 'equals': {
      const text = shortText(record['text']);
      return text === undefined ? undefined : { kind, column, text };
    }
    case 'range': {
      const [from, to] = [shortText(record['from']), shortText(record['to'])];
      if (from === undefined && to === undefined) return undefined;
      return { kind, column, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    }
    case 'null':
      return { kind, column, isNull: record['isNull'] === true };
    default:
      return undefined;
  }
}

function decodeRange(value: unknown): CellRange | undefined {
  const record = asRecord(value);
  const [firstRow, endRow] = [asCount(record?.['firstRow']), asCount(record?.['endRow'])];
  const columns = decodeColumns(record?.['columns']);
  return firstRow === undefined || endRow === undefined || !columns ? undefined : { firstRow, endRow, columns };
}

function shortText(value: unknown): string | undefined {
  const text = asString(value);
  return text !== undefined && text.length <= longestText ? text : undefined;
}
