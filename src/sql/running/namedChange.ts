import type { Expr, QualifiedName, Stmt } from 'sqlite3-parser';
import { isAlwaysTrue } from '../effect/alwaysTrue.ts';
import { parseStatement } from '../parser/parser.ts';
import { splitStatements } from '../text/splitter.ts';

export type ObjectKind = 'table' | 'view' | 'index' | 'trigger';

/** The bound of the rows of an UPDATE or DELETE: a condition or a LIMIT, a condition that is always true, or nothing. */
export type RowBounds = 'some' | 'alwaysTrue' | 'none';

/** The change that a statement makes, with the names that people need to recognize it. */
export type NamedChange =
  | { readonly kind: 'delete' | 'update'; readonly table: string; readonly bounds: RowBounds }
  | { readonly kind: 'insert'; readonly table: string }
  | ObjectChange
  | { readonly kind: 'addColumn' | 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly column: string; readonly newName: string }
  | { readonly kind: 'renameTable'; readonly table: string; readonly newName: string }
  | { readonly kind: 'alterTable'; readonly table: string };

export interface ObjectChange {
  readonly kind: 'create' | 'drop';
  readonly object: ObjectKind;
  readonly name: string;
  /** With IF EXISTS or IF NOT EXISTS, the statement may change nothing. */
  readonly isConditional: boolean;
}

/** Undefined for a statement that changes nothing, that names nothing, or that SQLite's grammar does not have. */
export function namedChange(sql: string): NamedChange | undefined {
  const { ast, fault } = parseStatement(sql);
  return ast && !fault ? changeOf(ast) : undefined;
}

/**
 * The object that a text creates. Undefined if the text is not one CREATE statement and nothing else. A service may be hostile:
 * check its definitions before they run anywhere else.
 */
export function createdObject(text: string): ObjectChange | undefined {
  const [only, ...others] = splitStatements(text);
  const change = only && others.length === 0 ? namedChange(text.slice(only.start, only.end)) : undefined;
  return change?.kind === 'create' ? change : undefined;
}

/** Whether a statement certainly returns no rows, whatever the database holds. */
export function givesNoRows(sql: string): boolean {
  const { ast, fault } = parseStatement(sql);
  if (!ast || fault) return false;
  switch (ast.type) {
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      return ast.returning === undefined;
    case 'SelectStmt':
    case 'ExplainStmt':
    case 'PragmaStmt':
      return false;
    default:
      return true;
  }
}

/** Whether rows or an object are certainly lost: the statement drops something or deletes every row of a table. */
export const destroys = (change: NamedChange): boolean =>
  change.kind === 'drop' || change.kind === 'dropColumn' || (change.kind === 'delete' && change.bounds !== 'some');

function changeOf(statement: Stmt): NamedChange | undefined {
  switch (statement.type) {
    case 'InsertStmt':
      return { kind: 'insert', table: nameOf(statement.tblName) };
    case 'UpdateStmt':
      return { kind: 'update', table: nameOf(statement.tblName), bounds: boundsOf(statement) };
    case 'DeleteStmt':
      return { kind: 'delete', table: nameOf(statement.tblName), bounds: boundsOf(statement) };
    case 'CreateTableStmt':
    case 'CreateVirtualTableStmt':
      return objectChange('create', 'table', statement.tblName, statement.ifNotExists);
    case 'CreateViewStmt':
      return objectChange('create', 'view', statement.viewName, statement.ifNotExists);
    case 'CreateIndexStmt':
      return objectChange('create', 'index', statement.idxName, statement.ifNotExists);
    case 'CreateTriggerStmt':
      return objectChange('create', 'trigger', statement.triggerName, statement.ifNotExists);
    case 'DropTableStmt':
      return objectChange('drop', 'table', statement.tblName, statement.ifExists);
    case 'DropViewStmt':
      return objectChange('drop', 'view', statement.viewName, statement.ifExists);
    case 'DropIndexStmt':
      return objectChange('drop', 'index', statement.idxName, statement.ifExists);
    case 'DropTriggerStmt':
      return objectChange('drop', 'trigger', statement.triggerName, statement.ifExists);
    case 'AlterTableStmt': {
      const table = nameOf(statement.tblName);
      const { body } = statement;
      switch (body.type) {
        case 'AddColumnAlterTableBody':
          return { kind: 'addColumn', table, column: body.column.colName.text };
        case 'DropColumnAlterTableBody':
          return { kind: 'dropColumn', table, column: body.column.text };
        case 'RenameColumnAlterTableBody':
          return { kind: 'renameColumn', table, column: body.old.text, newName: body.new.text };
        case 'RenameToAlterTableBody':
          return { kind: 'renameTable', table, newName: body.name.text };
        default:
          return { kind: 'alterTable', table };
      }
    }
    default:
      return undefined;
  }
}

const objectChange = (
  kind: ObjectChange['kind'],
  object: ObjectKind,
  name: QualifiedName,
  isConditional: boolean,
): ObjectChange => ({ kind, object, name: nameOf(name), isConditional });

const nameOf = ({ objName }: QualifiedName): string => objName.text;

function boundsOf({ whereClause, limit }: { whereClause: Expr | undefined; limit: unknown }): RowBounds {
  if (limit !== undefined) return 'some';
  if (!whereClause) return 'none';
  return isAlwaysTrue(whereClause) ? 'alwaysTrue' : 'some';
}
