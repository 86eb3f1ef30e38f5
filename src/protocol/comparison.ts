import {
  arrayOf,
  asCount,
  asNumber,
  asString,
  type Infer,
  isTrue,
  object,
  optional,
  orUndefined,
} from '../base/decode.ts';

const decodeSource = object({
  name: asString,
  /** When its rows were read, in milliseconds since the epoch. */
  at: orUndefined(asCount),
  /** Only a part of its rows was read. */
  isPart: isTrue,
});
export type ComparisonSource = Infer<typeof decodeSource>;

const decodeSummary = object({
  added: asCount,
  removed: asCount,
  changed: asCount,
  same: asCount,
  /** Rows of both sources that share a key with another row of their source. */
  duplicates: asCount,
  /** The columns with changes, as the rows that differ number them. */
  changedColumns: arrayOf(asCount),
});
export type ComparisonSummary = Infer<typeof decodeSummary>;

/** A comparison of two sources. Its rows are those that differ. */
export const decodeComparison = object({
  before: decodeSource,
  after: decodeSource,
  /** The columns that identify a row. Empty if whole rows are compared. */
  key: arrayOf(asString),
  /** The columns whose values may change, and those with their values before. */
  changes: arrayOf(object({ column: asCount, before: asCount })),
  /** The rows that were read so far, while a table is read. */
  readRows: optional(asCount),
  /** The share that is compared, from 0 to 1. */
  share: optional(asNumber),
  /** Set when all is compared. */
  summary: optional(decodeSummary),
});
export type Comparison = Infer<typeof decodeComparison>;
