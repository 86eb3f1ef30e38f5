import { distinctNames } from '../../base/distinctNames.ts';
import type { Comparison } from '../../protocol/results.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { type Column, isBlobType } from '../../wire/values.ts';

/** How a row differs, as the first column of a comparison has it. Rows that share a key in one source are never paired. */
export type DifferenceKind = 'added' | 'removed' | 'changed' | 'duplicate key (before)' | 'duplicate key (after)';

/** A column of the rows that are compared, with its numbers in the sources. Only one of them may have it. */
interface ComparedColumn extends Column {
  readonly before?: number;
  readonly after?: number;
  readonly isKey: boolean;
}

/** A column that both sources have. */
export type CommonColumn = Required<ComparedColumn>;

export interface ComparisonPlan {
  readonly columns: readonly ComparedColumn[];
  /** Without a key, whole rows are compared: they are added or removed, and never changed. */
  readonly hasKey: boolean;
  /** The columns of the rows that differ: the kind, the changed columns, `columns`, and their values before. */
  readonly shown: readonly Column[];
  /** Where `shown` has the columns that may change, and their values before. */
  readonly changes: Comparison['changes'];
}

export interface ComparisonRequest {
  readonly plan: ComparisonPlan;
  /** For each source, the number of the first column with the letters of storage classes, if it has some. */
  readonly letterColumns: readonly [before: number | undefined, after: number | undefined];
}

export const isCommon = (column: ComparedColumn): column is CommonColumn =>
  column.before !== undefined && column.after !== undefined;

/** Matches the columns by their names. `key` has the names of those that identify a row. */
export function planComparison(
  before: readonly Column[],
  after: readonly Column[],
  key: readonly string[],
): ComparisonPlan {
  const hasKey = key.length > 0;
  const all = before.map(({ name, type }, number): ComparedColumn => {
    const isKey = !hasKey || key.includes(name);
    const other = after.findIndex(column => column.name === name);
    if (other === -1) return { name, type, before: number, isKey };
    const otherType = after[other]!.type;
    // Without a type if only one source has BLOBs there: the strings of the other one are texts.
    const sharedType = isBlobType(type) === isBlobType(otherType) ? otherType || type : '';
    return { name, type: sharedType, before: number, after: other, isKey };
  });
  const common = all.filter(isCommon);
  const columns = [
    ...common,
    ...all.filter(column => !isCommon(column)),
    ...after.flatMap(({ name, type }, number) =>
      before.some(column => column.name === name) ? [] : [{ name, type, after: number, isKey: false }],
    ),
  ];
  const changing = common.filter(({ isKey }) => !isKey);
  const heads = (changing.length > 0 ? ['change', 'changed columns'] : ['change']).map(name => ({
    name,
    type: 'TEXT',
  }));
  const values = changing.map(({ name, type }) => ({ name: `${name} (before)`, type }));
  // The columns of the sources keep their names.
  const names = distinctNames([...columns, ...heads, ...values].map(({ name }) => name));
  const named = [...columns, ...heads, ...values].map(({ type }, nth): Column => ({ name: names[nth]!, type }));
  const pastHeads = columns.length + heads.length;
  return {
    columns,
    hasKey,
    shown: [...named.slice(columns.length, pastHeads), ...named.slice(0, columns.length), ...named.slice(pastHeads)],
    changes: changing.map((column, nth) => ({
      column: heads.length + columns.indexOf(column),
      before: pastHeads + nth,
    })),
  };
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
  const lettered = isLettered ? columns : [];
  for (let at = 0; at < lettered.length; at += lettersPerColumn) {
    const some = lettered.slice(at, at + lettersPerColumn);
    letters.push(some.map(name => `substr(typeof(${quoteIdentifier(name)}), 1, 1)`).join(' || '));
  }
  const names = distinctNames([...columns, ...letters.map(() => 'classes')]).map(quoteIdentifier);
  const selected = names.map((name, nth) =>
    nth < columns.length ? name : `${letters[nth - columns.length]!} AS ${name}`,
  );
  return {
    sql: `SELECT ${selected.join(', ')} FROM ${quoteIdentifier(table)}`,
    letterColumn: isLettered ? columns.length : undefined,
  };
}
