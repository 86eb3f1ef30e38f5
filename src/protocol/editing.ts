import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  type Infer,
  isTrue,
  nullable,
  object,
  oneOf,
  optional,
  withDefault,
} from '../base/decode.ts';
import { decodeEditValue } from './editValues.ts';
import { decodeRanges } from './rowQueries.ts';

/** Editing the rows of a browsed table, between the host, which has the edits, and the page. */

const decodeEditableColumn = object({
  /** SQLite computes its values. */
  isGenerated: isTrue,
  canBeNull: asBoolean,
  /** As SQL text; undefined without one. */
  defaultValue: optional(asString),
  /** The table that its foreign key refers to, alone or with other columns. */
  references: optional(asString),
});
export type EditableColumnView = Infer<typeof decodeEditableColumn>;

export const decodeEditingView = object({
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
  /** How many cells and rows have a problem. */
  problems: withDefault(asCount, 0),
});
export type EditingView = Infer<typeof decodeEditingView>;

const decodeCellProblem = object({
  /** Undefined for a problem of the whole row. */
  column: optional(asCount),
  /** For people. */
  message: asString,
});
export type CellProblemView = Infer<typeof decodeCellProblem>;

/** The pending edits and the problems of a row in view. */
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

const place = { runId: asString, orderVersion: asCount };
const maxTypedLength = 100_000_000;
const decodeTyped = (value: unknown): string | undefined => {
  const text = asString(value);
  return text === undefined || text.length > maxTypedLength ? undefined : text;
};

/** The calls by which a page edits rows. A call with an answer of text gives the reason why a value was refused. */
export const editingMethods = {
  /** The value of a cell in its storage class: a BLOB is shown as a text. */
  editedValue: { params: object({ ...place, row: asCount, column: asCount }), answer: decodeEditValue },
  /**
   * Gives a cell the value that a text stands for in its column, or all cells of ranges. With a kind, the user chose the storage
   * class.
   */
  editCell: {
    params: object({
      ...place,
      row: asCount,
      column: asCount,
      ranges: optional(decodeRanges),
      text: decodeTyped,
      kind: optional(oneOf(['integer', 'real', 'text', 'blob'])),
    }),
    answer: nullable(asString),
  },
  /** Gives all cells of the ranges a value. */
  setCells: { params: object({ ...place, ranges: decodeRanges, value: decodeEditValue }), answer: nullable(asString) },
  /** Gives the cells of each range the values of the range's first row. */
  fillDown: { params: object({ ...place, ranges: decodeRanges }), answer: nullable(asString) },
  /**
   * Pastes a block of cells from a row on, in these columns; a single cell is pasted in all of the ranges. The host shows a
   * block before.
   */
  pasteCells: {
    params: object({
      ...place,
      row: asCount,
      columns: arrayOf(asCount),
      ranges: decodeRanges,
      text: decodeTyped,
    }),
  },
  /** The user chooses a file for a BLOB. */
  loadFile: { params: object({ ...place, row: asCount, column: asCount }) },
  /** The user searches the table that a foreign key refers to. */
  pickReference: { params: object({ ...place, row: asCount, column: asCount }) },
  addRow: { params: object({ runId: asString }) },
  duplicateRows: { params: object({ ...place, ranges: decodeRanges }) },
  deleteRows: { params: object({ ...place, ranges: decodeRanges }) },
  /** Reverts the edits of cells, and the deletion of rows. */
  revertCells: { params: object({ ...place, ranges: decodeRanges }) },
  /** Discards all pending edits, after a question. */
  discardEdits: { params: object({ runId: asString }) },
  saveEdits: { params: object({ runId: asString }) },
  /** Finds out whether a save without an answer was done. */
  checkOutcome: { params: object({ runId: asString }) },
  reviewEdits: { params: object({ runId: asString }) },
  /** Goes to the next problem from a cell on. The event `goTo` shows it. */
  goToProblem: { params: object({ ...place, row: asCount, column: asCount, backwards: asBoolean }) },
} as const;
