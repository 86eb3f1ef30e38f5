import {
  arrayOf,
  asBoolean,
  asCount,
  asNonBlankString,
  asRecord,
  asString,
  type Infer,
  object,
  optional,
} from '../base/decode.ts';
import { decodeEditingView } from './editing.ts';
import { decodeArrangement } from './rowQueries.ts';

const decodeTrailView = object({
  /** The table of each step, with the values that filter it. */
  labels: arrayOf(asString),
  index: asCount,
});
export type TrailView = Infer<typeof decodeTrailView>;

/** A browsed table as its page sees it. */
export const decodeBrowseView = object({
  /** False for a view, which no foreign key refers to. */
  isTable: asBoolean,
  /** Whether the end is known. Then the row count is that of the table, or of the rows that pass its filters. */
  hasEnd: asBoolean,
  counting: asBoolean,
  /** True for rows of a statement ordered by the primary key, false for rows in the service's own order. */
  byStatement: asBoolean,
  editing: optional(decodeEditingView),
  trail: optional(decodeTrailView),
});
export type BrowseView = Infer<typeof decodeBrowseView>;

export const decodeRememberedState = object({
  /** The grid remembers its layout and place by this id. */
  runId: asNonBlankString,
  /** The names of the columns that the arrangement refers to by number. */
  columns: arrayOf(asString),
  arrangement: decodeArrangement,
  /** The first row in view. */
  row: asCount,
});
/** The state of a browsed table that a page remembers across reloads. */
export type BrowseState = Infer<typeof decodeRememberedState>;

export const browseStatePlace = { area: 'browsing', key: 'table' } as const;

export function decodeBrowseState(remembered: unknown): BrowseState | undefined {
  const { area, key } = browseStatePlace;
  return decodeRememberedState(asRecord(asRecord(remembered)?.[area])?.[key]);
}

/** Where a jump leads: the requested row, or the last one of a shorter table. */
export const decodeJumpTarget = object({ row: asCount, rowCount: asCount });
export type JumpTarget = Infer<typeof decodeJumpTarget>;
