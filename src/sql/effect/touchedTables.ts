import type { AstNode, QualifiedName, Stmt, With } from 'sqlite3-parser';
import { walk, type Visited } from '../parser/walk.ts';

export type TableAccess = 'read' | 'write' | 'schema';

export interface TouchedTable {
  readonly name: string;
  /** `main`, `temp` or an attached database, when the statement says which. */
  readonly database?: string;
  readonly access: TableAccess;
}

/**
 * The tables and views that a statement names, with what it does to them. A name that WITH gives is none, nor is a
 * table-valued function; what a trigger or a view will touch when it is used is not touched by creating it.
 */
export function touchedTables(statement: Stmt): TouchedTable[] {
  const found = new Map<string, TouchedTable>();
  walk(statement, visited => {
    const { node } = visited;
    const [name, access] = namedBy(node);
    if (name && !(access === 'read' && isGivenByWith(name, visited))) {
      const database = name.dbName?.text;
      const table = { name: name.objName.text, ...(database === undefined ? {} : { database }), access };
      const key = [access, database ?? '', table.name].join('\0').toLowerCase();
      if (!found.has(key)) found.set(key, table);
    }
    return node.type !== 'CreateTriggerStmt' && node.type !== 'CreateViewStmt';
  });
  return [...found.values()];
}

function namedBy(node: AstNode): [name: QualifiedName | undefined, access: TableAccess] {
  switch (node.type) {
    case 'TableSelectTable':
      return [node.tblName, 'read'];
    case 'InTableExpr':
      return [node.args ? undefined : node.rhs, 'read'];
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      return [node.tblName, 'write'];
    case 'AnalyzeStmt':
    case 'ReindexStmt':
      return [node.objName, 'write'];
    case 'CreateTableStmt':
    case 'CreateVirtualTableStmt':
    case 'CreateTriggerStmt':
    case 'AlterTableStmt':
    case 'DropTableStmt':
      return [node.tblName, 'schema'];
    case 'CreateViewStmt':
    case 'DropViewStmt':
      return [node.viewName, 'schema'];
    case 'CreateIndexStmt':
      return [{ ...node.idxName, objName: node.tblName }, 'schema'];
    default:
      return [undefined, 'read'];
  }
}

/** SQLite lets a name of WITH be used anywhere in the statement that WITH belongs to, in its other names as well. */
function isGivenByWith({ dbName, objName }: QualifiedName, visited: Visited): boolean {
  if (dbName) return false;
  const name = objName.text.toLowerCase();
  for (let up: Visited | undefined = visited; up; up = up.parent) {
    if (withOf(up.node)?.ctes.some(({ tblName }) => tblName.text.toLowerCase() === name)) return true;
  }
  return false;
}

function withOf(node: AstNode): With | undefined {
  const { type } = node;
  const owns = type === 'Select' || type === 'InsertStmt' || type === 'UpdateStmt' || type === 'DeleteStmt';
  return owns ? node.with : undefined;
}
