import { arrayOf, asCount, asString, type Infer, isTrue, object, oneOf, optional, refine } from '../base/decode.ts';
import { decodeColumnNumbers, decodeSummary, decodeValueCounts } from './rowQueries.ts';

/** A person sees no more. */
const maxBars = 100;

export const decodeProfileQuery = object({
  columns: refine(decodeColumnNumbers, columns => columns.length > 0),
  /** Takes more memory and time, for figures that are exact where others are estimates, and for the median. */
  inDetail: isTrue,
});
export type ProfileQuery = Infer<typeof decodeProfileQuery>;

/** The numbers from one to another, both of which are among them. They are written as a filter takes them. */
const decodeBar = object({ from: asString, to: asString, count: asCount });
export type ProfileBar = Infer<typeof decodeBar>;

const yes = optional(oneOf([true]));

/** A column in the rows that pass the filters of the other columns. */
const decodeColumnProfile = object({
  column: asCount,
  figures: decodeSummary,
  /** The number of different values is an estimate. */
  isDistinctAbout: yes,
  texts: asCount,
  blobs: asCount,
  /** The median of the numbers. Only in detail. */
  median: optional(asString),
  /** In characters. Missing without texts. */
  shortest: optional(asCount),
  longest: optional(asCount),
  /** The most frequent values. Missing if there are too many different ones to count each. */
  top: optional(decodeValueCounts),
  /** The histogram of the numbers. */
  bars: arrayOf(decodeBar, maxBars),
});
export type ColumnProfile = Infer<typeof decodeColumnProfile>;

export const decodeColumnProfiles = arrayOf(decodeColumnProfile);
