import type { Project } from '../../client/index.ts';
import { primaryKeyOf } from '../../model/browsing/browsedTable.ts';
import { referencingColumns } from '../../model/browsing/referencingColumns.ts';
import { countStatement } from '../../model/browsing/tableStatements.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import { countBy } from '../../model/catalog/catalogQueries.ts';
import { isSameName } from '../../sql/text/names.ts';
import { textOf } from '../../wire/values.ts';
import { equalTo, type FilteredTable, maxKeyLength } from './referencedRow.ts';

/** The rows of another table that refer to a row, and their number. */
export interface ReferencingRows {
  readonly rows: FilteredTable;
  readonly count: bigint;
}

export interface ReferencingRequest {
  readonly run: BrowseRun;
  readonly project: Pick<Project, 'query'>;
  readonly catalog: Pick<Catalog, 'columns'>;
  readonly row: number;
}

/** The rows of all tables that refer to a row by a foreign key. */
export async function rowsReferringTo({ run, project, catalog, row }: ReferencingRequest): Promise<ReferencingRows[]> {
  const { name } = run.table;
  const [key] = primaryKeyOf(await catalog.columns(name));
  const found: ReferencingRows[] = [];
  for (const { table, column, target = key } of await referencingColumns(project, name)) {
    const index = run.columns.findIndex(shown => target !== undefined && isSameName(shown.name, target));
    const value = index === -1 ? undefined : await run.queries.cell(row, index, maxKeyLength);
    if (!value || value.kind === 'null' || value.length !== undefined) continue;
    const text = textOf(value);
    const columns = [{ name: column, type: run.columns[index]!.type }];
    const count = await countBy(project, countStatement({ table, columns, arrangement: equalTo(text) }));
    found.push({ rows: { table: { name: table, kind: 'table' }, column, text }, count });
  }
  return found;
}
