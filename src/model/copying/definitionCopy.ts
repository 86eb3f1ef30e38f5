import { misuse } from '../../base/errors.ts';
import { createdObject } from '../../sql/effect/namedChange.ts';
import { renamedDefinition } from '../../sql/symbols/rename.ts';
import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { freeName } from '../../sql/text/freeNames.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { sqlLiteral } from '../../sql/text/quoting.ts';
import type { ObjectDefinition } from '../catalog/catalogQueries.ts';
import type { CopiedTable, TableDefinition } from './copiedTable.ts';

interface DefinitionCopyRequest {
  readonly source: CopiedTable;
  readonly definition: TableDefinition;
  readonly name: string;
  readonly takenNames: readonly string[];
  readonly copiesIndexes: boolean;
  readonly copiesTriggers: boolean;
}

export interface DefinitionCopy {
  /** They run before the rows are written: the table comes first. */
  readonly before: readonly string[];
  /** Sets the number after which an AUTOINCREMENT key continues. It runs after the table's own statement. */
  readonly sequence: string | undefined;
  /** They run after the last row, so that no trigger fires for a copied row. */
  readonly after: readonly string[];
}

/** Writes the statements for a table of another project or name. Indexes and triggers get new names where theirs are taken. */
export function definitionCopyOf(request: DefinitionCopyRequest): DefinitionCopy {
  const { source, definition, name, copiesIndexes, copiesTriggers } = request;
  const taken = new Set(request.takenNames.map(keyOf));
  const table = schemaTableOf(source);
  const rename = ({ sql, kind, name: present }: ObjectDefinition, object?: string): string => {
    if (createdObject(sql)?.object !== kind) {
      const message = `The definition of '${present}' is not one statement that creates it, so it is not sent to another project.`;
      throw misuse('definition_not_copied', message);
    }
    if (isSameName(source.name, name) && (object === undefined || object === present)) return sql;
    const renamed = renamedDefinition(sql, table, { table: name, ...(object !== undefined && { object }) });
    if (renamed === undefined) {
      const message = `The definition of '${present}' cannot be read to change its name. Copy the table with its own name, or leave that object out.`;
      throw misuse('definition_not_renamed', message);
    }
    return renamed;
  };
  const objects = (definitions: readonly ObjectDefinition[]): string[] =>
    definitions.map(part => {
      const free = freeName(followName(part.name, source.name, name), taken);
      taken.add(free);
      return rename(part, free);
    });
  return {
    before: [rename(definition.table), ...(copiesIndexes ? objects(definition.indexes) : [])],
    sequence:
      definition.sequence === undefined
        ? undefined
        : `INSERT INTO sqlite_sequence (name, seq) VALUES (${sqlLiteral(name)}, ${sqlLiteral(definition.sequence)})`,
    after: copiesTriggers ? objects(definition.triggers) : [],
  };
}

/** The name of an object. The name of the table in it follows the table. */
function followName(name: string, from: string, to: string): string {
  const at = keyOf(name).indexOf(keyOf(from));
  return at < 0 || isSameName(from, to) ? name : name.slice(0, at) + to + name.slice(at + from.length);
}

const schemaTableOf = ({ name, allColumns }: CopiedTable): SchemaTable => ({
  name,
  kind: 'table',
  columns: allColumns.map(column => ({ name: column.name, type: column.type })),
  hiddenColumns: ['rowid', 'oid', '_rowid_'],
  primaryKey: [],
  foreignKeys: [],
});
