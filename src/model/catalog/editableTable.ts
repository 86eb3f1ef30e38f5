import {
  arrayOf,
  asCount,
  asString,
  type Infer,
  isTrue,
  nullable,
  object,
  parseJson,
  variant,
} from '../../base/decode.ts';
import { refuseAnswer } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import { type Affinity, affinityOf } from '../../sql/lints/affinity.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { coarseTokens } from '../../sql/text/tokens.ts';
import { primaryKeyOf } from './primaryKey.ts';

export interface EditableColumn {
  readonly name: string;
  readonly type: string;
  /** How the table converts values that are written to the column. */
  readonly affinity: Affinity;
  readonly notNull: boolean;
  readonly defaultValue: string | null;
  /** Position in the primary key, from 1; 0 for other columns. */
  readonly primaryKey: number;
  readonly isGenerated: boolean;
}

/** A column of a key, and the collation of its index, by which SQLite looks it up. */
export interface CollatedKeyColumn {
  readonly name: string;
  readonly collation: string;
}

/** The columns that distinguish the rows of a table. A row id is a column of its own. */
interface Identity {
  readonly kind: 'key' | 'rowId';
  readonly columns: readonly CollatedKeyColumn[];
}

export interface TableForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Empty for the primary key of the other table. */
  readonly targets: readonly string[];
}

/** The parts of a table's schema that editing depends on. */
export interface EditableTable {
  readonly name: string;
  readonly columns: readonly EditableColumn[];
  readonly identity: Identity;
  /** The keys that no two rows may share, the primary key included. */
  readonly uniqueKeys: readonly (readonly CollatedKeyColumn[])[];
  readonly foreignKeys: readonly TableForeignKey[];
  /** The INTEGER PRIMARY KEY, which SQLite numbers by itself. */
  readonly rowIdColumn: string | undefined;
  /** The name by which SQL finds the row id, if no column has taken all of its names. */
  readonly rowId: string | undefined;
  readonly isStrict: boolean;
  /** Triggers may leave rows as they are, or give them other values. */
  readonly hasTriggers: boolean;
  /** Constraints with ON CONFLICT may leave rows out or replace others, unless a statement says otherwise. */
  readonly hasConflictClauses: boolean;
}

/** A table in a statement. The `main.` keeps SQLite from taking it for a CTE of the same name. */
export const tableSql = (name: string): string => `main.${quoteIdentifierIfNeeded(name)}`;

export type ReadOnlyReason = 'view' | 'virtualTable' | 'noIdentity' | 'unknownSchema';

/** The table, in each part of the statement. A confined connection takes a CTE for a view. */
const namedTable = '(SELECT ? AS name) AS named';

/** Each part of the schema is a row, so that one statement reads all of them at one moment. */
const schemaSql = `SELECT 'table' AS part, json_object('type', list.type, 'withoutRowId', list.wr, 'strict', list.strict,
  'sql', (SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = list.name),
  'triggers', (SELECT count(*) FROM main.sqlite_schema
    WHERE type = 'trigger' AND tbl_name = list.name COLLATE NOCASE)) AS data
FROM ${namedTable} JOIN pragma_table_list AS list ON list.schema = 'main' AND list.name = named.name COLLATE NOCASE
UNION ALL
SELECT 'column', json_object('name', info.name, 'type', info.type, 'notNull', info."notnull", 'default', info.dflt_value,
  'primaryKey', info.pk, 'hidden', info.hidden)
FROM ${namedTable} JOIN pragma_table_xinfo(named.name) AS info WHERE info.hidden <> 1
UNION ALL
SELECT 'key', json_object('isPrimary', list.origin = 'pk', 'columns', (
  SELECT json_group_array(json_object('name', part.name, 'collation', part.coll))
  FROM pragma_index_xinfo(list.name) AS part WHERE part.key))
FROM ${namedTable} JOIN pragma_index_list(named.name) AS list WHERE list."unique" AND NOT list.partial
UNION ALL
SELECT 'reference', json_object('id', fk.id, 'from', fk."from", 'table', fk."table", 'to', fk."to")
FROM ${namedTable} JOIN pragma_foreign_key_list(named.name) AS fk`;

const isOne = (value: unknown): boolean => isTrue(value) || value === 1;

const decodePart = variant('part', {
  table: object({ type: asString, withoutRowId: isOne, strict: isOne, sql: nullable(asString), triggers: asCount }),
  column: object({
    name: asString,
    type: asString,
    notNull: isOne,
    default: nullable(asString),
    primaryKey: asCount,
    hidden: asCount,
  }),
  key: object({
    isPrimary: isOne,
    /** An expression has no name. */
    columns: arrayOf(object({ name: nullable(asString), collation: nullable(asString) })),
  }),
  reference: object({ id: asCount, from: asString, table: asString, to: nullable(asString) }),
});

