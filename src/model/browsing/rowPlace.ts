import type { Project } from '../../client/index.ts';
import type { Row } from '../../wire/values.ts';
import { countBy } from '../catalog/catalogQueries.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import { type BrowsedTable, tieBreakersOf } from './browsedTable.ts';
import type { FilterTerm } from './filterTerms.ts';
import { inAnyRange } from './keysetRanges.ts';
import { KeysetStatements } from './keysetStatements.ts';
import { countStatement } from './tableStatements.ts';
import type { TableView } from './tableView.ts';

export interface WantedRow {
  /** Whether a loaded row is the row to find. */
  readonly isRow: (row: Row) => boolean;
  /** Finds it in the table. */
  readonly key: FilterTerm;
  /** The columns of the service's own order. */
  readonly serviceOrder: readonly string[];
}

interface RowPlaceParts {
  readonly project: Pick<Project, 'sql' | 'query'>;
  readonly table: BrowsedTable;
  readonly view: TableView;
  readonly pageSize: number;
  readonly declaredColumns: readonly CatalogColumn[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * The number of a row of the table in the order of a view. A row that is not loaded is found by counting those after it.
 * Undefined if the row is gone, or does not pass the filters.
 */
export async function placeOfRow(
  parts: RowPlaceParts,
  { isRow, key, serviceOrder }: WantedRow,
): Promise<number | undefined> {
  const { project, table, view, pageSize, declaredColumns, signal } = parts;
  for (const { number, rows } of view.pages.loadedPages) {
    const index = rows.findIndex(isRow);
    if (index !== -1) return number * pageSize + index;
  }
  const { columns, arrangement } = view;
  const arranged = { table: table.name, columns, arrangement };
  const tieBreakers = view.statement ? tieBreakersOf(table, declaredColumns) : serviceOrder;
  const statements = KeysetStatements.of({ ...arranged, tieBreakers, declaredColumns });
  if (!statements) return undefined;
  const select = statements.rows(key);
  const { rows } = await project.sql(`${select.sql}\nLIMIT 1`, [...select.params], { signal });
  const orderKey = statements.keyOf(rows[0]);
  if (!orderKey) return undefined;
  const ranges = statements.rangesAfter({ row: 0, key: orderKey, tiedCount: 0 }).filter(range => range !== undefined);
  const countAfter =
    ranges.length === 0 ? 0n : await countBy(project, countStatement(arranged, [inAnyRange(ranges)]), signal);
  return Number((await countBy(project, countStatement(arranged), signal)) - countAfter) - 1;
}
