import { asCount, asString } from '../../base/decode.ts';
import { protocolError } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { SqlValue } from '../../wire/values.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';

export interface ReferencingKey {
  readonly table: string;
  /** Its columns in their order. Without a target, a column refers to the one at its place in the primary key. */
  readonly parts: readonly { readonly column: string; readonly target: string | undefined }[];
}

const sql = `SELECT owner.name AS owner, fk.seq AS place, fk."from" AS source, fk."to" AS target
FROM sqlite_schema AS owner JOIN pragma_foreign_key_list(owner.name) AS fk
WHERE owner.type = 'table' AND ${isOfUser('owner.name')} AND fk."table" = ? COLLATE NOCASE
ORDER BY owner.name, fk.id, fk.seq`;

export async function readReferencingKeys(project: Pick<Project, 'query'>, table: string): Promise<ReferencingKey[]> {
  const parts = await project.query(sql, [table], row => ({
    table: nameOf(row['owner']),
    place: asCount(row['place']),
    column: nameOf(row['source']),
    target: asString(row['target']),
  }));
  // Each key begins with its first column.
  const starts = parts.flatMap(({ place }, index) => (place === 0 ? [index] : []));
  return starts.map((start, index) => ({
    table: parts[start]!.table,
    parts: parts.slice(start, starts[index + 1]).map(({ column, target }) => ({ column, target })),
  }));
}

function nameOf(value: SqlValue | undefined): string {
  const text = asString(value);
  if (text === undefined) throw protocolError('unexpected_answer', 'The answer of the service names no table.');
  return text;
}
