import { asCount, asString } from '../../base/decode.ts';
import type { Project } from '../../client/index.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';
import { textIn } from './catalogQueries.ts';

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
    table: textIn(row, 'owner'),
    place: asCount(row['place']),
    column: textIn(row, 'source'),
    target: asString(row['target']),
  }));
  // Each key begins with its first column.
  const starts = parts.flatMap(({ place }, index) => (place === 0 ? [index] : []));
  return starts.map((start, index) => ({
    table: parts[start]!.table,
    parts: parts.slice(start, starts[index + 1]).map(({ column, target }) => ({ column, target })),
  }));
}
