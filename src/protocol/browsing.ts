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
  isTrue,
  nullable,
  oneOf,
  refine,
  withDefault,
} from '../base/decode.ts';
import { decodeArrangement, decodeRanges } from './rowQueries.ts';
import { decodeEditValue } from './editValues.ts';

/** A browsed table as its page sees it, and the calls by which the page edits its rows. The host has the edits. */

const decodeEditableColumn = object({
  /** SQLite computes its values. */
  isGenerated: isTrue,
  canBeNull: asBoolean,
  /** Whether a new row must have a value there. */
  needsValue: isTrue,
  /** As SQL text; undefined without one. */
  defaultValue: optional(asString),
  /** The table that its foreign key refers to, alone or with other columns. */
  references: optional(asString),
});
export type EditableColumnView = Infer<typeof decodeEditableColumn>;

const decodeEditingView = object({
  /** Why no cell can be edited, for people. */
  readOnly: optional(asString),
  /** The columns of the result in their order; null for one that the table does not have. */
  columns: arrayOf(nullable(decodeEditableColumn)),
  /** Changes with each edit, so that the page fetches the rows in view again. */
  version: asCount,
  updated: asCount,
  deleted: asCount,
  inserted: asCount,
  isSaving: optional(oneOf([true])),
  /** Whether the last save got no answer. */
  isOutcomeUnknown: optional(oneOf([true])),
  /** Why the last save did not end, for people. */
  problem: optional(asString),
  problems: withDefault(asCount, 0),
});
export type EditingView = Infer<typeof decodeEditingView>;

const decodeCellProblem = object({
  /** Undefined for a problem of the whole row. */
  column: optional(asCount),
  message: asString,
  /** Whether the cell shows a typed text that was refused, in place of its value. */
  isText: optional(oneOf([true])),
});
export type CellProblemView = Infer<typeof decodeCellProblem>;

export const decodeRowEdits = object({
  row: asCount,
  state: oneOf(['updated', 'deleted', 'new', 'unchanged']),
  /** The columns with a pending value, by their numbers. */
  columns: arrayOf(asCount),
  /** The columns of a new row that get their default. */
  defaults: optional(arrayOf(asCount)),
  problems: optional(arrayOf(decodeCellProblem)),
});
export type RowEdits = Infer<typeof decodeRowEdits>;

/** A page names at most this many rows in a call. */
export const maxNamedRows = 1000;

/** Other rows may have the numbers by now, so `ids` name the rows. Without ids, the host refuses a call for another order. */
const place = { runId: asString, orderVersion: asCount, ids: optional(arrayOf(asString, maxNamedRows)) };

/** The most characters of a text that a page sends. So a field is given no longer one. */
export const maxTypedLength = 100_000_000;
const decodeTyped = refine(asString, text => text.length <= maxTypedLength);

const decodeEdited = object({
  /** The version of the editing view that shows it. */
  version: asCount,
  /** Why a value was refused, for people. */
  refusal: optional(asString),
});
export type Edited = Infer<typeof decodeEdited>;

const cellPlace = { ...place, row: asCount, column: asCount };
const rangesPlace = { ...place, ranges: decodeRanges };

/** The calls by which a page edits rows. The host does one after another, in the order in which they arrive. */
export const editingMethods = {
  /** The value with its storage class. The grid shows a BLOB as a text. */
  editedValue: { params: object(cellPlace), answer: decodeEditValue },
  /** Keeps the text of an open field with the edits. No text means that nothing is typed in it now. */
  holdText: { params: object({ ...cellPlace, text: optional(decodeTyped) }) },
  /** A cell whose column refuses the text keeps it as a problem. `kind` is the storage class that the user chose. */
  editCells: {
    params: object({
      ...rangesPlace,
      text: decodeTyped,
      kind: optional(oneOf(['integer', 'real', 'text', 'blob'])),
    }),
    answer: decodeEdited,
  },
  setCells: { params: object({ ...rangesPlace, value: decodeEditValue }), answer: decodeEdited },
  /** Each range gets the values of its first row. */
  fillDown: { params: object(rangesPlace), answer: decodeEdited },
  /**
   * Pastes a block of cells from `row` on into `columns`, or a single cell into all ranges. A cell whose column refuses its value
   * keeps the text. The user may add rows past the end of the table as new ones.
   */
  pasteCells: {
    params: object({
      ...rangesPlace,
      row: asCount,
      columns: arrayOf(asCount),
      text: decodeTyped,
    }),
    answer: decodeEdited,
  },
  /** The user chooses a file for a BLOB. */
  loadFile: { params: object(cellPlace), answer: decodeEdited },
  /** The user searches the table that a foreign key refers to. */
  pickReference: { params: object(cellPlace), answer: decodeEdited },
  addRow: { params: object({ runId: asString }), answer: decodeEdited },
  duplicateRows: { params: object(rangesPlace), answer: decodeEdited },
  deleteRows: { params: object(rangesPlace), answer: decodeEdited },
  /** Reverts edits of cells and deletions of rows. With `onlyTexts`, reverts only texts that were refused. */
  revertCells: { params: object({ ...rangesPlace, onlyTexts: asBoolean }), answer: decodeEdited },
  /** Undoes or repeats the last edit, as VS Code's commands do. */
  undo: { params: object({ runId: asString, isRedo: asBoolean }), answer: decodeEdited },
  /** Discards all pending edits, after a question. */
  discardEdits: { params: object({ runId: asString }) },
  saveEdits: { params: object({ runId: asString }) },
  /** Finds out whether a save without an answer was done. */
  checkOutcome: { params: object({ runId: asString }) },
  reviewEdits: { params: object({ runId: asString }) },
  /** The next problem from a cell on. */
  goToProblem: {
    params: object({ ...cellPlace, backwards: asBoolean }),
    answer: nullable(object({ row: asCount, column: optional(asCount) })),
  },
} as const;

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
