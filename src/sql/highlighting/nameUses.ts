import type { AstNode, Id, Name, Stmt } from 'sqlite3-parser';
import { nodesIn, type Visited } from '../parser/walk.ts';
import { keyOf } from '../text/names.ts';

/** The kind of thing that a name stands for. `object` is an index, a trigger, a constraint, a window, a collation and the like. */
export type NameKind = 'table' | 'column' | 'alias' | 'function' | 'database' | 'type' | 'keyword' | 'object';

export interface NameUse {
  readonly kind: NameKind;
  readonly isDeclaration: boolean;
}

const use = (kind: NameKind): NameUse => ({ kind, isDeclaration: false });
const declaration = (kind: NameKind): NameUse => ({ kind, isDeclaration: true });

/** By the offset of each name. */
export function nameUses(statement: Stmt): Map<number, NameUse> {
  const uses = new Map<number, NameUse>();
  const aliases = new Set(['new', 'old', 'excluded']);
  const qualifiers: Name[] = [];
  for (const { node, parent } of nodesIn(statement)) {
    if (node.type !== 'Name' && node.type !== 'Id') continue;
    // The parser's repair inserts names without text.
    if (!parent || node.span.length === 0) continue;
    const nameUse = useOf(node, parent);
    if (nameUse === 'qualifier') qualifiers.push(node as Name);
    else uses.set(node.span.offset, nameUse);
    if (nameUse !== 'qualifier' && nameUse.kind === 'alias') aliases.add(keyOf(textOf(node)));
  }
  // An alias may be declared after its use.
  for (const { text, span } of qualifiers) uses.set(span.offset, use(aliases.has(keyOf(text)) ? 'alias' : 'table'));
  return uses;
}

const textOf = (name: Name | Id): string => (name.type === 'Name' ? name.text : name.name);

function useOf(name: Name | Id, { node, parent }: Visited): NameUse | 'qualifier' {
  switch (node.type) {
    case 'QualifiedName':
      if (name === node.dbName) return use('database');
      if (name === node.alias) return declaration('alias');
      return parent ? useOfObject(node, parent.node) : use('table');
    case 'AsAs':
    case 'ElidedAs':
      return declaration(parent?.node.type === 'ExprResultColumn' ? 'column' : 'alias');
    case 'QualifiedExpr':
      if (name === node.table) return 'qualifier';
      return use(name === node.schema ? 'database' : 'column');
    case 'TableStarResultColumn':
      return 'qualifier';
    case 'FunctionCallExpr':
    case 'FunctionCallStarExpr':
      return name === node.name ? use('function') : useInExpression(name);
    case 'CommonTableExpr':
    case 'RenameToAlterTableBody':
      return declaration('table');
    case 'ForeignKeyClause':
      return use('table');
    case 'CreateIndexStmt':
      return name === node.tblName ? use('table') : useInExpression(name);
    case 'Window':
      return name === node.base ? use('object') : useInExpression(name);
    case 'ColumnDefinition':
      return declaration('column');
    case 'IndexedColumn':
      return name === node.collationName ? use('object') : use('column');
    case 'CreateVirtualTableStmt':
      return use('type');
    case 'GeneratedColumnConstraint':
      return name === node.typ ? use('keyword') : useInExpression(name);
    case 'AttachStmt':
    case 'DetachStmt':
    case 'VacuumStmt':
      return use('database');
    case 'NameExpr':
      return parent && objectParents.has(parent.node.type) ? use('object') : useInExpression(name);
    default:
      return objectParents.has(node.type) ? use('object') : useInExpression(name);
  }
}

/** Nodes whose names are neither tables nor columns. */
const objectParents: ReadonlySet<AstNode['type']> = new Set([
  'BeginStmt',
  'CallPragmaBody',
  'CollateColumnConstraint',
  'CommitStmt',
  'DropConstraintAlterTableBody',
  'EqualsPragmaBody',
  'IndexedByIndexed',
  'MatchRefArg',
  'NamedColumnConstraint',
  'NamedTableConstraint',
  'NameOver',
  'ReleaseStmt',
  'RollbackStmt',
  'SavepointStmt',
  'WindowDef',
]);

/** TRUE and FALSE are names in the grammar, but nobody uses them as names. */
function useInExpression(name: Name | Id): NameUse {
  return use(/^(?:true|false)$/i.test(textOf(name)) ? 'keyword' : 'column');
}

function useOfObject(name: AstNode, statement: AstNode): NameUse {
  switch (statement.type) {
    case 'CreateTableStmt':
    case 'CreateViewStmt':
    case 'CreateVirtualTableStmt':
      return declaration('table');
    case 'CreateIndexStmt':
      return declaration('object');
    case 'CreateTriggerStmt':
      return name === statement.triggerName ? declaration('object') : use('table');
    case 'DropIndexStmt':
    case 'DropTriggerStmt':
    case 'PragmaStmt':
      return use('object');
    case 'TableCallSelectTable':
      return use('function');
    case 'InTableExpr':
      return use(statement.args ? 'function' : 'table');
    default:
      return use('table');
  }
}
