import type { ColumnDefinition, CreateTableStmt, ForeignKeyClause, IndexedColumn, Select, Stmt } from 'sqlite3-parser';
import { columnsOfSelect, tableNames } from '../scope/query.ts';
import type { ForeignKey, Schema, SchemaColumn, SchemaPart, SchemaTable } from './schema.ts';

/** What a schema is made of, by names in lower case. */
export interface SchemaDraft {
  readonly tables: Map<string, SchemaTable>;
  readonly indexes: Map<string, SchemaPart>;
  readonly triggers: Map<string, SchemaPart>;
}

/** Does to a draft what a statement does to a schema. Statements that change none leave it as it is. */
export function changeBy(statement: Stmt, draft: SchemaDraft, schema: Schema): void {
  const { tables, indexes, triggers } = draft;
  switch (statement.type) {
    case 'CreateTableStmt':
      return add(tables, createdTable(statement, schema));
    case 'CreateVirtualTableStmt':
      return add(tables, virtualTable(statement.tblName.objName.text, statement.moduleName.text, statement.args ?? []));
    case 'CreateViewStmt': {
      const named = statement.columns && statement.columns.map(({ colName }) => plainColumn(colName.text));
      return add(tables, new QueriedTable(statement.viewName.objName.text, 'view', statement.select, schema, named));
    }
    case 'CreateIndexStmt':
      return add(indexes, { name: statement.idxName.objName.text, table: statement.tblName.text });
    case 'CreateTriggerStmt':
      return add(triggers, { name: statement.triggerName.objName.text, table: statement.tblName.objName.text });
    case 'AlterTableStmt':
      return alter(statement, tables);
    case 'DropTableStmt':
      return remove(tables, statement.tblName.objName.text);
    case 'DropViewStmt':
      return remove(tables, statement.viewName.objName.text);
    case 'DropIndexStmt':
      return remove(indexes, statement.idxName.objName.text);
    case 'DropTriggerStmt':
      return remove(triggers, statement.triggerName.objName.text);
    default:
  }
}

function add<T extends { readonly name: string }>(to: Map<string, T>, item: T): void {
  // A name that the repair of half-typed text put in is none.
  if (item.name !== '') to.set(item.name.toLowerCase(), item);
}

function remove(from: Map<string, unknown>, name: string): void {
  from.delete(name.toLowerCase());
}

/** The parser's flag for WITHOUT ROWID, which it does not export as a value. */
const withoutRowid = 128;

const plainColumn = (name: string): SchemaColumn => ({ name, type: '' });

/** A view, or a table made from a query. Its columns are found when they are wanted, and not while they are being found. */
class QueriedTable implements SchemaTable {
  readonly name: string;
  readonly kind: 'view' | 'table';
  readonly hidden: readonly string[];
  readonly primaryKey = [];
  readonly foreignKeys = [];
  readonly #select: Select;
  readonly #schema: Schema;
  #columns: readonly SchemaColumn[] | undefined;

  constructor(
    name: string,
    kind: 'view' | 'table',
    select: Select,
    schema: Schema,
    columns: readonly SchemaColumn[] | undefined,
  ) {
    this.name = name;
    this.kind = kind;
    this.hidden = kind === 'table' ? ['rowid'] : [];
    this.#select = select;
    this.#schema = schema;
    this.#columns = columns;
  }

  get columns(): readonly SchemaColumn[] {
    if (!this.#columns) {
      this.#columns = [];
      this.#columns = columnsOfSelect(this.#select, tableNames(this.#schema));
    }
    return this.#columns;
  }
}

