import { allOf } from '../editing/editCte.ts';
import type { Affinity } from '../../sql/lints/affinity.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import type { ColumnFacts, TableFacts } from './tableFacts.ts';

export interface CopiedColumn {
  readonly from: ColumnFacts;
  readonly to: ColumnFacts;
}

export class RowCopy {
  readonly #from: TableFacts;
  readonly #to: TableFacts;
  readonly #columns: readonly CopiedColumn[];
  readonly keepsRowIds: boolean;

  constructor(from: TableFacts, to: TableFacts, columns: readonly CopiedColumn[]) {
    this.#from = from;
    this.#to = to;
    this.#columns = columns.filter(column => !column.to.isGenerated);
    const { rowIdColumn } = to;
    const source = rowIdColumn === undefined ? undefined : this.#sourceOf(rowIdColumn);
    // The values of an INTEGER PRIMARY KEY are the row ids.
    const comesFromRowId = source !== undefined && source === from.rowIdColumn;
    this.keepsRowIds = comesFromRowId || this.#setsRowId;
  }

  get isPossible(): boolean {
    return this.#columns.length > 0 || this.#setsRowId;
  }

  insertSql(): string {
    const targets = this.#columns.map(({ to }) => quoted(to.name));
    const sources = this.#columns.map(({ from }) => quoted(from.name));
    if (this.#setsRowId) {
      targets.unshift(this.#to.rowId!);
      sources.unshift(this.#from.rowId!);
    }
    const order = this.keepsRowIds || this.#from.rowId === undefined ? '' : `\nORDER BY ${this.#from.rowId}`;
    // The clauses ON CONFLICT of the new table must not drop rows silently.
    return `INSERT OR ABORT INTO ${quoted(this.#to.name)} (${targets.join(', ')})\nSELECT ${sources.join(', ')}\nFROM ${quoted(this.#from.name)}${order}`;
  }

  /** A statement that fails unless the copy has all rows, with the same values where the design converts none. */
  compareSql(): string {
    const from = quoted(this.#from.name);
    const to = quoted(this.#to.name);
    const counts = `(SELECT count(*) FROM ${from}) = (SELECT count(*) FROM ${to})`;
    const match = this.#match();
    if (match === undefined) {
      return `SELECT CASE WHEN ${counts} THEN 0\n  ELSE json('The rows differ: ' || (SELECT count(*) FROM ${to})) END AS difference`;
    }
    const kept = this.#columns.filter(({ from: source, to: target }) =>
      keepsAffinity(source.affinity, target.affinity),
    );
    const same = kept.flatMap(column => sameValue(column));
    const differs = same.length === 0 ? match.missing : `${match.missing} OR NOT (${allOf(same)})`;
    const rows = `FROM ${from} AS old LEFT JOIN ${to} AS new ON ${match.condition}\nWHERE ${differs}`;
    return `SELECT CASE WHEN count(*) = 0 AND ${counts} THEN 0\n  ELSE json('The rows differ: ' || count(*)) END AS difference\n${rows}`;
  }

  /** Whether the statement must set the row ids, because no copied column does. */
  get #setsRowId(): boolean {
    const { rowIdColumn, rowId } = this.#to;
    const isSet = rowIdColumn !== undefined && this.#sourceOf(rowIdColumn) !== undefined;
    return rowId !== undefined && this.#from.rowId !== undefined && !isSet;
  }

  #sourceOf(name: string): string | undefined {
    return this.#columns.find(({ to }) => isSameName(to.name, name))?.from.name;
  }

  /** Finds the copy of a row. Undefined if no column identifies it. */
  #match(): { readonly condition: string; readonly missing: string } | undefined {
    if (this.keepsRowIds && this.#from.rowId !== undefined && this.#to.rowId !== undefined) {
      const key = `new.${this.#to.rowId}`;
      return { condition: `${key} = old.${this.#from.rowId}`, missing: `${key} IS NULL` };
    }
    const keys = this.#to.primaryKey.map(name => ({ name, source: this.#sourceOf(name) }));
    if (keys.length === 0 || keys.some(({ source }) => source === undefined)) return undefined;
    const terms = keys.map(({ name, source }) => `new.${quoted(name)} IS old.${quoted(source!)}`);
    // A key of a table with row ids may be NULL. Its first column then says nothing, so that the row counts as different.
    return { condition: terms.join(' AND '), missing: `new.${quoted(keys[0]!.name)} IS NULL` };
  }
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
