import type { Expr, Stmt } from 'sqlite3-parser';
import { isSameName } from '../text/names.ts';
import { isAlwaysTrue } from './alwaysTrue.ts';

/** A reason to ask the user before a statement runs. */
export type Danger =
  'updatesEveryRow' | 'deletesEveryRow' | 'drops' | 'dropsColumn' | 'opensFile' | 'writesFile' | 'writesSchemaTable';

export function dangersOf(statement: Stmt): Danger[] {
  switch (statement.type) {
    case 'InsertStmt':
      return schemaTableDangers(statement.tblName.objName.text);
    case 'UpdateStmt': {
      const everyRow: Danger[] = isBounded(statement) ? [] : ['updatesEveryRow'];
      return [...everyRow, ...schemaTableDangers(statement.tblName.objName.text)];
    }
    case 'DeleteStmt': {
      const everyRow: Danger[] = isBounded(statement) ? [] : ['deletesEveryRow'];
      return [...everyRow, ...schemaTableDangers(statement.tblName.objName.text)];
    }
    case 'DropTableStmt':
    case 'DropViewStmt':
    case 'DropIndexStmt':
    case 'DropTriggerStmt':
      return ['drops'];
    case 'AlterTableStmt':
      return statement.body.type === 'DropColumnAlterTableBody' ? ['dropsColumn'] : [];
    case 'AttachStmt':
      return ['opensFile'];
    case 'VacuumStmt':
      return statement.into ? ['writesFile'] : [];
    case 'PragmaStmt': {
      const isUnlock = statement.body && isSameName(statement.name.objName.text, 'writable_schema');
      return isUnlock ? ['writesSchemaTable'] : [];
    }
    default:
      return [];
  }
}

const schemaTableDangers = (table: string): Danger[] =>
  /^sqlite_(?:temp_)?(?:schema|master)$/i.test(table) ? ['writesSchemaTable'] : [];

function isBounded({ whereClause, limit }: { whereClause: Expr | undefined; limit: unknown }): boolean {
  return limit !== undefined || (whereClause !== undefined && !isAlwaysTrue(whereClause));
}
