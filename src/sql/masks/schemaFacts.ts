import type {
  AstNode,
  ColumnDefinition,
  ColumnsAndConstraintsCreateTableBody,
  CreateTriggerStmt,
  CreateViewStmt,
} from 'sqlite3-parser';
import type { Steps } from '../../base/turns.ts';
import { parsingBudget } from '../parser/parseBudget.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn, tablesIn } from '../parser/walk.ts';
import { declaredTable } from '../schema/schemaStatements.ts';
import { schemaObjectOf } from '../shadow/ddlStatement.ts';
import type { ForeignKey } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { mentionedNames } from '../text/mentionedNames.ts';

/** The facts that decide about the masks of a table. All names but `name` are keys. */
export interface MaskableTable {
  readonly name: string;
  readonly columns: readonly MaskableColumn[];
  /** The column that is another name of the rowid. */
  readonly rowidColumn: string | undefined;
  readonly isWithoutRowid: boolean;
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  /** The columns, and other names in expressions, of each index and unique key. */
  readonly indexes: readonly ReadonlySet<string>[];
}

interface MaskableColumn {
  readonly name: string;
  readonly key: string;
  /** The names in the expression of a generated column, and the function of rowids if the default value calls it. */
  readonly computedFrom: ReadonlySet<string>;
}

export interface VirtualTableFacts {
  readonly name: string;
  readonly module: string;
  readonly sql: string;
}

export interface ViewFacts {
  readonly name: string;
  readonly sql: string;
  readonly statement: CreateViewStmt;
  /** @see readsIn */
  readonly reads: ReadonlySet<string>;
}

