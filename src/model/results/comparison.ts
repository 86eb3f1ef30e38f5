import { distinctNames } from '../../base/distinctNames.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { Column } from '../../wire/values.ts';

/** How a row differs, as the first column of a comparison has it. Rows that share a key in one source are never paired. */
export type DifferenceKind = 'added' | 'removed' | 'changed' | 'duplicate key (before)' | 'duplicate key (after)';

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

/** Each column of letters is for this many others: services limit the depth of an expression. */
export const lettersPerColumn = 50;
/** Services limit the columns of a result. The rows of a wider table come without letters. */
const maxLetteredColumns = 90;

/** The statement that reads a table with the storage classes of its values, which JSON does not tell in all cases. */
export function comparedTableSql(
  table: string,
  columns: readonly string[],
): { readonly sql: string; readonly letterColumn: number | undefined } {
  const isLettered = columns.length <= maxLetteredColumns;
  const letters: string[] = [];
  const letteredCount = isLettered ? columns.length : 0;
  for (let at = 0; at < letteredCount; at += lettersPerColumn) {
    const some = columns.slice(at, at + lettersPerColumn);
    letters.push(some.map(name => `substr(typeof(${quoteIdentifier(name)}), 1, 1)`).join(' || '));
  }
  const names = distinctNames([...columns, ...letters.map(() => 'classes')]).map(quoteIdentifier);
  const selected = [
    ...names.slice(0, columns.length),
    ...letters.map((expression, nth) => `${expression} AS ${names[columns.length + nth]!}`),
  ];
  return {
    sql: `SELECT ${selected.join(', ')} FROM ${quoteIdentifier(table)}`,
    letterColumn: isLettered ? columns.length : undefined,
  };
}
