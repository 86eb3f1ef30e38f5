import {
  arrayOf,
  arrayWhere,
  asBoolean,
  asCount,
  asNumber,
  asRecord,
  asString,
  type Infer,
  nullable,
  object,
  oneOf,
  optional,
  orUndefined,
  unchanged,
} from '../base/decode.ts';
import { cutToShow, type ShownValue, type TaggedValue } from './shownValues.ts';
import { decodeBrowseView } from './browsing.ts';
import { decodeRowEdits } from './editing.ts';
import { projectColors, protections } from './projectFields.ts';
import { decodeArrangement } from './rowQueries.ts';
import { pauseReasons, runStates, writeOutcomes } from './runState.ts';

/** A result as the grid's page sees it. The page hears how many rows there are and pulls those that it shows. */

const resultActions = [
  'cancel',
  'resume',
  'finish',
  'cancelWait',
  'checkOutcome',
  'setKey',
  'issueKey',
  'editProject',
  'retry',
  'goToStatement',
  'goToError',
  'rerun',
  'export',
  'pin',
  'unpin',
  'copyPlan',
  'openInEditor',
  'moveToPanel',
  'rename',
] as const;
/** An action that the user can take on a result. */
export type ResultAction = (typeof resultActions)[number];
export const decodeResultAction = oneOf(resultActions);

/** The grid shows the first columns of a wider result. No table of SQLite has more, unless its limits were raised. */
export const maxShownColumns = 2000;

const decodeColumn = object({
  name: asString,
  type: asString,
  /** Whether the column belongs to the primary key. */
  isKey: optional(oneOf([true])),
  /** The table that a foreign key of this column refers to. */
  references: optional(asString),
  /** Where the cells of a column lead in a script log: to the statement of their line, or to its error if it has one. */
  leadsTo: optional(oneOf(['statement', 'error'])),
});
export type GridColumn = Infer<typeof decodeColumn>;

/** `scan` reads a whole table or index, `search` looks rows up in an index, `sort` uses a temporary B-tree. */
export const planSteps = ['scan', 'search', 'sort', 'other'] as const;
/** A step of a query plan, in the order of its tree. */
const decodePlanStep = object({ detail: asString, step: oneOf(planSteps), depth: asCount });
export type PlanStepView = Infer<typeof decodePlanStep>;

const decodeResultView = object({
  runId: asString,
  project: asString,
  protection: oneOf(protections),
  color: orUndefined(oneOf(projectColors)),
  statement: asString,
  state: oneOf(runStates),
  /** At most `maxShownColumns`. */
  columns: arrayOf(decodeColumn),
  /** Whether headers show the types of the columns. */
  showsTypes: optional(oneOf([true])),
  /** Whether the grid has a field for the filter of each column below its header. */
  showsFilterRow: optional(asBoolean),
  /** How many columns the rows have. Set if these are not all of them. */
  allColumns: orUndefined(asCount),
  /** How many rows arrived. */
  rowCount: asCount,
  /** How many of them pass the filters. */
  shownRows: asCount,
  /** Changes whenever rows may have other places than before. */
  orderVersion: asCount,
  arrangement: decodeArrangement,
  /** The progress of sorting and filtering, from 0 to 1, while it is under way. */
  arranging: orUndefined(asNumber),
  /** The progress of finding, from 0 to 1, while it is under way. */
  finding: orUndefined(asNumber),
  /** The size of the rows as the service sent them. */
  bytes: asCount,
  /** The time from the start to the first row. */
  firstRowMs: orUndefined(asNumber),
  /** How many rows a statement without rows changed. */
  changedRows: orUndefined(asCount),
  /** The effect of such a statement, where that is not a number of rows. */
  doneText: orUndefined(asString),
  elapsedMs: asNumber,
  /** Why the run failed, for people. Rows that came before stay. */
  problem: orUndefined(asString),
  /** The stable code of that failure. */
  code: orUndefined(asString),
  pausedBy: orUndefined(oneOf(pauseReasons)),
  /** The time until the request is sent again. */
  waitsMs: orUndefined(asNumber),
  outcome: orUndefined(oneOf(writeOutcomes)),
  /** Set when the values of the statement's parameters were not saved. */
  lacksValues: optional(asBoolean),
  /** Set while the rows of an earlier window are opened. */
  isRestoring: optional(asBoolean),
  /** When a result of an earlier window was run, in milliseconds since the epoch. */
  restoredFrom: optional(asCount),
  /** The result that this one follows. The grid takes its columns' widths, order and places from there. */
  formerRunId: optional(asString),
  /** Set for a query plan, which has no rows. */
  plan: optional(arrayOf(decodePlanStep)),
  actions: arrayOf(decodeResultAction),
  /** Set for the rows of a browsed table. */
  browsing: optional(decodeBrowseView),
});
export type ResultView = Infer<typeof decodeResultView>;

