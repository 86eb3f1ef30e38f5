import { type BrowsedTable, primaryKeyOf } from '../../model/browsing/browsedTable.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import type { Run } from '../../model/results/run.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import { textOf } from '../../wire/values.ts';

/** The rows of a table with a value in a column. */
export interface FilteredTable {
  readonly table: BrowsedTable;
  readonly column: string;
  readonly text: string;
}

/** The rows whose first column has a value. */
export const equalTo = (text: string): Arrangement => ({ sort: [], filters: [{ kind: 'equals', column: 0, text }] });

/** No key is longer. */
export const maxKeyLength = 10_000;

/** The row that the foreign key in a cell refers to. Undefined for a cell without one, and for NULL. */
export async function referencedRow(
  run: Pick<Run, 'keyOf' | 'queries'>,
  catalog: Pick<Catalog, 'columns'>,
  row: number,
  column: number,
): Promise<FilteredTable | undefined> {
  const references = run.keyOf?.(column)?.references;
  if (!references) return undefined;
  const value = await run.queries.cell(row, column, maxKeyLength);
  if (value.kind === 'null' || value.length !== undefined) return undefined;
  const { table: name } = references;
  const target = references.column ?? primaryKeyOf(await catalog.columns(name))[0];
  return target === undefined ? undefined : { table: { name, kind: 'table' }, column: target, text: textOf(value) };
}
