import { arrayOf, asCount, asString, map, nullable, object, parseJson } from '../../base/decode.ts';
import { misuse, refuseAnswer } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { DiagramKey, DiagramTable } from '../../protocol/diagram.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';
import { keyOf } from '../../sql/text/names.ts';
import { primaryKeyOf } from './primaryKey.ts';

/** One more than a diagram can show in any useful way. */
const maxTables = 3000;
/** Enough for so many tables of a hundred columns. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** A row for each table. The lists of a table are JSON, so that one statement reads all at one moment. */
const sql = `SELECT owner.name AS name,
  (SELECT wr FROM pragma_table_list(owner.name) WHERE schema = 'main') AS without_row_id,
  (SELECT json_group_array(json_object('name', name, 'type', type, 'notNull', "notnull", 'primaryKey', pk))
    FROM pragma_table_xinfo(owner.name) WHERE hidden <> 1) AS columns,
  (SELECT json_group_array(json_object('id', id, 'seq', seq, 'table', "table", 'from', "from", 'to', "to"))
    FROM pragma_foreign_key_list(owner.name)) AS keys,
  (SELECT json_group_array(json((SELECT json_group_array(name) FROM pragma_index_info(list.name))))
    FROM pragma_index_list(owner.name) AS list WHERE list."unique" AND NOT list.partial) AS unique_keys
FROM sqlite_schema AS owner WHERE owner.type = 'table' AND ${isOfUser('owner.name')}
ORDER BY owner.name LIMIT ${maxTables + 1}`;

const decodeColumns = arrayOf(object({ name: asString, type: asString, notNull: asCount, primaryKey: asCount }));
const decodeKeyParts = arrayOf(
  object({ id: asCount, seq: asCount, table: asString, from: asString, to: nullable(asString) }),
);
/** An expression has no name. */
const decodeUniqueKeys = arrayOf(arrayOf(nullable(asString)));
const jsonOf = map(asString, parseJson);

const decodeRow = object({
  name: asString,
  without_row_id: nullable(asCount),
  columns: map(jsonOf, decodeColumns),
  keys: map(jsonOf, decodeKeyParts),
  unique_keys: map(jsonOf, decodeUniqueKeys),
});
type TableRow = NonNullable<ReturnType<typeof decodeRow>>;

/** All tables with their columns and foreign keys. */
export async function readRelations(project: Pick<Project, 'query'>): Promise<readonly DiagramTable[]> {
  const rows = await project.query(sql, [], {
    isReadOnly: true,
    maxAnswerBytes,
    decode: row => decodeRow(row) ?? refuseAnswer('The answer of the service describes no table.'),
  });
  if (rows.length > maxTables) {
    throw misuse('too_many_tables', `The project has more than ${maxTables} tables, too many for a diagram.`);
  }
  const byName = new Map(rows.map(row => [keyOf(row.name), row]));
  return rows.map(row => ({
    name: row.name,
    columns: row.columns.map(({ name, type, primaryKey }) => ({
      name,
      type,
      isPrimary: primaryKey > 0,
      isNotNull: isNeverNull(row, name),
    })),
    keys: foreignKeysOf(row, byName),
  }));
}

function foreignKeysOf(row: TableRow, byName: ReadonlyMap<string, TableRow>): DiagramKey[] {
  const parts = row.keys.toSorted((one, other) => one.id - other.id || one.seq - other.seq);
  return [...Map.groupBy(parts, ({ id }) => id).values()].map(ofKey => {
    const { table } = ofKey[0]!;
    const columns = ofKey.map(({ from }) => from);
    const parent = byName.get(keyOf(table));
    const named = ofKey.flatMap(({ to }) => to ?? []);
    // A key without target columns refers to the primary key.
    const targets = named.length > 0 ? named : primaryKeyOf(parent?.columns ?? []);
    return {
      columns,
      table: parent?.name ?? table,
      targets: targets.map(target => parent?.columns.find(({ name }) => keyOf(name) === keyOf(target))?.name ?? target),
      isRequired: columns.every(column => isNeverNull(row, column)),
      isUnique: isUniqueIn(row, columns),
    };
  });
}

function isNeverNull({ columns, without_row_id: withoutRowId }: TableRow, name: string): boolean {
  const column = columns.find(other => keyOf(other.name) === keyOf(name));
  if (!column) return false;
  if (column.notNull > 0) return true;
  if (column.primaryKey === 0) return false;
  // SQLite allows NULL in the primary key, unless it is the row id.
  const isRowId = primaryKeyOf(columns).length === 1 && keyOf(column.type) === 'integer';
  return withoutRowId === 1 || isRowId;
}

/** Whether the table has a unique key of some of these columns. */
function isUniqueIn({ columns, unique_keys: uniqueKeys }: TableRow, names: readonly string[]): boolean {
  const wanted = new Set(names.map(keyOf));
  const primaryKey = primaryKeyOf(columns);
  const keys = primaryKey.length > 0 ? [...uniqueKeys, primaryKey] : uniqueKeys;
  return keys.some(key => key.every(part => part !== null && wanted.has(keyOf(part))));
}
