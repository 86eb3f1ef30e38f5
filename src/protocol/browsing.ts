import {
  arrayOf,
  asBoolean,
  asCount,
  asNonEmptyString,
  asRecord,
  asString,
  type Infer,
  object,
  oneOf,
  optional,
  withDefault,
} from '../base/decode.ts';
import { decodeEditingView } from './editing.ts';
import { decodeArrangement } from './rowQueries.ts';

/** A browsed table as its page sees it. */

const subject = {
  profileId: asNonEmptyString,
  /** The project's name, for people, in case the project is gone. */
  project: withDefault(asString, ''),
  table: asString,
  kind: withDefault(oneOf(['table', 'view']), 'table'),
};

/** The way along foreign keys that has led to a table. */
const decodeTrailView = object({
  /** The tables with the values that they are filtered by. */
  labels: arrayOf(asString),
  /** The step that is shown. */
  index: asCount,
});
export type TrailView = Infer<typeof decodeTrailView>;

export const decodeBrowseView = object({
  /** Names the table, so that a reload can open it again. */
  subject: object(subject),
  /** Whether the end is known: the row count is then the table's, or that of the rows that pass the filters. */
  hasEnd: asBoolean,
  counting: asBoolean,
  /** True for rows of a statement ordered by the primary key, false for rows in the service's own order. */
  byStatement: asBoolean,
  editing: optional(decodeEditingView),
  /** Set while the table is a step of a trail. */
  trail: optional(decodeTrailView),
});
export type BrowseView = Infer<typeof decodeBrowseView>;

export const decodeRememberedState = object({
  ...subject,
  /** The grid remembers its layout and place by this. */
  runId: asNonEmptyString,
  /** The names of the columns that the arrangement refers to by number. */
  columns: arrayOf(asString),
  arrangement: decodeArrangement,
  /** The first row in view. */
  row: asCount,
});
/** The state of a browsed table that a page remembers across reloads. */
export type BrowseState = Infer<typeof decodeRememberedState>;

/** Where a page keeps its BrowseState within its remembered state. */
export const browseStatePlace = { area: 'browsing', key: 'table' } as const;

/** Reads the table from all that a page remembers. */
export function decodeBrowseState(remembered: unknown): BrowseState | undefined {
  const { area, key } = browseStatePlace;
  return decodeRememberedState(asRecord(asRecord(remembered)?.[area])?.[key]);
}

/** Where a jump leads: the requested row, or the last one of a shorter table. */
export const decodeJumpTarget = object({ row: asCount, rowCount: asCount });
export type JumpTarget = Infer<typeof decodeJumpTarget>;
