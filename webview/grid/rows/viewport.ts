import type { GridColumn } from '../../../src/protocol/results.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { Selection } from '../selection/selection.ts';
import type { ShownEdits } from './rowCache.ts';

/** The columns in view and all else that the rows of one paint share. */
export interface Viewport {
  readonly columns: readonly GridColumn[];
  /** Whether headers show the types of columns. */
  readonly showsTypes: boolean;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  /** Whether a column holds numbers, which are aligned to the right. */
  readonly isNumeric: (column: number) => boolean;
  /** How many rows are above those of the result, for screen readers. */
  readonly headerRows: number;
  /** Whether a row is a line of a script log with the place of an error. */
  readonly hasError: (row: number) => boolean;
  /** The pending edits of a row. */
  readonly editsOf: (row: number) => ShownEdits | undefined;
  /** How many frozen columns are painted. */
  readonly frozen: number;
  /** The positions in view after the frozen columns. */
  readonly visible: readonly [first: number, end: number];
  /** The width of the row numbers. */
  readonly gutter: number;
  /** How far the columns are scrolled. */
  readonly scrollLeft: number;
  /** The visible width of a row. */
  readonly width: number;
  /** Changes with the layout, the selection and the arrangement, but not when the grid is scrolled. */
  readonly version: number;
}

export const positionsIn = ([first, end]: readonly [first: number, end: number]): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);

/** Whether rows have the same cells at the same places in both viewports. */
export const hasSameCells = (one: Viewport | undefined, other: Viewport): boolean =>
  one?.version === other.version &&
  one.visible[0] === other.visible[0] &&
  one.visible[1] === other.visible[1] &&
  one.frozen === other.frozen &&
  one.gutter === other.gutter &&
  one.width === other.width;
