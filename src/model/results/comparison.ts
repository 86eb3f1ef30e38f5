import type { Column } from '../../wire/values.ts';

/** How a row differs, as the first column of a comparison has it. Rows that share a key in one source are never paired. */
const differenceKinds = ['added', 'removed', 'changed', 'duplicate key (before)', 'duplicate key (after)'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** A column of a comparison with changes, the column with its values before, and how many rows changed there. */
export interface ChangedColumn {
  readonly column: number;
  readonly before: number;
  readonly rows: number;
}

export interface ComparisonSummary {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly same: number;
  /** Rows of both sources that share a key with another row of their source. */
  readonly duplicates: number;
  /** The columns of the rows that differ. */
  readonly columns: readonly Column[];
  readonly changes: readonly ChangedColumn[];
}

export interface ComparisonRequest {
  /** The names of the columns that identify a row. Empty to compare whole rows. */
  readonly key: readonly string[];
  /** For each source, the number of the first column with the letters of storage classes, if it has some. */
  readonly letterColumns: readonly [before: number | undefined, after: number | undefined];
}
