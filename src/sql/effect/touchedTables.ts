import type { AstNode, QualifiedName, Stmt } from 'sqlite3-parser';
import { nodesIn, type Visited, commonTableNamed } from '../parser/walk.ts';
import { keyOf } from '../text/names.ts';

type TableAccess = 'read' | 'write' | 'schema';

export interface TouchedTable {
  readonly name: string;
  /** `main`, `temp` or an attached database, when the statement names one. */
  readonly database?: string;
  readonly access: TableAccess;
}

/**
 * The tables and views that a statement names, with the access to each. Common tables and table-valued functions do not count.
 * Creating a trigger or a view touches none of the tables in its body.
 */
export function touchedTables(statement: Stmt): TouchedTable[] {
  const tables = new Map<string, TouchedTable>();
  for (const visited of nodesIn(statement, hasBody)) {
    const { node } = visited;
    const named = tableNamedBy(node);
    if (named && !(named.access === 'read' && isCommonTable(named.name, visited))) {
      const { access } = named;
      const name = named.name.objName.text;
      const database = named.name.dbName?.text;
      const key = keyOf([access, database ?? '', name].join('\0'));
      if (!tables.has(key)) tables.set(key, { name, ...(database !== undefined && { database }), access });
    }
  }
  return [...tables.values()];
}

const hasBody = ({ type }: AstNode): boolean => type === 'CreateTriggerStmt' || type === 'CreateViewStmt';

interface NamedAccess {
  readonly name: QualifiedName;
  readonly access: TableAccess;
}

function tableNamedBy(node: AstNode): NamedAccess | undefined {
  switch (node.type) {
    case 'TableSelectTable':
      return { name: node.tblName, access: 'read' };
    case 'InTableExpr':
      return node.args ? undefined : { name: node.rhs, access: 'read' };
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      return { name: node.tblName, access: 'write' };
    case 'AnalyzeStmt':
    case 'ReindexStmt':
      return node.objName && { name: node.objName, access: 'write' };
    case 'CreateTableStmt':
    case 'CreateVirtualTableStmt':
    case 'CreateTriggerStmt':
    case 'AlterTableStmt':
    case 'DropTableStmt':
      return { name: node.tblName, access: 'schema' };
    case 'CreateViewStmt':
    case 'DropViewStmt':
      return { name: node.viewName, access: 'schema' };
    case 'CreateIndexStmt':
      // The index and its table are in the same database.
      return { name: { ...node.idxName, objName: node.tblName }, access: 'schema' };
    default:
      return undefined;
  }
}

/** Whether a name stands for a common table. With a database, it never does. */
export function isCommonTable({ dbName, objName }: QualifiedName, visited: Visited): boolean {
  return dbName === undefined && commonTableNamed(objName.text, visited) !== undefined;
}