/** A range of rows that the grid requested. */
export const decodeRowWindow = object({
  /** The order of these rows. The grid drops a window of another order. */
  orderVersion: asCount,
  start: asCount,
  rows: unchanged(arrayWhere(arrayWhere(isShownValue))),
  /** The lines of these, in a script log, that have the place of an error. */
  errors: optional(arrayOf(asCount)),
  /** How the page names these in calls, if they are those of a table that can be edited. */
  ids: optional(arrayOf(asString)),
  /** The pending edits of these. */
  edits: optional(arrayOf(decodeRowEdits)),
});
export type RowWindow = Infer<typeof decodeRowWindow>;

export const decodeViewEvent = object({
  /** Null when there is no result to show. */
  view: nullable(decodeResultView),
  /** The first rows, sent with the first event that has any, so that they are painted without another round trip. */
  first: optional(decodeRowWindow),
});
export type ViewEvent = Infer<typeof decodeViewEvent>;

/** The grid never asks for more rows at once: no screen shows as many. */
const maxRowsPerRequest = 500;

export const decodeRowsRequest = object({
  runId: asString,
  start: asCount,
  count: (value: unknown) => {
    const count = asCount(value);
    return count === undefined ? undefined : Math.min(count, maxRowsPerRequest);
  },
});
export type RowsRequest = Infer<typeof decodeRowsRequest>;

/** A cell's value, or its beginning. `end` holds the last characters of a longer one: they determine the size of base64. */
export type CellPart = ShownValue & { readonly end?: string };

export const decodeCellPart = unchanged(isCellPart);

export function cellPart(value: TaggedValue, maxLength: number): CellPart {
  const part = cutToShow(value, maxLength);
  return part.length !== undefined && 'text' in value ? { ...part, end: value.text.slice(-2) } : part;
}

function isCellPart(value: unknown): value is CellPart {
  return isShownValue(value) && (!('end' in value) || typeof value.end === 'string');
}

/** Written by hand: a window of a wide result has fifty thousand values. */
function isShownValue(value: unknown): value is ShownValue {
  const record = asRecord(value);
  if (!record) return false;
  const { kind, text, length } = record;
  if (length !== undefined && asCount(length) === undefined) return false;
  switch (kind) {
    case 'null':
      return true;
    case 'boolean':
      return typeof record['value'] === 'boolean';
    case 'integer':
    case 'real':
    case 'text':
    case 'json':
      return typeof text === 'string';
    default:
      return false;
  }
}

const decodeTab = object({
  runId: asString,
  title: asString,
  statement: asString,
  /** The values of its `?`, as texts. */
  values: arrayOf(asString),
  project: asString,
  color: orUndefined(oneOf(projectColors)),
  protection: oneOf(protections),
  state: oneOf(runStates),
  /** Rows that arrived; undefined for a statement that returns none. */
  rowCount: orUndefined(asCount),
  isPinned: asBoolean,
  /** Whether the tab has a query plan in place of rows. */
  isPlan: asBoolean,
  /** When the run started, in milliseconds since the epoch. Undefined for results of older versions. */
  startedAt: orUndefined(asCount),
  /** Whether the user has set the title. Then the time is in the tooltip only. */
  isRenamed: asBoolean,
});
/** A result tab as its strip shows it. */
export type TabView = Infer<typeof decodeTab>;

export const decodeTabsEvent = object({
  tabs: arrayOf(decodeTab),
  /** The run of the result in front. */
  active: orUndefined(asString),
});
export type TabsEvent = Infer<typeof decodeTabsEvent>;
