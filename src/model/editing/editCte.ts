import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type EditableTable, type CollatedKeyColumn, tableSql } from '../catalog/editableTable.ts';
import { jsonExpression, jsonOfRows } from './editJson.ts';

/** Builds `WITH edit AS (…)`, a common table expression (CTE) of the edited rows. A statement gets the rows as JSON. */
export class EditCte {
  readonly #names: string[] = [];
  readonly #columns: ((row: number) => EditValue | boolean)[] = [];
  readonly #index: string | undefined;

  /** `index` is the name of a column with the number of each row. Without it, the rows have no number. */
  constructor(index?: string) {
    this.#index = index;
  }

  /** Adds a value of each row and returns its name in statements. */
  add(name: string, valueOf: (row: number) => EditValue | boolean): string {
    this.#names.push(name);
    this.#columns.push(valueOf);
    return `edit.${name}`;
  }

  /** The expression for a number of rows, and the JSON that is its parameter. */
  build(count: number): { readonly cte: string; readonly json: string } {
    const rows = Array.from({ length: count }, (_, row) => this.#columns.map(valueOf => valueOf(row)));
    const values = this.#names.map((name, index) => `${jsonExpression(rows, index)} AS ${name}`);
    if (this.#index !== undefined) values.unshift(`key AS ${quoteIdentifierIfNeeded(this.#index)}`);
    const cte = `WITH edit AS MATERIALIZED (\n  SELECT ${values.join(',\n    ')}\n  FROM json_each(?)\n)`;
    return { cte, json: jsonOfRows(rows) };
  }
}

export const target = 'target';
export const collationSql = quoteIdentifierIfNeeded;
export const columnSql = (name: string, row = target): string => `${row}.${quoteIdentifierIfNeeded(name)}`;

/** The rows of the table that have the keys of an edit. `row` is a name of the table. */
export function matchKey(
  edit: EditCte,
  columns: readonly CollatedKeyColumn[],
  keys: readonly (readonly StoredValue[])[],
  row = target,
): string[] {
  return columns.flatMap(({ name, collation }, index) => {
    const value = edit.add(`key${index + 1}`, place => keys[place]![index]!);
    const column = columnSql(name, row);
    const isText = keys.some(key => key[index]?.kind === 'text');
    return isText ? matchValue(column, value, collation) : [`${column} IS ${value}`];
  });
}

/** Compares by the collation of the index, so that SQLite uses it, and exactly: a collation may equate other texts. */
export function matchValue(column: string, value: string, collation = 'BINARY'): string[] {
  const exact = `${column} IS ${value} COLLATE BINARY`;
  return collation === 'BINARY' ? [exact] : [`${column} IS ${value} COLLATE ${collationSql(collation)}`, exact];
}

/** Whether an expression still has the value that the user saw, in the same storage class. */
export const isUnchanged = (expression: string, base: string): string =>
  `${expression} IS ${base} COLLATE BINARY AND typeof(${expression}) = typeof(${base})`;

/** Whether each row of the edit has its row in the table. */
export const allMatch = (table: EditableTable, matches: readonly string[]): string =>
  `(SELECT count(*) FROM edit JOIN ${tableSql(table.name)} AS ${target} ON ${allOf(matches)}) = (SELECT count(*) FROM edit)`;

const maxTermsInRow = 30;

/** All terms as one. SQLite limits the depth of an expression, and reads `a AND b AND c` as `(a AND b) AND c`. */
export function allOf(terms: readonly string[]): string {
  if (terms.length <= maxTermsInRow) return terms.join('\n    AND ');
  const middle = Math.ceil(terms.length / 2);
  return `(${allOf(terms.slice(0, middle))})\n    AND (${allOf(terms.slice(middle))})`;
}
