import type { AstNode, FromClause, QualifiedName, SelectTable } from 'sqlite3-parser';
import type { Visited } from './walk.ts';

/** A table that a statement reads or changes, under the name that its columns go by there. */
export interface ColumnSource {
  readonly alias: string;
  /** Absent for a subquery. */
  readonly table?: string;
}

/** What the columns at a place in a tree may come from, the innermost level first. */
export function columnSources(place: Visited): ColumnSource[][] {
  const levels: ColumnSource[][] = [];
  for (let up: Visited | undefined = place; up; up = up.parent) {
    const level = sourcesOf(up.node);
    if (level.length > 0) levels.push(level);
  }
  return levels;
}

function sourcesOf(node: AstNode): ColumnSource[] {
  switch (node.type) {
    case 'SelectFrom':
      return fromSources(node.from);
    case 'UpdateStmt':
    case 'UpdateTriggerCmd':
      return [targetSource(node.tblName), ...fromSources(node.from)];
    case 'DeleteStmt':
    case 'DeleteTriggerCmd':
      return [targetSource(node.tblName)];
    case 'InsertStmt':
    case 'InsertTriggerCmd':
      return [targetSource(node.tblName), { alias: 'excluded', table: node.tblName.objName.text }];
    default:
      return [];
  }
}

function targetSource({ alias, objName }: QualifiedName): ColumnSource {
  return { alias: (alias ?? objName).text, table: objName.text };
}

function fromSources(from: FromClause | undefined): ColumnSource[] {
  if (!from) return [];
  const tables = [...(from.select ? [from.select] : []), ...(from.joins ?? []).map(({ table }) => table)];
  return tables.flatMap(tableSources);
}

function tableSources(table: SelectTable): ColumnSource[] {
  const alias = table.alias?.name.text;
  switch (table.type) {
    case 'TableSelectTable':
    case 'TableCallSelectTable': {
      const name = table.tblName.objName.text;
      return [{ alias: alias ?? name, table: name }];
    }
    case 'SelectSelectTable':
      return [{ alias: alias ?? '' }];
    case 'SubSelectTable':
      return fromSources(table.from);
  }
}