export async function readEditableTable(
  project: Pick<Project, 'query'>,
  name: string,
  signal?: AbortSignal,
): Promise<EditableTable | ReadOnlyReason> {
  const parts = await project.query(schemaSql, Array<string>(4).fill(name), {
    decode: ({ part, data }) => {
      const fields = parseJson(asString(data) ?? '');
      return (
        decodePart({ ...(fields as object), part }) ?? refuseAnswer('The answer of the service describes no table.')
      );
    },
    signal,
  });
  const table = parts.find(part => part.part === 'table');
  if (!table) return 'unknownSchema';
  if (table.type === 'view') return 'view';
  if (table.type !== 'table') return 'virtualTable';
  const columns = parts
    .filter(part => part.part === 'column')
    .map((column): EditableColumn => ({
      name: column.name,
      type: column.type,
      affinity: affinityOf(column.type),
      notNull: column.notNull || (table.withoutRowId && column.primaryKey > 0),
      defaultValue: column.default,
      primaryKey: column.primaryKey,
      isGenerated: column.hidden > 1,
    }));
  const primaryKey = primaryKeyOf(columns);
  const indexes = parts.filter(part => part.part === 'key');
  const hasRowId = !table.withoutRowId;
  // A primary key with an index of its own is not the row id, which has none.
  const mayBeRowId = hasRowId && primaryKey.length === 1 && !indexes.some(index => index.isPrimary);
  // The name of a column that is another name of the row id: https://sqlite.org/lang_createtable.html#rowid
  const isInteger = columns.some(({ name: column, type }) => column === primaryKey[0] && isSameName(type, 'INTEGER'));
  const rowIdColumn = mayBeRowId && isInteger ? primaryKey[0] : undefined;
  const rowIdKeys = rowIdColumn === undefined ? [] : [binaryKey([rowIdColumn])];
  const indexedKeys = indexes
    .toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
    .map(index => namedKey(index.columns))
    .filter(key => key !== undefined);
  const uniqueKeys = [...rowIdKeys, ...indexedKeys];
  const rowId = hasRowId ? rowIdName(columns) : undefined;
  const facts = {
    name,
    columns,
    uniqueKeys,
    foreignKeys: foreignKeysOf(parts.filter(part => part.part === 'reference')),
    rowIdColumn,
    rowId,
    isStrict: table.strict,
    hasTriggers: table.triggers > 0,
    hasConflictClauses: hasConflictClause(table.sql ?? ''),
  };
  const identity = identityOf(facts);
  return identity ? { ...facts, identity } : 'noIdentity';
}

/** The columns by which the service orders the rows of a page. */
export const serviceOrderOf = (table: EditableTable): string[] =>
  table.rowId === undefined ? primaryKeyOf(table.columns) : [table.rowId];

/** A key whose columns compare values as they are. */
export const binaryKey = (names: readonly string[]): CollatedKeyColumn[] =>
  names.map(name => ({ name, collation: 'BINARY' }));

function namedKey(
  parts: readonly { readonly name: string | null; readonly collation: string | null }[],
): readonly CollatedKeyColumn[] | undefined {
  const named = parts.flatMap(({ name, collation }) =>
    name === null ? [] : [{ name, collation: collation ?? 'BINARY' }],
  );
  return named.length > 0 && named.length === parts.length ? named : undefined;
}

function hasConflictClause(createTable: string): boolean {
  const words = [...coarseTokens(createTable)]
    .filter(({ kind }) => kind === 'word')
    .map(({ start, end }) => createTable.slice(start, end).toUpperCase());
  return words.some((word, index) => word === 'ON' && words[index + 1] === 'CONFLICT');
}

/** The name by which SQL finds the row id. Undefined if columns have taken all of its names. */
export function rowIdName(columns: readonly Pick<EditableColumn, 'name'>[]): string | undefined {
  const taken = new Set(columns.map(({ name }) => keyOf(name)));
  return ['rowid', '_rowid_', 'oid'].find(name => !taken.has(name));
}

/** A key that allows NULL does not distinguish rows: SQLite lets many rows have the same NULL. */
function identityOf({
  columns,
  uniqueKeys,
  rowIdColumn,
  rowId,
}: Omit<EditableTable, 'identity'>): Identity | undefined {
  const isNeverNull = ({ name }: CollatedKeyColumn): boolean => {
    const column = columns.find(other => keyOf(other.name) === keyOf(name));
    return column !== undefined && (column.notNull || column.name === rowIdColumn);
  };
  const key = uniqueKeys.find(candidate => candidate.every(isNeverNull));
  if (key) return { kind: 'key', columns: key };
  return rowId === undefined ? undefined : { kind: 'rowId', columns: binaryKey([rowId]) };
}

function foreignKeysOf(parts: readonly Extract<Infer<typeof decodePart>, { part: 'reference' }>[]): TableForeignKey[] {
  const byId = Map.groupBy(parts, ({ id }) => id);
  return [...byId.values()].map(ofKey => ({
    columns: ofKey.map(({ from }) => from),
    table: ofKey[0]!.table,
    targets: ofKey.flatMap(({ to }) => to ?? []),
  }));
}
