import { protocolError } from '../../base/errors.ts';
import { asString } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import type { Project, SqlCallOptions } from '../../client/index.ts';
import { keyOf } from '../../sql/text/names.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';

export type EntryKind = 'table' | 'view' | 'index' | 'trigger';

/** An object of a project's schema, with the statement that creates it. */
export interface SchemaEntry {
  readonly kind: EntryKind;
  readonly name: string;
  /** The table of an index or a trigger; the name itself for a table or a view. */
  readonly table: string;
  readonly sql: string;
}

/** Ten times the statements of five thousand usual tables. */
const maxSchemaLength = 16 * 1024 * 1024;

/** The objects of a project in the order in which they were created. SQLite's own are left out. */
export async function readSchemaEntries(
  project: Pick<Project, 'stream'>,
  options: SqlCallOptions = {},
): Promise<SchemaEntry[]> {
  const sql = `SELECT type, name, tbl_name, sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND ${isOfUser('name')} ORDER BY rowid`;
  const entries: SchemaEntry[] = [];
  let length = 0;
  await using scanner = await project.stream(sql, [], options);
  for await (const row of scanner) {
    const kind = asString(row['type']);
    const name = asString(row['name']);
    const table = asString(row['tbl_name']);
    const statement = asString(row['sql']);
    if (kind === undefined || name === undefined || table === undefined || statement === undefined) {
      throw protocolError('unexpected_answer', 'The answer of the service has no valid schema.');
    }
    length += statement.length;
    if (length > maxSchemaLength) throw misuse('schema_too_large', 'The schema has more than 16 million characters.');
    entries.push({ kind: kind as EntryKind, name, table, sql: statement });
  }
  const fault = scanner.err();
  if (fault) throw fault;
  return entries;
}

export function schemaEntryOf(
  entries: readonly SchemaEntry[],
  name: string,
  kinds: readonly EntryKind[],
): SchemaEntry | undefined {
  const key = keyOf(name);
  return entries.find(entry => kinds.includes(entry.kind) && keyOf(entry.name) === key);
}
