import { asString, object } from '../../base/decode.ts';
import { misuse, refuseAnswer } from '../../base/errors.ts';
import type { Project, SqlCallOptions } from '../../client/index.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';
import { keyOf } from '../../sql/text/names.ts';

/** An object of a project's schema, with the statement that creates it. */
export interface SchemaEntry {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table of an index or a trigger; the name itself for a table or a view. */
  readonly table: string;
  readonly sql: string;
}

/** Ten times the statements of five thousand usual tables. */
const maxSchemaLength = 16 * 1024 * 1024;

/** The objects of a project in the order in which they were created. Without a condition on `name`, SQLite's own are left out. */
export async function readSchemaEntries(
  project: Pick<Project, 'stream'>,
  options: SqlCallOptions = {},
  condition = isOfUser('name'),
): Promise<SchemaEntry[]> {
  const sql = `SELECT ${entryColumns} FROM sqlite_schema WHERE sql IS NOT NULL AND (${condition}) ORDER BY rowid`;
  const entries: SchemaEntry[] = [];
  let length = 0;
  await using scanner = await project.stream(sql, [], options);
  for await (const row of scanner) {
    const entry = schemaEntryIn(row);
    length += entry.sql.length;
    if (length > maxSchemaLength) throw misuse('schema_too_large', 'The schema has more than 16 million characters.');
    entries.push(entry);
  }
  const fault = scanner.err();
  if (fault) throw fault;
  return entries;
}

/** The columns of `sqlite_schema` that {@link schemaEntryIn} reads. */
export const entryColumns = 'type, name, tbl_name, sql';

const decodeEntry = object({ type: asString, name: asString, tbl_name: asString, sql: asString });

export function schemaEntryIn(row: Readonly<Record<string, unknown>>): SchemaEntry {
  const {
    type,
    name,
    tbl_name: table,
    sql,
  } = decodeEntry(row) ?? refuseAnswer('The answer of the service has no valid schema. Update the service.');
  return { kind: type as ObjectKind, name, table, sql };
}

export function schemaEntryOf(
  entries: readonly SchemaEntry[],
  name: string,
  kinds: readonly ObjectKind[],
): SchemaEntry | undefined {
  const key = keyOf(name);
  return entries.find(entry => kinds.includes(entry.kind) && keyOf(entry.name) === key);
}
