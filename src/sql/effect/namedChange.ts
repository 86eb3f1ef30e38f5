import type { Expr, QualifiedName, Stmt } from 'sqlite3-parser';
import { parseStatement } from '../parser/parser.ts';
import { splitStatements } from '../text/splitter.ts';
import { isAlwaysTrue } from './alwaysTrue.ts';

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

/**
 * The object that a text creates. Undefined if the text is not one CREATE statement and nothing else. A service may be hostile:
 * check its definitions before they run anywhere else.
 */
export function createdObject(text: string): ObjectChange | undefined {
  const [only, ...others] = splitStatements(text);
  if (!only || others.length > 0) return undefined;
  const { ast, fault } = parseStatement(text, only.start, only.end);
  const change = ast && !fault ? namedChangeOf(ast)?.change : undefined;
  return change?.kind === 'create' ? change : undefined;
}

/** Whether rows or an object are certainly lost: the statement drops something or deletes every row of a table. */
export const destroys = (change: NamedChange): boolean =>
  change.kind === 'drop' || change.kind === 'dropColumn' || (change.kind === 'delete' && change.bounds !== 'some');

interface ChangeWithName {
  readonly change: NamedChange;
  /** The changed table or object, as the statement writes it. */
  readonly name: QualifiedName;
}

/** Undefined for a statement that changes no rows, table, view, index or trigger by its name. */
export function namedChangeOf(statement: Stmt): ChangeWithName | undefined {
  switch (statement.type) {
    case 'InsertStmt':
      return { name: statement.tblName, change: { kind: 'insert', table: statement.tblName.objName.text } };
    case 'UpdateStmt':
      return rowsChange('update', statement);
    case 'DeleteStmt':
      return rowsChange('delete', statement);
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
    case 'AlterTableStmt':
      return { name: statement.tblName, change: alterChange(statement) };
    default:
      return undefined;
  }
}

function alterChange({ tblName, body }: Extract<Stmt, { type: 'AlterTableStmt' }>): NamedChange {
  const table = tblName.objName.text;
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

const objectChange = (
  kind: ObjectChange['kind'],
  object: ObjectKind,
  name: QualifiedName,
  isConditional: boolean,
): ChangeWithName => ({ name, change: { kind, object, name: name.objName.text, isConditional } });

interface RowsStatement {
  readonly tblName: QualifiedName;
  readonly whereClause: Expr | undefined;
  readonly limit: unknown;
}

const rowsChange = (kind: 'update' | 'delete', statement: RowsStatement): ChangeWithName => ({
  name: statement.tblName,
  change: { kind, table: statement.tblName.objName.text, bounds: boundsOf(statement) },
});

export function boundsOf({ whereClause, limit }: RowsStatement): RowBounds {
  if (limit !== undefined) return 'some';
  if (!whereClause) return 'none';
  return isAlwaysTrue(whereClause) ? 'alwaysTrue' : 'some';
}