function createdTable({ tblName, body }: CreateTableStmt, schema: Schema): SchemaTable {
  const name = tblName.objName.text;
  if (body.type === 'AsSelectCreateTableBody') return new QueriedTable(name, 'table', body.select, schema, undefined);
  const { columns, constraints = [], flags } = body;
  const tableConstraints = constraints.map(({ constraint }) => constraint);
  const primaryKey = tableConstraints.flatMap(constraint =>
    constraint.type === 'PrimaryKeyTableConstraint'
      ? constraint.columns.flatMap(({ expr }) => (expr.type === 'Id' ? [expr.name] : []))
      : [],
  );
  const keyColumn = columns.find(column =>
    constraintsOf(column).some(({ type }) => type === 'PrimaryKeyColumnConstraint'),
  );
  return {
    name,
    kind: 'table',
    columns: columns.map(columnOf),
    hidden: (flags & withoutRowid) === 0 ? ['rowid'] : [],
    primaryKey: keyColumn ? [keyColumn.colName.text] : primaryKey,
    foreignKeys: [
      ...columns.flatMap(foreignKeysOf),
      ...tableConstraints.flatMap(constraint =>
        constraint.type === 'ForeignKeyTableConstraint'
          ? [foreignKey(namesOf(constraint.columns), constraint.clause)]
          : [],
      ),
    ],
  };
}

const constraintsOf = ({ constraints }: ColumnDefinition) => constraints.map(({ constraint }) => constraint);

function columnOf(column: ColumnDefinition): SchemaColumn {
  const { colName, colType } = column;
  const generated = constraintsOf(column).some(({ type }) => type === 'GeneratedColumnConstraint');
  return { name: colName.text, type: colType?.name ?? '', ...(generated ? { generated } : {}) };
}

const namesOf = (columns: readonly IndexedColumn[] = []): string[] => columns.map(({ colName }) => colName.text);

const foreignKey = (columns: readonly string[], { tblName, columns: references }: ForeignKeyClause): ForeignKey => ({
  columns,
  table: tblName.text,
  references: namesOf(references),
});

const foreignKeysOf = (column: ColumnDefinition): ForeignKey[] =>
  constraintsOf(column).flatMap(constraint =>
    constraint.type === 'ForeignKeyColumnConstraint' ? [foreignKey([column.colName.text], constraint.clause)] : [],
  );

/** The columns of a virtual table are its module's affair; those of the modules that SQLite is built with are known. */
function virtualTable(name: string, module: string, args: readonly string[]): SchemaTable {
  const table = { name, kind: 'virtual', primaryKey: [], foreignKeys: [] } as const;
  const names = args.filter(argument => !argument.includes('=')).map(argumentName);
  switch (module.toLowerCase()) {
    case 'fts5':
      return { ...table, columns: names.map(plainColumn), hidden: ['rowid', 'rank', name] };
    case 'rtree':
    case 'rtree_i32':
      return { ...table, columns: names.map(plainColumn), hidden: [] };
    default:
      return { ...table, columns: [], hidden: [] };
  }
}

/** The parser leaves out the space within an argument, so that `body UNINDEXED` comes as one word. */
function argumentName(argument: string): string {
  const quoted = /^(["'`])((?:\1\1|(?!\1).)*)\1|^\[([^\]]*)\]/su.exec(argument);
  if (quoted) return quoted[3] ?? (quoted[2] ?? '').replaceAll(quoted[1]! + quoted[1]!, quoted[1]!);
  return argument.replace(/^\+/, '').replace(/(?<=.)unindexed$/i, '');
}

const renamed = (column: SchemaColumn, name: string): SchemaColumn => ({ ...column, name });

function alter(statement: Stmt & { type: 'AlterTableStmt' }, tables: Map<string, SchemaTable>): void {
  const { tblName, body } = statement;
  const table = tables.get(tblName.objName.text.toLowerCase());
  if (!table) return;
  const change = (columns: readonly SchemaColumn[]): void => add(tables, { ...table, hidden: table.hidden, columns });
  switch (body.type) {
    case 'RenameToAlterTableBody':
      if (body.name.text === '') return;
      remove(tables, table.name);
      return add(tables, { ...table, columns: table.columns, name: body.name.text });
    case 'AddColumnAlterTableBody':
      return change([...table.columns, columnOf(body.column)]);
    case 'DropColumnAlterTableBody':
      return change(table.columns.filter(({ name }) => !isSame(name, body.column.text)));
    case 'RenameColumnAlterTableBody':
      return change(
        table.columns.map(column => (isSame(column.name, body.old.text) ? renamed(column, body.new.text) : column)),
      );
    default:
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
