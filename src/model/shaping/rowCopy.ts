import { allOf } from '../editing/editCte.ts';
import type { Affinity } from '../../sql/lints/affinity.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import type { ColumnFacts, TableFacts } from './tableFacts.ts';

export interface CopiedColumn {
  readonly from: ColumnFacts;
  readonly to: ColumnFacts;
}

/** How the rows of a table come into its copy. Undefined if no value of theirs does. */
export function rowCopy(from: TableFacts, to: TableFacts, copiedColumns: readonly CopiedColumn[]) {
  const columns = copiedColumns.filter(column => !column.to.isGenerated);
  const sourceOf = (name: string | undefined): string | undefined =>
    columns.find(column => name !== undefined && isSameName(column.to.name, name))?.from.name;
  const rowIdSource = sourceOf(to.rowIdColumn);
  /** Whether the statement must set the row ids, because no copied column does. */
  const setsRowId = from.rowId !== undefined && to.rowId !== undefined && rowIdSource === undefined;
  if (columns.length === 0 && !setsRowId) return undefined;
  // The values of an INTEGER PRIMARY KEY are the row ids.
  const keepsRowIds = setsRowId || (rowIdSource !== undefined && rowIdSource === from.rowIdColumn);
  const fromName = quoted(from.name);
  const toName = quoted(to.name);

  const insertSql = (): string => {
    const targets = columns.map(column => quoted(column.to.name));
    const sources = columns.map(column => quoted(column.from.name));
    if (setsRowId) {
      targets.unshift(to.rowId);
      sources.unshift(from.rowId);
    }
    const order = keepsRowIds || from.rowId === undefined ? '' : `\nORDER BY ${from.rowId}`;
    // The clauses ON CONFLICT of the new table must not drop rows silently.
    return `INSERT OR ABORT INTO ${toName} (${targets.join(', ')})\nSELECT ${sources.join(', ')}\nFROM ${fromName}${order}`;
  };

  /** Finds the copy of a row. Undefined if no column identifies it. */
  const match = (): { readonly condition: string; readonly missing: string } | undefined => {
    if (keepsRowIds && from.rowId !== undefined && to.rowId !== undefined) {
      const key = `new.${to.rowId}`;
      return { condition: `${key} = old.${from.rowId}`, missing: `${key} IS NULL` };
    }
    const terms = to.primaryKey.map(name => {
      const source = sourceOf(name);
      return source === undefined ? undefined : `new.${quoted(name)} IS old.${quoted(source)}`;
    });
    if (terms.length === 0 || terms.includes(undefined)) return undefined;
    // A key of a table with row ids may be NULL. Its first column then says nothing, so that the row counts as different.
    return { condition: terms.join(' AND '), missing: `new.${quoted(to.primaryKey[0]!)} IS NULL` };
  };

  /** A statement that fails unless the copy has all rows, with the same values where the design converts none. */
  const compareSql = (): string => {
    const counts = `(SELECT count(*) FROM ${fromName}) = (SELECT count(*) FROM ${toName})`;
    const matched = match();
    if (matched === undefined) {
      return `SELECT CASE WHEN ${counts} THEN 0\n  ELSE json('The rows differ: ' || (SELECT count(*) FROM ${toName})) END AS difference`;
    }
    const same = columns
      .filter(column => keepsAffinity(column.from.affinity, column.to.affinity))
      .flatMap(column => sameValue(column));
    const differs = same.length === 0 ? matched.missing : `${matched.missing} OR NOT (${allOf(same)})`;
    const rows = `FROM ${fromName} AS old LEFT JOIN ${toName} AS new ON ${matched.condition}\nWHERE ${differs}`;
    return `SELECT CASE WHEN count(*) = 0 AND ${counts} THEN 0\n  ELSE json('The rows differ: ' || count(*)) END AS difference\n${rows}`;
  };
  return { keepsRowIds, insertSql, compareSql };
}

/** Whether a column of another affinity stores the same values without a change. */
export function keepsAffinity(from: Affinity, to: Affinity): boolean {
  return from === to || to === 'blob' || (isNumeric(from) && isNumeric(to));
}

const isNumeric = (affinity: Affinity): boolean => affinity === 'integer' || affinity === 'numeric';

const sameValue = ({ from, to }: CopiedColumn): string[] => {
  const source = `old.${quoted(from.name)}`;
  const target = `new.${quoted(to.name)}`;
  return [`${target} IS ${source} COLLATE BINARY`, `typeof(${target}) = typeof(${source})`];
};
