import { catalogColumnsOf } from '../model/catalog/catalogQueries.ts';
import {
  type EditableTable,
  type TableForeignKey,
  type CollatedKeyColumn,
  readEditableTable,
} from '../model/catalog/editableTable.ts';
import { primaryKeyOf } from '../model/catalog/primaryKey.ts';
import { moduleOf, virtualTableArguments } from '../sql/shadow/virtualTables.ts';
import { isSameName } from '../sql/text/names.ts';
import { unquoted } from '../sql/text/quoting.ts';
import type { SchemaEntry } from '../model/catalog/schemaEntries.ts';
import type { Queried } from './movedSchema.ts';

export interface MovedTable extends SchemaEntry {
  /** The columns that are written: not those that SQLite computes. The row id is the first, unless a column is its alias. */
  readonly columns: readonly string[];
  /** Whether the first column is the row id under a name such as `rowid`. */
  readonly startsWithRowId: boolean;
  /** Rows are read in this order. Empty if the table has neither a key nor a name for its row id. */
  readonly key: readonly CollatedKeyColumn[];
  readonly foreignKeys: readonly TableForeignKey[];
  /** Whether `key` is the row id, under any name. */
  readonly isByRowId: boolean;
  /** Whether the table is an FTS5 index of another table's rows. The index is rebuilt from them. */
  readonly isIndexOfOther: boolean;
  /** Why the table cannot be moved. */
  readonly refusal: string | undefined;
}

export async function readMovedTable(source: Queried, object: SchemaEntry): Promise<MovedTable> {
  const { name } = object;
  const editable = await readEditableTable(source, name);
  const columns = (await catalogColumnsOf(source, name))
    .filter(({ generated }) => generated !== true)
    .map(column => column.name);
  const plain = {
    ...object,
    columns,
    startsWithRowId: false,
    key: [],
    foreignKeys: [],
    isByRowId: false,
    isIndexOfOther: false,
  };
  if (editable === 'virtualTable') return virtualTable({ ...plain, refusal: undefined });
  // The table has no key, and its columns have all names of the row id.
  if (editable === 'noIdentity') return { ...plain, refusal: undefined };
  if (typeof editable === 'string')
    return {
      ...plain,
      refusal: 'its columns cannot be read, perhaps because it was just dropped or renamed; try again',
    };
  const { rowIdColumn, rowId, identity } = editable;
  const foreignKeys = editable.foreignKeys.map(key => (refersToItself(key, name) ? withTargets(key, editable) : key));
  const table = { ...plain, foreignKeys, refusal: undefined };
  if (rowIdColumn !== undefined) return { ...table, key: [rowIdKey(rowIdColumn)], isByRowId: true };
  if (rowId !== undefined) return withRowId(table, rowId);
  return { ...table, key: identity.columns };
}

const rowIdKey = (name: string): CollatedKeyColumn => ({ name, collation: 'BINARY' });

const withRowId = (table: MovedTable, rowId: string): MovedTable => ({
  ...table,
  columns: [rowId, ...table.columns],
  startsWithRowId: true,
  key: [rowIdKey(rowId)],
  isByRowId: true,
});

const refersToItself = ({ table }: TableForeignKey, name: string): boolean => isSameName(table, name);

/** A foreign key without targets refers to the primary key. */
const withTargets = (key: TableForeignKey, table: EditableTable): TableForeignKey =>
  key.targets.length > 0 ? key : { ...key, targets: primaryKeyOf(table.columns) };

function virtualTable(table: MovedTable): MovedTable {
  const module = moduleOf(table.sql).toLowerCase();
  if (module !== 'fts5') return { ...table, refusal: `a virtual table of the module ${module}` };
  // The option `content` names another table with the rows, or none. FTS5 also accepts `c`, `con` and so on.
  const options = virtualTableArguments(table.sql)?.options.entries() ?? [];
  const content = [...options].find(([option]) => 'content'.startsWith(option))?.[1];
  if (content === undefined) return withRowId(table, 'rowid');
  if (/^[),]?$/.test(unquoted(content))) return { ...table, refusal: "an FTS5 table without its texts (content='')" };
  return { ...table, columns: [], isIndexOfOther: true };
}
