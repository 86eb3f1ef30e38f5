import { asString } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import { isSameName } from '../../sql/text/names.ts';
import {
  type CatalogColumn,
  catalogColumnsOf,
  type ObjectDefinition,
  definitionsOf,
  readSequences,
  rowCountOf,
} from '../catalog/catalogQueries.ts';
import { type EditableTable, type CollatedKeyColumn, readEditableTable } from '../catalog/editableTable.ts';

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /** All columns, for statements that name them. */
  readonly allColumns: readonly CatalogColumn[];
  /** Identifies the rows, and has an index in their order. Empty if the table has no such key. */
  readonly key: readonly CollatedKeyColumn[];
  readonly references: readonly string[];
  readonly rowCount: number;
}

/** A longer key would nest too deep in the statement of a page. */
const maxKeyColumns = 64;

/** Reads what a copy depends on. Throws if the table is gone or is a view. */
export async function readCopiedTable(project: Project, name: string, signal?: AbortSignal): Promise<CopiedTable> {
  const editable = await readEditableTable(project, name, signal);
  if (editable === 'unknownSchema' || editable === 'view') {
    throw misuse('table_not_copied', `There is no table '${name}' that can be copied.`);
  }
  const allColumns = await catalogColumnsOf(project, name);
  return {
    name,
    columns: allColumns.filter(({ generated }) => generated !== true),
    allColumns,
    key:
      typeof editable === 'string' || editable.identity.columns.length > maxKeyColumns ? [] : editable.identity.columns,
    references: typeof editable === 'string' ? [] : otherTables(editable),
    rowCount: Number(await rowCountOf(project, name, signal)),
  };
}

const otherTables = ({ name, foreignKeys }: EditableTable): string[] => [
  ...new Set(foreignKeys.map(({ table }) => table).filter(table => !isSameName(table, name))),
];

/** The statements that create a table, and how far an AUTOINCREMENT key has come. */
export interface TableDefinition {
  readonly table: ObjectDefinition;
  readonly indexes: readonly ObjectDefinition[];
  readonly triggers: readonly ObjectDefinition[];
  /** The largest number that an AUTOINCREMENT key ever had. Undefined for a table without AUTOINCREMENT. */
  readonly sequence: bigint | undefined;
}

export async function readDefinition(project: Project, name: string): Promise<TableDefinition> {
  const definitions = await definitionsOf(project, 'table', name);
  const table = definitions.find(({ kind }) => kind === 'table');
  if (!table) throw misuse('table_not_copied', `The service does not say how the table '${name}' was created.`);
  return {
    table,
    indexes: definitions.filter(({ kind }) => kind === 'index'),
    triggers: definitions.filter(({ kind }) => kind === 'trigger'),
    sequence: (await readSequences(project)).find(({ table: other }) => isSameName(other, name))?.number,
  };
}

/** The names that a new table, index or trigger cannot have. */
export const objectNames = async (project: Project): Promise<string[]> =>
  project.query('SELECT name FROM sqlite_schema', [], row => asString(row['name']) ?? '');
