import { asArrayOf, asCount, asRecord, asString } from '../base/shape.ts';
import { type ProjectColor, projectColors, type Protection, protections } from './projectFields.ts';
import { type Arrangement, asTheyCame, decodeArrangement } from './rowQueries.ts';
import { type Column, cutToShow, type ShownValue, type TaggedValue } from '../wire/values.ts';
import { type BrowseView, decodeBrowseView } from './browsing.ts';
import {
  type PauseReason,
  pauseReasons,
  type RunState,
  runStates,
  type WriteOutcome,
  writeOutcomes,
} from './runState.ts';

/** Between the host and the results grid. The grid is told how many rows there are, and pulls those that it shows. */

const resultActions = [
  ...(['enough', 'proceed', 'stopHere', 'giveUp', 'check', 'setKey', 'editProject', 'tryAgain'] as const),
  ...(['goTo', 'rerun', 'export', 'pin', 'unpin', 'openInEditor', 'rename'] as const),
] as const;
export type ResultAction = (typeof resultActions)[number];

export interface ResultView {
  readonly runId: string;
  readonly project: string;
  readonly protection: Protection;
  readonly color: ProjectColor | undefined;
  readonly statement: string;
  readonly state: RunState;
  readonly columns: readonly Column[];
  /** Rows that arrived. */
  readonly rowCount: number;
  /** Rows that are shown of them, as filters leave them. */
  readonly shownRows: number;
  /** Another number each time that a row may stand elsewhere than before. */
  readonly order: number;
  readonly arrangement: Arrangement;
  /** How far arranging is, from 0 to 1, while it is under way. */
  readonly arranging: number | undefined;
  /** How far finding is, in the same way. */
  readonly finding?: number | undefined;
  /** What the rows take, as the service sent them. */
  readonly bytes: number;
  /** From the start to the first row. */
  readonly firstRowMs: number | undefined;
  /** Rows that a statement without rows changed. */
  readonly changed: number | undefined;
  readonly elapsedMs: number;
  /** Why it failed, in words for people. Rows that came before the fault stay. */
  readonly problem: string | undefined;
  /** The stable name of that. */
  readonly code?: string | undefined;
  /** Why it pauses. */
  readonly pausedBy?: PauseReason | undefined;
  /** How long it still waits before it is sent again, in milliseconds. */
  readonly waitsMs?: number | undefined;
  readonly outcome?: WriteOutcome | undefined;
  /** What can be done with it. */
  readonly actions?: readonly ResultAction[] | undefined;
  /** Set when the rows are those of a table that is browsed. */
  readonly browsing?: BrowseView;
}

export interface RowWindow {
  /** The order that the rows stand in. A window of another order is of no use. */
  readonly order: number;
  readonly start: number;
  readonly rows: readonly (readonly ShownValue[])[];
  /** Rows of these that stand elsewhere as well, by their places in the result. */
  readonly repeated?: readonly number[];
}

/** A cell's value, or its beginning. `end` is how a longer one ends, which tells how many bytes base64 stands for. */
export type CellPart = ShownValue & { readonly end?: string };

export function partOf(value: TaggedValue, most: number): CellPart {
  const part = cutToShow(value, most);
  return part.length !== undefined && 'text' in value ? { ...part, end: value.text.slice(-2) } : part;
}

/** Each names its result by `runId`; what else it takes stands behind it. */
export const resultsMethods = {
  /** Nothing: the page is there, and is to be told of what there is to show. */
  ready: 'ready',
  /** A RowsRequest; gives a RowWindow. */
  rows: 'rows',
  /** Nothing more: its first rows were painted. */
  painted: 'painted',
  /** Nothing: the page has the focus. */
  focused: 'focused',
  /** Ends the run and keeps what came. */
  cancel: 'cancel',
  /** Goes on after a pause. */
  proceed: 'proceed',
  /** `action`, one of those that the view offers beyond these two. */
  act: 'act',
  /** `arrangement`. Settles when it is done; the event `view` tells of it. Its abort leaves the rows as they were. */
  arrange: 'arrange',
  /** `step`, a FindStep, and `order`; gives Found. */
  find: 'find',
  /** `ranges` and `order`; gives a Summary. */
  summarize: 'summarize',
  /** `row`, `column`, `order` and `most`, a number of characters; gives a CellPart. */
  cell: 'cell',
  /** `ranges`, `order`, `format` and `headers`; the host puts it on the clipboard, and gives nothing. */
  copy: 'copy',
  /** `columns`, all of them in their order, and those `shown`; the user chooses, and what is to be shown is given, or nothing. */
  chooseColumns: 'chooseColumns',
  /** `columns` in the order shown; the host asks for the format and the file. */
  export: 'export',
} as const;

export const resultsEvents = {
  /** A ResultView, or null when there is none to show. */
  view: 'view',
  /** A TabsEvent, where a page lets one choose among results. */
  tabs: 'tabs',
} as const;

