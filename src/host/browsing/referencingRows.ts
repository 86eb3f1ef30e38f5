import type { Project } from '../../client/index.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { countStatement } from '../../model/browsing/tableStatements.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import { countBy } from '../../model/catalog/catalogQueries.ts';
import { type ReferencingKey, readReferencingKeys } from '../../model/catalog/referencingKeys.ts';
import { primaryKeyOf } from '../../model/catalog/primaryKey.ts';
import { isSameName } from '../../sql/text/names.ts';
import type { Column } from '../../wire/values.ts';
import { type ColumnValue, equalTo, type FilteredTable, keyValueText } from './referencedRow.ts';

export interface ReferencingRows {
  readonly rows: FilteredTable;
  readonly count: bigint;
}

export interface Referencing {
  /** One for each foreign key by which rows could refer to the row. */
  readonly references: readonly ReferencingRows[];
  /** Whether any foreign key refers to the table. */
  readonly hasKeys: boolean;
}

/** The rows of all tables that refer to a row. A foreign key with NULL refers to nothing. */
export async function rowsReferringTo(
  run: BrowseRun,
  row: number,
  project: Pick<Project, 'query'>,
  catalog: Pick<Catalog, 'columns'>,
): Promise<Referencing> {
  const primaryKey = primaryKeyOf(await catalog.columns(run.table.name));
  const keys = await readReferencingKeys(project, run.table.name);
  const references: ReferencingRows[] = [];
  for (const key of keys) {
    const match = await matchOf(key, primaryKey, run, row);
    if (!match) continue;
    const { values, columns } = match;
    const count = await countBy(project, countStatement({ table: key.table, columns, arrangement: equalTo(values) }));
    references.push({ rows: { table: { name: key.table, kind: 'table' }, values }, count });
  }
  return { references, hasKeys: keys.length > 0 };
}

/** The values that referencing rows have in the columns of a key. Undefined if no row can refer to the row. */
async function matchOf(
  { parts }: ReferencingKey,
  primaryKey: readonly string[],
  run: BrowseRun,
  row: number,
): Promise<{ readonly values: ColumnValue[]; readonly columns: Column[] } | undefined> {
  const values: ColumnValue[] = [];
  const columns: Column[] = [];
  for (const [index, { column, target = primaryKey[index] }] of parts.entries()) {
    const shown = run.columns.findIndex(({ name }) => target !== undefined && isSameName(name, target));
    const text = shown === -1 ? undefined : await keyValueText(run, row, shown);
    if (text === undefined) return undefined;
    values.push({ column, text });
    // Filter by the type of the referenced column. Its values are those of the foreign key.
    columns.push({ name: column, type: run.columns[shown]!.type });
  }
  return { values, columns };
}
