import { l10n } from 'vscode';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import { primaryKeyOf } from '../../model/catalog/primaryKey.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import type { Run } from '../../model/results/run.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import { isSameName } from '../../sql/text/names.ts';
import { textOf } from '../../protocol/shownValues.ts';

export interface ColumnValue {
  readonly column: string;
  readonly text: string;
}

/** The rows that have these values in these columns. */
export interface FilteredTable {
  readonly table: BrowsedTable;
  readonly values: readonly ColumnValue[];
}

/** Each value filters the column with its index. */
export const equalTo = (values: readonly ColumnValue[]): Arrangement => ({
  sort: [],
  filters: values.map(({ text }, column) => ({ kind: 'equals', column, text })),
});

const maxKeyLength = 10_000;

/** The text of a value that is part of a key. Undefined for NULL, which refers to nothing. */
export async function keyValueText(
  run: Pick<Run, 'queries'>,
  row: number,
  column: number,
): Promise<string | undefined> {
  const value = await run.queries.cell(row, column, maxKeyLength);
  if (value.length !== undefined) {
    throw new Error(
      l10n.t('This key has a value of more than {0} characters. Look for its rows with a statement.', maxKeyLength),
    );
  }
  return value.kind === 'null' ? undefined : textOf(value);
}

/** The row that the foreign key in a cell refers to. Undefined for a cell without one, and for NULL. */
export async function referencedRow(
  run: Pick<Run, 'keyOf' | 'queries'>,
  catalog: Pick<Catalog, 'columns' | 'tables'>,
  row: number,
  column: number,
): Promise<FilteredTable | undefined> {
  const references = run.keyOf?.(column)?.references;
  if (!references || (await keyValueText(run, row, column)) === undefined) return undefined;
  // SQLite stores the names of a REFERENCES clause as they were written there.
  const name = namedLike(references.table, await catalog.tables());
  const columns = await catalog.columns(name);
  const parts = references.parts ?? [{ column, target: references.column }];
  const primaryKey = primaryKeyOf(columns);
  const values: ColumnValue[] = [];
  for (const [index, part] of parts.entries()) {
    const target = part.target ?? primaryKey[index];
    if (target === undefined) return undefined;
    const text = await keyValueText(run, row, part.column);
    if (text === undefined) {
      throw new Error(
        l10n.t(
          "This row refers to no row of '{0}': its foreign key has several columns, and one of them is NULL.",
          name,
        ),
      );
    }
    const names = columns.map(declared => declared.name);
    values.push({ column: namedLike(target, names), text });
  }
  return { table: { name, kind: 'table' }, values };
}

const namedLike = (name: string, names: readonly string[]): string =>
  names.find(other => isSameName(other, name)) ?? name;
