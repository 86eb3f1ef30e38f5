import type {
  AlterTableStmt,
  ColumnDefinition,
  CreateTableStmt,
  ForeignKeyClause,
  IndexedColumn,
  Select,
  Stmt,
} from 'sqlite3-parser';
import { columnsOfSelect, tableNames } from '../scope/query.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { LazyColumns, plainColumn } from '../tables/lazyColumns.ts';
import type { ForeignKey, SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import type { Schema, SchemaPart } from './schema.ts';

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
      const view = { select: statement.select, schema, given: named };
      return add(tables, new QueriedTable(statement.viewName.objName.text, 'view', view));
    }
    case 'CreateIndexStmt':
      return add(indexes, { name: statement.idxName.objName.text, table: statement.tblName.text });
    case 'CreateTriggerStmt':
      return add(triggers, { name: statement.triggerName.objName.text, table: statement.tblName.objName.text });
    case 'AlterTableStmt':
      return alter(statement, draft);
    case 'DropTableStmt':
      return removeTable(draft, statement.tblName.objName.text);
    case 'DropViewStmt':
      return removeTable(draft, statement.viewName.objName.text);
    case 'DropIndexStmt':
      return remove(indexes, statement.idxName.objName.text);
    case 'DropTriggerStmt':
      return remove(triggers, statement.triggerName.objName.text);
    default:
  }
}

function add<T extends { readonly name: string }>(to: Map<string, T>, item: T): void {
  // A name that the repair of half-typed text put in is none. One that is taken stays what it is, with IF NOT EXISTS and without.
  const key = keyOf(item.name);
  if (key !== '' && !to.has(key)) to.set(key, item);
}

function remove(from: Map<string, unknown>, name: string): void {
  from.delete(keyOf(name));
}

/** What belongs to a table goes with it. */
function removeTable({ tables, indexes, triggers }: SchemaDraft, name: string): void {
  remove(tables, name);
  for (const parts of [indexes, triggers]) {
    for (const [key, { table }] of parts) if (isSameName(table, name)) parts.delete(key);
  }
}

/** The parser's flag for WITHOUT ROWID, which it does not export as a value. */
const withoutRowid = 128;

/** A view, or a table made from a query. */
export class QueriedTable implements SchemaTable {
  readonly name: string;
  readonly kind: 'view' | 'table';
  readonly hidden: readonly string[];
  readonly primaryKey = [];
  readonly foreignKeys = [];
  readonly #select: Select;
  readonly #given: readonly SchemaColumn[] | undefined;
  readonly #columns: LazyColumns;

  constructor(
    name: string,
    kind: 'view' | 'table',
    { select, schema, given }: { select: Select; schema: Schema; given?: readonly SchemaColumn[] | undefined },
  ) {
    this.name = name;
    this.kind = kind;
    this.hidden = kind === 'table' ? ['rowid'] : [];
    this.#select = select;
    this.#given = given;
    this.#columns = new LazyColumns(() => given ?? columnsOfSelect(select, tableNames(schema)));
  }

  get columns(): readonly SchemaColumn[] {
    return this.#columns.get();
  }

  /** A view reads the tables as they are when it is read. What was made from a query stays what it was. */
  in(schema: Schema): QueriedTable {
    if (this.kind === 'table') return this;
    return new QueriedTable(this.name, 'view', { select: this.#select, schema, given: this.#given });
  }
}

function createdTable({ tblName, body }: CreateTableStmt, schema: Schema): SchemaTable {
  const name = tblName.objName.text;
  if (body.type === 'AsSelectCreateTableBody') return new QueriedTable(name, 'table', { select: body.select, schema });
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
  const names = args.filter(argument => !argument.includes('=')).map(argumentName);
  const isText = /^fts\d$/i.test(module);
  return {
    name,
    kind: 'virtual',
    columns: names.map(plainColumn),
    hidden: isText ? ['rowid', 'rank', name] : [],
    primaryKey: [],
    foreignKeys: [],
  };
}

/** The parser leaves out the space within an argument, so that `body UNINDEXED` comes as one word. */
function argumentName(argument: string): string {
  const quoted = /^(?:(["'`])(?:\1\1|(?!\1).)*\1|\[[^\]]*\])/su.exec(argument)?.[0];
  return quoted === undefined ? argument.replace(/^\+/, '').replace(/(?<=.)unindexed$/i, '') : unquoted(quoted);
}

function alter({ tblName, body }: AlterTableStmt, { tables, indexes, triggers }: SchemaDraft): void {
  const name = tblName.objName.text;
  const table = tables.get(keyOf(name));
  if (!table) return;
  const change = (changed: Partial<SchemaTable>): void => {
    tables.set(keyOf(name), { ...table, hidden: table.hidden, columns: table.columns, ...changed });
  };
  switch (body.type) {
    case 'RenameToAlterTableBody': {
      const to = body.name.text;
      if (to === '' || tables.has(keyOf(to))) return;
      change({ name: to });
      tables.set(keyOf(to), tables.get(keyOf(name))!);
      remove(tables, name);
      for (const parts of [indexes, triggers]) {
        for (const [key, part] of parts) if (isSameName(part.table, name)) parts.set(key, { ...part, table: to });
      }
      return redirect(tables, key => (isSameName(key.table, name) ? { ...key, table: to } : key));
    }
    case 'AddColumnAlterTableBody':
      return change({
        columns: [...table.columns, columnOf(body.column)],
        foreignKeys: [...table.foreignKeys, ...foreignKeysOf(body.column)],
      });
    case 'DropColumnAlterTableBody':
      return change({ columns: table.columns.filter(column => !isSameName(column.name, body.column.text)) });
    case 'RenameColumnAlterTableBody': {
      const [old, to] = [body.old.text, body.new.text];
      const renamed = (column: string): string => (isSameName(column, old) ? to : column);
      change({
        columns: table.columns.map(column => withName(column, renamed(column.name))),
        primaryKey: table.primaryKey.map(renamed),
        foreignKeys: table.foreignKeys.map(key => withColumns(key, key.columns.map(renamed))),
      });
      const references = (key: ForeignKey): readonly string[] => key.references.map(renamed);
      return redirect(tables, key => (isSameName(key.table, name) ? withReferences(key, references(key)) : key));
    }
    default:
  }
}

const withName = (column: SchemaColumn, name: string): SchemaColumn => ({ ...column, name });
const withColumns = (key: ForeignKey, columns: readonly string[]): ForeignKey => ({ ...key, columns });
const withReferences = (key: ForeignKey, references: readonly string[]): ForeignKey => ({ ...key, references });

/** SQLite writes what points to a renamed thing anew. */
function redirect(tables: Map<string, SchemaTable>, change: (key: ForeignKey) => ForeignKey): void {
  for (const [name, table] of tables) {
    if (table.foreignKeys.length === 0) continue;
    const foreignKeys = table.foreignKeys.map(change);
    if (foreignKeys.some((key, index) => key !== table.foreignKeys[index])) tables.set(name, { ...table, foreignKeys });
  }
}
