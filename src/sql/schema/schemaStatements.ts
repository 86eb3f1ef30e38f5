import type {
  AlterTableStmt,
  ColumnDefinition,
  ColumnsAndConstraintsCreateTableBody,
  CreateTableStmt,
  Expr,
  ForeignKeyClause,
  IndexedColumn,
  Stmt,
} from 'sqlite3-parser';
import { untypedColumn } from '../tables/lazyColumns.ts';
import type { ColumnRule, ForeignKey, SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { unquoted, sqlLiteral } from '../text/quoting.ts';
import { QueriedTable } from './queriedTable.ts';
import type { Schema, SchemaObjects } from './schema.ts';
import { columnReferenceOf } from '../scope/columnReference.ts';

/** Changes the objects of a schema as the statement does. Only DDL changes them. */
export function applyStatement(statement: Stmt, objects: SchemaObjects, schema: Schema): void {
  const { tables, indexes, triggers } = objects;
  switch (statement.type) {
    case 'CreateTableStmt':
      return add(tables, createdTable(statement, schema));
    case 'CreateVirtualTableStmt': {
      const { tblName, moduleName, args = [] } = statement;
      return add(tables, virtualTable(tblName.objName.text, moduleName.text, args));
    }
    case 'CreateViewStmt': {
      const { viewName, select } = statement;
      const columns = statement.columns?.map(({ colName }) => untypedColumn(colName.text));
      return add(tables, new QueriedTable(viewName.objName.text, 'view', { select, schema, columns }));
    }
    case 'CreateIndexStmt':
      return add(indexes, { name: statement.idxName.objName.text, table: statement.tblName.text });
    case 'CreateTriggerStmt':
      return add(triggers, { name: statement.triggerName.objName.text, table: statement.tblName.objName.text });
    case 'AlterTableStmt':
      return alterTable(statement, objects);
    case 'DropTableStmt':
      return removeTable(objects, statement.tblName.objName.text);
    case 'DropViewStmt':
      return removeTable(objects, statement.viewName.objName.text);
    case 'DropIndexStmt':
      return remove(indexes, statement.idxName.objName.text);
    case 'DropTriggerStmt':
      return remove(triggers, statement.triggerName.objName.text);
    default:
  }
}

/** Ignores a taken name, with and without IF NOT EXISTS, and the empty name that the parser's repair inserts. */
function add<T extends { readonly name: string }>(objects: Map<string, T>, object: T): void {
  const key = keyOf(object.name);
  if (key !== '' && !objects.has(key)) objects.set(key, object);
}

function remove(objects: Map<string, unknown>, name: string): void {
  objects.delete(keyOf(name));
}

function removeTable({ tables, indexes, triggers }: SchemaObjects, name: string): void {
  remove(tables, name);
  for (const owned of [indexes, triggers]) {
    for (const [key, { table }] of owned) if (isSameName(table, name)) owned.delete(key);
  }
}

/** The parser's flag for WITHOUT ROWID. The package does not export its value. */
const withoutRowidFlag = 128;

function createdTable({ tblName, body }: CreateTableStmt, schema: Schema): SchemaTable {
  const name = tblName.objName.text;
  return body.type === 'AsSelectCreateTableBody'
    ? new QueriedTable(name, 'table', { select: body.select, schema })
    : declaredTable(name, body);
}

/** The table that a list of columns and constraints declares. */
export function declaredTable(
  name: string,
  { columns, constraints = [], flags }: ColumnsAndConstraintsCreateTableBody,
): SchemaTable {
  const tableConstraints = constraints.map(({ constraint }) => constraint);
  const primaryKey = ofType(tableConstraints, 'PrimaryKeyTableConstraint').flatMap(keyColumns);
  const primaryKeyColumn = columns.find(column =>
    constraintsOf(column).some(({ type }) => type === 'PrimaryKeyColumnConstraint'),
  );
  const tableChecks = ofType(tableConstraints, 'CheckTableConstraint').map(({ expr }) => expr);
  const listed = listedValues([...columns.flatMap(checksOf), ...tableChecks]);
  const uniqueKeys = ofType(tableConstraints, 'UniqueTableConstraint').map(keyColumns);
  const uniqueColumns = new Set(uniqueKeys.flatMap(key => (key.length === 1 ? key.map(keyOf) : [])));
  const tableForeignKeys = ofType(tableConstraints, 'ForeignKeyTableConstraint').map(({ columns: own, clause }) =>
    foreignKey(namesOf(own), clause),
  );
  return {
    name,
    kind: 'table',
    columns: columns.map(column => columnOf(column, listed, uniqueColumns)),
    hiddenColumns: (flags & withoutRowidFlag) === 0 ? ['rowid'] : [],
    primaryKey: primaryKeyColumn ? [primaryKeyColumn.colName.text] : primaryKey,
    uniqueKeys: uniqueKeys.filter(key => key.length > 1),
    foreignKeys: [...columns.flatMap(foreignKeysOf), ...tableForeignKeys],
  };
}

/** The column of a key. SQLite also takes a string as its name, and ignores a collation. */
function keyColumn(expr: Expr): string[] {
  switch (expr.type) {
    case 'Id':
      return [expr.name];
    case 'StringLiteral':
      return [expr.value];
    case 'CollateExpr':
      return keyColumn(expr.expr);
    default:
      return [];
  }
}

const keyColumns = ({ columns }: { readonly columns: readonly { readonly expr: Expr }[] }): string[] =>
  columns.flatMap(({ expr }) => keyColumn(expr));

const ofType = <Node extends { readonly type: string }, Type extends Node['type']>(
  nodes: readonly Node[],
  type: Type,
): Extract<Node, { type: Type }>[] => nodes.filter((node): node is Extract<Node, { type: Type }> => node.type === type);

const constraintsOf = ({ constraints }: ColumnDefinition) => constraints.map(({ constraint }) => constraint);

const checksOf = (column: ColumnDefinition): Expr[] =>
  ofType(constraintsOf(column), 'CheckColumnConstraint').map(({ expr }) => expr);

function columnOf(
  column: ColumnDefinition,
  listed: ReturnType<typeof listedValues>,
  uniqueColumns: ReadonlySet<string>,
): SchemaColumn {
  const { colName, colType } = column;
  const constraints = constraintsOf(column);
  const isGenerated = constraints.some(({ type }) => type === 'GeneratedColumnConstraint');
  const values = listed.get(keyOf(colName.text));
  const rules: ColumnRule[] = [];
  if (constraints.some(one => one.type === 'NotNullColumnConstraint' && !one.nullable)) rules.push('NOT NULL');
  const isUnique = constraints.some(({ type }) => type === 'UniqueColumnConstraint');
  if (isUnique || uniqueColumns.has(keyOf(colName.text))) rules.push('UNIQUE');
  // The grammar takes GENERATED ALWAYS for a part of the type. SQLite removes the words from the type as well.
  const type = (colType?.name ?? '').replace(/\s*generated\s+always$/i, '');
  return {
    name: colName.text,
    type,
    ...(isGenerated && { generated: true }),
    ...(rules.length > 0 && { rules }),
    ...(values && { listedValues: values }),
  };
}

const namesOf = (columns: readonly IndexedColumn[] = []): string[] => columns.map(({ colName }) => colName.text);

const foreignKey = (columns: readonly string[], { tblName, columns: references }: ForeignKeyClause): ForeignKey => ({
  columns,
  table: tblName.text,
  references: namesOf(references),
});

const foreignKeysOf = (column: ColumnDefinition): ForeignKey[] =>
  ofType(constraintsOf(column), 'ForeignKeyColumnConstraint').map(({ clause }) =>
    foreignKey([column.colName.text], clause),
  );

/** A module chooses the columns of its virtual tables. SQLite's own modules take them from the arguments. */
function virtualTable(name: string, module: string, args: readonly string[]): SchemaTable {
  const columnNames = args.filter(argument => !argument.includes('=')).map(columnNameOf);
  const isFullText = /^fts\d$/i.test(module);
  return {
    name,
    kind: 'virtual',
    columns: columnNames.map(untypedColumn),
    hiddenColumns: isFullText ? ['rowid', 'rank', name] : [],
    primaryKey: [],
    foreignKeys: [],
  };
}

/** The parser removes space within an argument, so `body UNINDEXED` arrives as one word. */
function columnNameOf(argument: string): string {
  const quotedName = /^(?:(["'`])(?:\1\1|(?!\1).)*\1|\[[^\]]*\])/su.exec(argument)?.[0];
  if (quotedName !== undefined) return unquoted(quotedName);
  return argument.replace(/^\+/, '').replace(/(?<=.)unindexed$/i, '');
}

function alterTable({ tblName, body }: AlterTableStmt, objects: SchemaObjects): void {
  const { tables } = objects;
  const name = tblName.objName.text;
  const table = tables.get(keyOf(name));
  if (!table) return;
  const change = (changes: Partial<SchemaTable>): void => {
    // A spread does not copy the getters of a QueriedTable.
    tables.set(keyOf(name), { ...table, hiddenColumns: table.hiddenColumns, columns: table.columns, ...changes });
  };
  switch (body.type) {
    case 'RenameToAlterTableBody':
      return renameTable(objects, table, body.name.text);
    case 'AddColumnAlterTableBody':
      return change({
        columns: [...table.columns, columnOf(body.column, listedValues(checksOf(body.column)), new Set())],
        foreignKeys: [...table.foreignKeys, ...foreignKeysOf(body.column)],
      });
    case 'DropColumnAlterTableBody':
      return change({ columns: table.columns.filter(column => !isSameName(column.name, body.column.text)) });
    case 'RenameColumnAlterTableBody': {
      const oldName = body.old.text;
      const newName = body.new.text;
      const renamed = (column: string): string => (isSameName(column, oldName) ? newName : column);
      change({
        columns: table.columns.map(column => ({ ...column, name: renamed(column.name) })),
        primaryKey: table.primaryKey.map(renamed),
        uniqueKeys: (table.uniqueKeys ?? []).map(key => key.map(renamed)),
        foreignKeys: table.foreignKeys.map(({ columns, table: target, references }) => {
          return { columns: columns.map(renamed), table: target, references };
        }),
      });
      return rewriteForeignKeys(tables, key =>
        isSameName(key.table, name) ? { ...key, references: key.references.map(renamed) } : key,
      );
    }
    default:
  }
}

function renameTable({ tables, indexes, triggers }: SchemaObjects, table: SchemaTable, newName: string): void {
  const { name: oldName } = table;
  if (newName === '' || tables.has(keyOf(newName))) return;
  remove(tables, oldName);
  tables.set(keyOf(newName), { ...table, hiddenColumns: table.hiddenColumns, columns: table.columns, name: newName });
  for (const owned of [indexes, triggers]) {
    for (const [key, object] of owned) {
      if (isSameName(object.table, oldName)) owned.set(key, { ...object, table: newName });
    }
  }
  rewriteForeignKeys(tables, key => (isSameName(key.table, oldName) ? { ...key, table: newName } : key));
}

/** ALTER TABLE rewrites the foreign keys that reference a renamed table or column. */
function rewriteForeignKeys(tables: Map<string, SchemaTable>, rewrite: (key: ForeignKey) => ForeignKey): void {
  for (const [name, table] of tables) {
    if (table.foreignKeys.length === 0) continue;
    const foreignKeys = table.foreignKeys.map(rewrite);
    if (foreignKeys.some((key, index) => key !== table.foreignKeys[index])) tables.set(name, { ...table, foreignKeys });
  }
}

/** A longer list is no choice for people. */
const maxValues = 100;

/** A short text in one line. A list with another value is no choice for people. */
const shortText = /^.{1,80}$/;

/** The literals of each `column IN (…)` in CHECKs, by the key of the column's name. Other conditions may stand beside them. */
function listedValues(checks: readonly Expr[]): ReadonlyMap<string, readonly string[]> {
  const byColumn = new Map<string, Set<string>>();
  const pending = checks.toReversed();
  for (let check = pending.pop(); check; check = pending.pop()) {
    if (check.type === 'BinaryExpr' && (check.op === 'Or' || check.op === 'And')) pending.push(check.right, check.left);
    else if (check.type === 'ParenthesizedExpr') pending.push(...check.exprs);
    if (check.type !== 'InListExpr' || check.not) continue;
    const column = columnReferenceOf(check.lhs)?.name;
    const literals = check.rhs?.slice(0, maxValues + 1).map(literalOf) ?? [];
    if (column === undefined || literals.length > maxValues) continue;
    const values = byColumn.get(keyOf(column)) ?? new Set();
    byColumn.set(keyOf(column), values);
    for (const literal of literals) values.add(literal ?? '');
  }
  const lists = [...byColumn].map(([column, values]) => [column, [...values]] as const);
  return new Map(
    lists.filter(([, values]) => values.length <= maxValues && values.every(value => shortText.test(value))),
  );
}

function literalOf(value: Expr): string | undefined {
  if (value.type === 'StringLiteral') return sqlLiteral(value.value);
  return value.type === 'NumericLiteral' ? value.value : undefined;
}
