import { asString } from '../../base/decode.ts';
import { protocolError } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { SqlValue } from '../../wire/values.ts';

/** A column of a table whose foreign key refers to a table. Keys of several columns are left out. */
export interface ReferencingColumn {
  readonly table: string;
  readonly column: string;
  /** The column that it refers to. Undefined for the primary key. */
  readonly target: string | undefined;
}

const sql = `SELECT owner.name AS owner, fk."from" AS source, fk."to" AS target
FROM sqlite_schema AS owner JOIN pragma_foreign_key_list(owner.name) AS fk
WHERE owner.type = 'table' AND fk."table" = ? COLLATE NOCASE
  AND (SELECT count(*) FROM pragma_foreign_key_list(owner.name) AS part WHERE part.id = fk.id) = 1
ORDER BY owner.name, fk."from"`;

/** The columns of all tables that refer to a table. */
export function referencingColumns(project: Pick<Project, 'query'>, table: string): Promise<ReferencingColumn[]> {
  return project.query(sql, [table], row => ({
    table: textOf(row['owner']),
    column: textOf(row['source']),
    target: asString(row['target']),
  }));
}

function textOf(value: SqlValue | undefined): string {
  const text = asString(value);
  if (text === undefined) throw protocolError('unexpected_answer', 'The answer of the service names no table.');
  return text;
}
