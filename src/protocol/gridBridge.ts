import { arrayOf, asBoolean, asCount, asString, isTrue, nullable, object, oneOf, optional } from '../base/decode.ts';
import type { Bridge } from './bridge.ts';
import { decodeChartData, decodeChartQuery, decodePicture, pictureFormats } from './chart.ts';
import { editingMethods, decodeJumpTarget, decodeRememberedState } from './browsing.ts';
import { decodeFieldFault, decodeParameterForm, decodeTypedValue } from './parameterForm.ts';
import {
  decodeCellPart,
  decodeResultAction,
  decodeRowsRequest,
  decodeRowWindow,
  decodeViewEvent,
  decodeTabsEvent,
} from './results.ts';
import { decodeProfileQuery, decodeColumnProfiles } from './profile.ts';
import {
  copyFormats,
  decodeArrangement,
  decodeColumnNumbers,
  decodeFindStep,
  decodeFindResult,
  decodeRanges,
  decodeSummary,
  decodeValueCounts,
  decodeValuesQuery,
} from './rowQueries.ts';

/** The bridge between the host and the page with the grid, which shows results and browsed tables. */

const runId = asString;
/** The order that row numbers of a call refer to. The host refuses a call that refers to another order. */
const orderVersion = asCount;
const decodeResultRef = object({ runId });

/** The calls of every page with a grid. */
export const resultMethods = {
  /** The page is loaded. It names the browsed table that it remembers. The host answers with the event `view`. */
  ready: { params: object({ browsing: optional(decodeRememberedState) }) },
  /** The page has the focus. Commands of the palette are meant for it. */
  focused: {},
  rows: { params: decodeRowsRequest, answer: decodeRowWindow },
  /** The first rows are painted. */
  painted: { params: decodeResultRef },
  /** With `project`, the action concerns the part of that project in the run. */
  act: { params: object({ runId, action: decodeResultAction, project: optional(asCount) }) },
  /** Answers when the rows are arranged; the event `view` has the new order. An abort leaves the rows as they were. */
  arrange: { params: object({ runId, arrangement: decodeArrangement }) },
  find: { params: object({ runId, orderVersion, step: decodeFindStep }), answer: decodeFindResult },
  summarize: { params: object({ runId, orderVersion, ranges: decodeRanges }), answer: decodeSummary },
  /** The distinct values of a column with their counts. */
  values: { params: object({ runId, query: decodeValuesQuery }), answer: decodeValueCounts },
  chart: { params: object({ runId, query: decodeChartQuery }), answer: decodeChartData },
  /** The host asks for a file. The content of a PNG is base64. */
  saveChart: { params: object({ runId, format: oneOf(pictureFormats), content: decodePicture }) },
  cell: {
    params: object({ runId, orderVersion, row: asCount, column: asCount, maxLength: asCount }),
    answer: decodeCellPart,
  },
  follow: { params: object({ runId, orderVersion, row: asCount, column: asCount }) },
  /** The host puts the cells on the clipboard. */
  copy: {
    params: object({ runId, orderVersion, ranges: decodeRanges, format: oneOf(copyFormats), headers: asBoolean }),
  },
  /** The user chooses which of all columns are shown. Answers null if the user dismisses the list. */
  chooseColumns: {
    params: object({ runId, columns: decodeColumnNumbers, shown: decodeColumnNumbers }),
    answer: nullable(decodeColumnNumbers),
  },
  /** Shows or hides the fields for filters in all grids. The event `view` says which. */
  showFilterRow: { params: object({ shown: asBoolean }) },
  /** The host asks the user how to group the rows. The groups are another result. */
  group: { params: object({ runId, column: asCount }) },
  profile: { params: object({ runId, query: decodeProfileQuery }), answer: decodeColumnProfiles },
  /** The host asks the user for a row. Answers null if the user cancels. */
  promptForRow: { params: decodeResultRef, answer: nullable(asCount) },
  /** Selects the statement of a line in a script log, or with `error` the place of its error. */
  goToLine: { params: object({ runId, orderVersion, row: asCount, error: isTrue }) },
  /** Selects the part of the statement that a step of its plan is about. */
  goToPlanStep: { params: object({ runId, index: asCount }) },
  /** Creates one of the indexes that would make a plan cheaper. */
  createIndex: { params: object({ runId, index: asCount }) },
  /** Takes the columns in the order shown, and the selected cells if there are several. The host asks for the rest. */
  export: {
    params: object({
      runId,
      columns: optional(decodeColumnNumbers),
      selection: optional(object({ orderVersion, ranges: decodeRanges })),
    }),
  },
} as const;

/** Further calls of the page of a browsed table. All concern its one table. */
export const browsingMethods = {
  /** Fetches the page of rows with this row. Answers null if it could not be loaded. */
  jump: { params: object({ row: asCount }), answer: nullable(decodeJumpTarget) },
  /** The host asks the user for a row and sends the event `goTo`. */
  askRow: {},
  /** Answers when the number of rows is known. */
  count: {},
  stopCounting: {},
  refresh: {},
  sortByKey: {},
  /** The user chooses among the tables whose rows refer to a row. */
  showReferencing: { params: object({ runId, orderVersion, row: asCount }) },
  /** Shows a step of the trail. The active cell is kept, and becomes active again when the user comes back. */
  goToStep: { params: object({ index: asCount, row: asCount, column: asCount }) },
  /** Opens the statement that returns these rows. */
  showStatement: {},
} as const;

/** Further calls of the results panel, for the form that it shows. */
export const formMethods = {
  /** The user is at a parameter, which the editor highlights. */
  focusParameter: { params: object({ id: asString, index: asCount }) },
  /** Answers with the values that cannot be bound. Without any, the form is closed and the statement runs. */
  submitParameters: {
    params: object({ id: asString, values: arrayOf(decodeTypedValue) }),
    answer: arrayOf(decodeFieldFault),
  },
  cancelParameters: { params: object({ id: asString }) },
} as const;

/** The commands that an empty panel offers. */
export const beginnings = ['newQuery', 'tryLocally'] as const;

/** All further calls of the results panel. */
export const panelMethods = {
  ...formMethods,
  selectTab: { params: decodeResultRef },
  /** Closes a tab and releases its rows. */
  closeTab: { params: decodeResultRef },
  /** The host asks the user for the new name. */
  renameTab: { params: decodeResultRef },
  /** Runs a command that an empty panel offers. */
  begin: { params: object({ with: oneOf(beginnings) }) },
} as const;

export const tableMethods = { ...browsingMethods, ...editingMethods } as const;

export const gridBridge = {
  page: 'grid',
  methods: { ...resultMethods, ...panelMethods, ...tableMethods },
  events: {
    view: decodeViewEvent,
    /** Sent by the results panel. */
    tabs: decodeTabsEvent,
    /** Sent by the results panel: the form that it shows, or null. */
    form: object({ form: nullable(decodeParameterForm) }),
    /** Sent to the page of a browsed table: it jumps to the row, and to a column if there is one. */
    goTo: object({ row: asCount, column: optional(asCount) }),
    /** Shows the chart of the result. */
    showChart: object({}),
  },
} as const satisfies Bridge;

export type GridMethods = typeof gridBridge.methods;
export type GridEvents = typeof gridBridge.events;
