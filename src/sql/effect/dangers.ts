import type { Stmt } from 'sqlite3-parser';
import { isSameName } from '../text/names.ts';
import type { NamedChange } from './namedChange.ts';

/** A reason to ask the user before a statement runs. */
export type Danger =
  'updatesEveryRow' | 'deletesEveryRow' | 'drops' | 'dropsColumn' | 'opensFile' | 'writesFile' | 'writesSchemaTable';

/** The dangers of a statement that makes a change. */
export function dangersOf(statement: Stmt, change: NamedChange | undefined): Danger[] {
  switch (change?.kind) {
    case 'insert':
      return schemaTableDangers(change.table);
    case 'update':
    case 'delete': {
      const schemaDangers = schemaTableDangers(change.table);
      if (change.bounds === 'some') return schemaDangers;
      return [change.kind === 'update' ? 'updatesEveryRow' : 'deletesEveryRow', ...schemaDangers];
    }
    case 'drop':
      return ['drops'];
    case 'dropColumn':
      return ['dropsColumn'];
    default:
      return connectionDangers(statement);
  }
}

function connectionDangers(statement: Stmt): Danger[] {
  switch (statement.type) {
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
