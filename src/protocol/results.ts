import {
  arrayOf,
  arrayWhere,
  asBoolean,
  asCount,
  asNumber,
  asRecord,
  asString,
  type Infer,
  map,
  nullable,
  object,
  oneOf,
  optional,
  orUndefined,
  unchanged,
  isTrue,
} from '../base/decode.ts';
import { cutToShow, type ShownValue, type TaggedValue } from './shownValues.ts';
import { decodeBrowseView, decodeRowEdits } from './browsing.ts';
import { projectColors, protections } from './projectFields.ts';
import { decodeArrangement } from './rowQueries.ts';
import { pauseReasons, runStates, writeOutcomes } from './runState.ts';

/** A result as the grid's page sees it. The host sends the number of rows, and the page pulls the rows that it shows. */

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
  'copySql',
  'openInEditor',
  'moveToPanel',
  'rename',
  'importRows',
] as const;
export type ResultAction = (typeof resultActions)[number];
export const decodeResultAction = oneOf(resultActions);

/** The grid shows the first columns of a wider result. No table of SQLite has more, unless its limits were raised. */
export const maxShownColumns = 2000;

const decodeColumn = object({
  name: asString,
  type: asString,
  isKey: optional(oneOf([true])),
  /** The table that the foreign key refers to. */
  references: optional(asString),
  /** The projects of a run whose rows do not have the column. */
  missingIn: optional(asString),
  /**
   * Cells of the column lead to the statement of their line in a script log, to its error, to the rows of their group, to the row
   * that a search found, or to the plan of a statement.
   */
  leadsTo: optional(oneOf(['statement', 'error', 'groupedRows', 'row', 'plan'])),
});
export type GridColumn = Infer<typeof decodeColumn>;

/** `scan` reads a whole table or index, `search` looks rows up in an index, `sort` uses a temporary B-tree. */
const planSteps = ['scan', 'search', 'sort', 'other'] as const;
/** A step of a query plan, in the order of its tree. */
export const decodePlanStep = object({
  detail: asString,
  step: oneOf(planSteps),
  depth: asCount,
  /** A sentence about the step. */
  words: optional(asString),
  /** The part of the statement that the step is about. */
  place: optional(object({ start: asCount, end: asCount })),
  /** The places of the costliest steps among all, from 1. */
  rank: optional(asCount),
});
export type PlanStepView = Infer<typeof decodePlanStep>;

/** An index that SQLite would use, with the plan that it makes with it. */
const decodeProvenIndex = object({ sql: asString, plan: arrayOf(decodePlanStep) });
export type ProvenIndexView = Infer<typeof decodeProvenIndex>;

/** The outcome of a run so far, and the user's actions on it. */
const runFields = {
  state: oneOf(runStates),
  /** The number of rows that have arrived. */
  rowCount: asCount,
  /** How many rows a statement without rows changed. */
  changedRows: orUndefined(asCount),
  elapsedMs: asNumber,
  /** The failure, for people. Rows that came before it stay. */
  problem: orUndefined(asString),
  /** Until the request is sent again. */
  waitsMs: orUndefined(asNumber),
  outcome: orUndefined(oneOf(writeOutcomes)),
  actions: arrayOf(decodeResultAction),
};

export const decodeProjectPart = object({
  ...runFields,
  name: asString,
  /** Whether the outcome would be unknown if the window closed now. */
  isWriting: asBoolean,
  /** The columns of the result that its rows do not have. */
  lacks: arrayOf(asCount),
});
/** The part of one of several projects in a run. */
export type ProjectPartView = Infer<typeof decodeProjectPart>;

export const decodeSearchProgress = object({
  /** The searched text. The grid marks it in the column of the found values. */
  text: asString,
  column: asCount,
  tables: asCount,
  searched: asCount,
  /** The table that is searched now. */
  table: orUndefined(asString),
});
/** A search through several tables. Its rows are the found cells. */
export type SearchProgress = Infer<typeof decodeSearchProgress>;

const decodeComparedSource = object({
  name: asString,
  /** When its rows were read, in milliseconds since the epoch. */
  at: orUndefined(asCount),
  /** Only a part of its rows was read. */
  isPart: isTrue,
});
export type ComparisonSource = Infer<typeof decodeComparedSource>;

const decodeComparisonSummary = object({
  added: asCount,
  removed: asCount,
  changed: asCount,
  same: asCount,
  /** Rows of both sources that share a key with another row of their source. */
  duplicates: asCount,
  /** The columns with changes, as the rows that differ number them. */
  changedColumns: arrayOf(asCount),
});
export type ComparisonSummary = Infer<typeof decodeComparisonSummary>;