/** What the host puts into the event `view`. */
export interface ViewEvent {
  readonly view: ResultView | null;
  /** The first rows, with the first message that has any, so that they are painted without another round trip. */
  readonly first?: RowWindow;
}

export interface RowsRequest {
  readonly runId: string;
  readonly start: number;
  readonly count: number;
}

/** More rows than a screen can show are never asked for at once. */
export const mostRowsPerRequest = 500;

export function decodeRowsRequest(params: unknown): RowsRequest | undefined {
  const record = asRecord(params);
  const [runId, start, count] = [asString(record?.['runId']), asCount(record?.['start']), asCount(record?.['count'])];
  if (runId === undefined || start === undefined || count === undefined) return undefined;
  return { runId, start, count: Math.min(count, mostRowsPerRequest) };
}

export function decodeRunId(params: unknown): string | undefined {
  return asString(asRecord(params)?.['runId']);
}

export function decodeAction(params: unknown): ResultAction | undefined {
  const action = asRecord(params)?.['action'];
  return resultActions.find(known => known === action);
}

export function decodeViewEvent(payload: unknown): ViewEvent | undefined {
  const record = asRecord(payload);
  if (!record) return undefined;
  const view = record['view'] === null ? null : decodeView(record['view']);
  if (view === undefined) return undefined;
  if (record['first'] === undefined) return { view };
  const first = decodeRowWindow(record['first']);
  return first && { view, first };
}

export function decodeRowWindow(value: unknown): RowWindow | undefined {
  const record = asRecord(value);
  const [order, start] = [asCount(record?.['order']), asCount(record?.['start'])];
  const rows = asArrayOf(record?.['rows'], row => asArrayOf(row, decodeShownValue));
  if (order === undefined || start === undefined || !rows) return undefined;
  const repeated = asArrayOf(record?.['repeated'], asCount);
  return { order, start, rows, ...(repeated && { repeated }) };
}

export function decodeCellPart(value: unknown): CellPart | undefined {
  const part: CellPart | undefined = decodeShownValue(value);
  return part?.end === undefined || asString(part.end) !== undefined ? part : undefined;
}

/** Checked and not copied: a window of a wide result has fifty thousand of them. */
function decodeShownValue(value: unknown): ShownValue | undefined {
  if (!isTaggedValue(value)) return undefined;
  const { length }: ShownValue = value;
  return length === undefined || asCount(length) !== undefined ? value : undefined;
}

function isTaggedValue(value: unknown): value is TaggedValue {
  const record = asRecord(value);
  switch (record?.['kind']) {
    case 'null':
      return true;
    case 'boolean':
      return typeof record['value'] === 'boolean';
    case 'integer':
    case 'real':
    case 'text':
    case 'json':
      return typeof record['text'] === 'string';
    default:
      return false;
  }
}

function decodeView(value: unknown): ResultView | undefined {
  const record = asRecord(value);
  if (!record) return undefined;
  const [runId, project] = [asString(record['runId']), asString(record['project'])];
  const [statement, columns] = [asString(record['statement']), asArrayOf(record['columns'], decodeColumn)];
  const protection = protections.find(known => known === record['protection']);
  const color = projectColors.find(known => known === record['color']);
  const state = runStates.find(known => known === record['state']);
  const [rowCount, changed] = [asCount(record['rowCount']), asCount(record['changed'])];
  const [shownRows, order, bytes] = [asCount(record['shownRows']), asCount(record['order']), asCount(record['bytes'])];
  const arrangement = decodeArrangement(record['arrangement']) ?? asTheyCame;
  const [arranging, firstRowMs] = [asNumber(record['arranging']), asNumber(record['firstRowMs'])];
  const [elapsedMs, problem] = [record['elapsedMs'], record['problem']];
  if (runId === undefined || project === undefined || statement === undefined || !columns || !state) return undefined;
  if (!protection) return undefined;
  if (rowCount === undefined || (changed === undefined && record['changed'] !== undefined)) return undefined;
  if (typeof elapsedMs !== 'number' || (problem !== undefined && typeof problem !== 'string')) return undefined;
  if (shownRows === undefined || order === undefined || bytes === undefined) return undefined;
  const browsing = decodeBrowseView(record['browsing']);
  return {
    ...{ runId, project, protection, color, statement, state, columns, rowCount, changed, elapsedMs, problem },
    ...{ shownRows, order, arrangement, arranging, bytes, firstRowMs },
    ...{ finding: asNumber(record['finding']), code: asString(record['code']) },
    pausedBy: pauseReasons.find(known => known === record['pausedBy']),
    waitsMs: asNumber(record['waitsMs']),
    outcome: writeOutcomes.find(known => known === record['outcome']),
    actions: asArrayOf(record['actions'], action => resultActions.find(known => known === action)),
    ...(browsing && { browsing }),
  };
}

function decodeColumn(value: unknown): Column | undefined {
  const record = asRecord(value);
  const [name, type] = [asString(record?.['name']), asString(record?.['type'])];
  return name === undefined || type === undefined ? undefined : { name, type };
}

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