/** The names are keys. If the statement of a trigger has no tree, the trigger may read and write everything in its text. */
export interface TriggerFacts {
  readonly name: string;
  /** The tables and views that it reads or fires on, and the function of rowids if it calls that. */
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

/** The function that returns a rowid of any table. */
export const rowidFunction = 'last_insert_rowid';

/** The objects of a schema, by keys. */
export interface SchemaFacts {
  readonly tables: ReadonlyMap<string, MaskableTable>;
  readonly virtualTables: ReadonlyMap<string, VirtualTableFacts>;
  readonly views: ReadonlyMap<string, ViewFacts>;
  readonly triggers: readonly TriggerFacts[];
  /** The names of tables and views whose statements have no tree. */
  readonly unreadable: ReadonlySet<string>;
}

/** Reads the statements of a schema. Each step reads one. */
export function* schemaFactsOf(statements: Iterable<string>): Steps<SchemaFacts> {
  const tables = new Map<string, MaskableTable>();
  const virtualTables = new Map<string, VirtualTableFacts>();
  const views = new Map<string, ViewFacts>();
  const triggers: TriggerFacts[] = [];
  const unreadable = new Set<string>();
  const indexes = new Map<string, ReadonlySet<string>[]>();
  const isInTime = parsingBudget();
  for (const sql of statements) {
    yield;
    const parsed = isInTime(sql) ? parseStatement(sql) : undefined;
    const tree = parsed?.fault ? undefined : parsed?.ast;
    switch (tree?.type) {
      case 'CreateTableStmt':
        if (tree.body.type !== 'ColumnsAndConstraintsCreateTableBody') break;
        tables.set(keyOf(tree.tblName.objName.text), tableFacts(tree.tblName.objName.text, tree.body));
        continue;
      case 'CreateVirtualTableStmt': {
        const name = tree.tblName.objName.text;
        virtualTables.set(keyOf(name), { name, module: keyOf(tree.moduleName.text), sql });
        continue;
      }
      case 'CreateViewStmt': {
        const name = tree.viewName.objName.text;
        views.set(keyOf(name), { name, sql, statement: tree, reads: readsIn(tree) });
        continue;
      }
      case 'CreateTriggerStmt':
        triggers.push(triggerFacts(tree));
        continue;
      case 'CreateIndexStmt': {
        const table = keyOf(tree.tblName.text);
        const { columns, whereClause } = tree;
        const names = namesInTree(...columns, ...(whereClause ? [whereClause] : []));
        indexes.set(table, [...(indexes.get(table) ?? []), names]);
        continue;
      }
      default:
    }
    const object = schemaObjectOf(sql);
    if (object && object.kind !== 'trigger') {
      unreadable.add(object.name).add(object.owner ?? object.name);
      continue;
    }
    const names = mentionedNames(sql);
    triggers.push({ name: object?.name ?? '', reads: names, writes: names });
  }
  for (const [key, table] of tables) {
    tables.set(key, { ...table, indexes: [...table.indexes, ...(indexes.get(key) ?? [])] });
  }
  return { tables, virtualTables, views, triggers, unreadable };
}

function triggerFacts(trigger: CreateTriggerStmt): TriggerFacts {
  const { triggerName, tblName, commands } = trigger;
  const reads = readsIn(trigger).add(keyOf(tblName.objName.text));
  const writes = new Set<string>();
  for (const command of commands) {
    if (command.type === 'SelectTriggerCmd') continue;
    const table = keyOf(command.tblName.objName.text);
    writes.add(table);
    // The others may set a column to the value of another one.
    if (command.type !== 'InsertTriggerCmd' || command.upsert) reads.add(table);
  }
  return { name: triggerName.objName.text, reads, writes };
}

/** The keys of the tables and views that the queries of a tree read, and of the function that returns a rowid. */
function readsIn(root: AstNode): Set<string> {
  const reads = new Set(tablesIn(root).map(({ objName }) => keyOf(objName.text)));
  return namesInTree(root).has(rowidFunction) ? reads.add(rowidFunction) : reads;
}

/** The keys of all names in a tree: of columns, tables, functions and aliases. A key or an index may name a column by a string. */
function namesInTree(...roots: readonly AstNode[]): Set<string> {
  const names = new Set<string>();
  for (const root of roots) {
    for (const { node, parent } of nodesIn(root)) {
      if (node.type === 'Name') names.add(keyOf(node.text));
      if (node.type === 'Id') names.add(keyOf(node.name));
      const isNameAsString = parent?.node.type === 'SortedColumn' || parent?.node.type === 'CollateExpr';
      if (node.type === 'StringLiteral' && isNameAsString) names.add(keyOf(node.value));
    }
  }
  return names;
}

function tableFacts(name: string, body: ColumnsAndConstraintsCreateTableBody): MaskableTable {
  const table = declaredTable(name, body);
  const primaryKey = table.primaryKey.map(keyOf);
  const isWithoutRowid = table.hiddenColumns.length === 0;
  const indexes: ReadonlySet<string>[] = [];
  for (const { colName, constraints } of body.columns) {
    if (constraints.some(({ constraint }) => constraint.type === 'UniqueColumnConstraint'))
      indexes.push(new Set([keyOf(colName.text)]));
  }
  for (const { constraint } of body.constraints ?? []) {
    if (constraint.type === 'UniqueTableConstraint') indexes.push(namesInTree(...constraint.columns));
  }
  const keyColumn = body.columns.find(({ colName }) => keyOf(colName.text) === primaryKey[0]);
  const isRowid = !isWithoutRowid && primaryKey.length === 1 && /^\W?integer\W?$/i.test(keyColumn?.colType?.name ?? '');
  if (!isRowid && primaryKey.length > 0) indexes.push(new Set(primaryKey));
  return {
    name,
    columns: body.columns.map(columnFacts),
    rowidColumn: isRowid ? primaryKey[0] : undefined,
    isWithoutRowid,
    primaryKey,
    foreignKeys: table.foreignKeys.map(({ columns, table: parent, references }) => ({
      columns: columns.map(keyOf),
      table: keyOf(parent),
      references: references.map(keyOf),
    })),
    indexes,
  };
}

function columnFacts({ colName, constraints }: ColumnDefinition): MaskableColumn {
  const computedFrom = new Set<string>();
  for (const { constraint } of constraints) {
    const isDefault = constraint.type === 'DefaultColumnConstraint';
    if (!isDefault && constraint.type !== 'GeneratedColumnConstraint') continue;
    // A default value names no column.
    for (const name of namesInTree(constraint.expr)) if (!isDefault || name === rowidFunction) computedFrom.add(name);
  }
  return { name: colName.text, key: keyOf(colName.text), computedFrom };
}
