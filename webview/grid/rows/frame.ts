import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { Column } from '../../../src/wire/values.ts';
import type { ColumnLayout } from '../columns/columnLayout.ts';
import type { Selection } from '../selection/selection.ts';

/** What the rows of one painting have in common. */
export interface Frame {
  readonly columns: readonly Column[];
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly labels: GridLabels;
  /** Whether a row stands elsewhere as well. */
  readonly isRepeated: (row: number) => boolean;
  /** Frozen positions that are painted, from the first one on. */
  readonly frozen: number;
  /** The positions behind them that are in view: from the first to before the second. */
  readonly visible: readonly [number, number];
  /** The width of the row numbers. */
  readonly gutter: number;
  /** How far the columns are scrolled. */
  readonly x: number;
  /** The width of a row, as far as it can be seen. */
  readonly width: number;
  /** Another number whenever more has changed than how far the grid is scrolled. */
  readonly stamp: number;
}

export const positionsOf = ([first, end]: readonly [number, number]): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);

/** What of a frame decides which cells a row has and where they stand. */
export const sameCells = (one: Frame | undefined, other: Frame): boolean =>
  one?.stamp === other.stamp &&
  one.visible[0] === other.visible[0] &&
  one.visible[1] === other.visible[1] &&
  one.frozen === other.frozen &&
  one.gutter === other.gutter &&
  one.width === other.width;