/** A comparison of two sources. Its rows are those that differ. */
export const decodeComparison = object({
  before: decodeComparedSource,
  after: decodeComparedSource,
  /** The columns that identify a row. Empty if whole rows are compared. */
  key: arrayOf(asString),
  /** The columns whose values may change, and those with their values before. */
  changes: arrayOf(object({ column: asCount, before: asCount })),
  /** The rows that were read so far, while a table is read. */
  readRows: optional(asCount),
  /** The share that is compared, from 0 to 1. */
  share: optional(asNumber),
  /** Set when all is compared. */
  summary: optional(decodeComparisonSummary),
});
export type Comparison = Infer<typeof decodeComparison>;

const decodeResultView = object({
  ...runFields,
  runId: asString,
  project: asString,
  protection: oneOf(protections),
  color: orUndefined(oneOf(projectColors)),
  statement: asString,
  columns: arrayOf(decodeColumn),
  showsTypes: optional(oneOf([true])),
  /** Whether the grid has a field for the filter of each column below its header. */
  showsFilterRow: optional(asBoolean),
  /** The number of columns of the rows. Set if `columns` are not all of them. */
  allColumns: orUndefined(asCount),
  /** The number of rows that pass the filters. */
  shownRows: asCount,
  /** Changes whenever rows may have other places than before. */
  orderVersion: asCount,
  arrangement: decodeArrangement,
  /** The progress of sorting and filtering, from 0 to 1, while it is under way. */
  arranging: orUndefined(asNumber),
  /** The progress of finding, from 0 to 1, while it is under way. */
  finding: orUndefined(asNumber),
  /** As the service sent the rows. */
  bytes: asCount,
  firstRowMs: orUndefined(asNumber),
  /** The effect of a statement that has no row count, in words. */
  doneText: orUndefined(asString),
  code: orUndefined(asString),
  pausedBy: orUndefined(oneOf(pauseReasons)),
  /** The values of the statement's parameters were not saved. */
  lacksValues: optional(asBoolean),
  /** The text of the line `-- @chart` above the statement. */
  chartLine: optional(asString),
  /** The rows of an earlier window are being opened. */
  isRestoring: optional(asBoolean),
  /** When a result of an earlier window was run, in milliseconds since the epoch. */
  restoredFrom: optional(asCount),
  /** The result before this one. The grid takes the widths, order and places of its columns. */
  formerRunId: optional(asString),
  /** Set if several projects answer the run. */
  projects: optional(arrayOf(decodeProjectPart)),
  /** Set for a query plan, which has no rows. */
  plan: optional(arrayOf(decodePlanStep)),
  provenIndexes: optional(arrayOf(decodeProvenIndex)),
  /** Sentences about existing indexes that are not used. */
  unusedIndexes: optional(arrayOf(asString)),
  browsing: optional(decodeBrowseView),
  comparison: optional(decodeComparison),
  search: optional(decodeSearchProgress),
});
export type ResultView = Infer<typeof decodeResultView>;

export const decodeRowWindow = object({
  /** The grid drops a window of another order. */
  orderVersion: asCount,
  start: asCount,
  rows: unchanged(arrayWhere(arrayWhere(isShownValue))),
  /** The rows that are lines of a script log and have the place of an error. */
  errors: optional(arrayOf(asCount)),
  /** The page names the rows by these ids in calls. Set if the rows can be edited. */
  ids: optional(arrayOf(asString)),
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

/** No screen shows as many rows. */
const maxRowsPerRequest = 500;

export const decodeRowsRequest = object({
  runId: asString,
  start: asCount,
  count: map(asCount, count => Math.min(count, maxRowsPerRequest)),
});
export type RowsRequest = Infer<typeof decodeRowsRequest>;

/** A value, or the beginning of a longer one. `end` has its last characters, which determine the size of base64. */
export type CellPart = ShownValue & { readonly end?: string };

export const decodeCellPart = unchanged(isCellPart);

export function cellPart(value: TaggedValue, maxLength: number): CellPart {
  const part = cutToShow(value, maxLength);
  return part.length !== undefined && 'text' in value ? { ...part, end: value.text.slice(-2) } : part;
}

function isCellPart(value: unknown): value is CellPart {
  return isShownValue(value) && (!('end' in value) || typeof value.end === 'string');
}

/** Written by hand for its speed: a window of a wide result has fifty thousand values. */
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
  /** Undefined for a statement that returns no rows. */
  rowCount: orUndefined(asCount),
  isPinned: asBoolean,
  isPlan: asBoolean,
  /** When the run started, in milliseconds since the epoch. Undefined for a result whose record was lost. */
  startedAt: orUndefined(asCount),
  /** Whether the user has set the title. Then the time is in the tooltip only. */
  isRenamed: asBoolean,
});
export type TabView = Infer<typeof decodeTab>;

export const decodeTabsEvent = object({
  tabs: arrayOf(decodeTab),
  active: orUndefined(asString),
});
export type TabsEvent = Infer<typeof decodeTabsEvent>;
