import type {
  Expr,
  FunctionCallExpr,
  FunctionCallStarExpr,
  Id,
  InsertStmt,
  Name,
  QualifiedExpr,
  QualifiedName,
  Stmt,
  TableStarResultColumn,
  UpsertIndex,
  UsingJoinConstraint,
} from 'sqlite3-parser';
import { parseValidStatement } from '../parser/parser.ts';
import { type Visited, nodesIn } from '../parser/walk.ts';
import { StatementScopes } from '../scope/scope.ts';
import { isSameName } from '../text/names.ts';

export interface NamedSource {
  readonly name: QualifiedName;
  /** `argument`: the right side of IN. `call`: a table-valued function. */
  readonly place: 'source' | 'target' | 'argument' | 'call';
  /** Undefined if the statement uses the name of the table itself. */
  readonly alias: string | undefined;
}

interface Term {
  readonly expr: Expr;
  readonly position: number;
  readonly clause: 'ORDER' | 'GROUP';
  readonly isOfCompound: boolean;
}

type Call = FunctionCallExpr | FunctionCallStarExpr;

/** The parts of a statement that SQLite's errors may name. The body of a trigger has none: SQLite checks it at its first use. */
export class FaultNodes {
  readonly sources: NamedSource[] = [];
  /** The names of subqueries and common tables. */
  readonly otherAliases: string[] = [];
  readonly stars: TableStarResultColumn[] = [];
  /** The columns that UPDATE sets, or DO UPDATE in an INSERT. */
  readonly setColumns: Name[] = [];
  readonly terms: Term[] = [];
  readonly calls: Call[] = [];
  /** The columns in the ON of a join. SQLite reports no offset for their faults, nor for those of calls there. */
  readonly joinColumns: (Id | QualifiedExpr)[] = [];
  readonly joinCalls: Call[] = [];
  readonly joins: UsingJoinConstraint[] = [];
  readonly conflictTargets: UpsertIndex[] = [];
  readonly insert: InsertStmt | undefined;
  readonly target: QualifiedName | undefined;
  hasStar = false;
  queryCount = 0;
  readonly #scopes = new StatementScopes({ table: () => undefined });

  constructor(statement: string) {
    const tree = parseValidStatement(statement).ast;
    const root = tree?.type === 'ExplainStmt' ? tree.stmt : tree;
    if (!root || !isChecked(root)) return;
    if (root.type === 'InsertStmt') this.insert = root;
    if (root.type === 'InsertStmt' || root.type === 'UpdateStmt') this.target = root.tblName;
    for (const visited of nodesIn(root)) this.#read(visited);
  }

  /** The tables with a name from an error message, such as `main.users`. Common tables are left out. */
  tablesNamed(path: string): NamedSource[] {
    return this.sources.filter(({ name: { dbName, objName } }) => {
      return isSameName(dbName ? `${dbName.text}.${objName.text}` : objName.text, path);
    });
  }

  #read(visited: Visited): void {
    const { node } = visited;
    switch (node.type) {
      case 'TableSelectTable':
        return this.#addTable(node.tblName, 'source', visited, node.alias?.name);
      case 'TableCallSelectTable':
        return this.#addTable(node.tblName, 'call', visited, node.alias?.name);
      case 'InTableExpr':
        return this.#addTable(node.rhs, node.args ? 'call' : 'argument', visited);
      case 'InsertStmt':
      case 'UpdateStmt':
      case 'DeleteStmt':
        this.sources.push({ name: node.tblName, place: 'target', alias: node.tblName.alias?.text });
        return;
      case 'SelectSelectTable':
      case 'SubSelectTable':
        if (node.alias) this.otherAliases.push(node.alias.name.text);
        return;
      case 'StarResultColumn':
        this.hasStar = true;
        return;
      case 'TableStarResultColumn':
        this.hasStar = true;
        this.stars.push(node);
        return;
      case 'SetAssignment':
        this.setColumns.push(...node.colNames);
        return;
      case 'Select':
        return this.#addTerms('ORDER', node.orderBy?.map(({ expr }) => expr) ?? [], node.compounds !== undefined);
      case 'SelectFrom':
        this.queryCount++;
        return this.#addTerms('GROUP', node.groupBy ?? [], false);
      case 'FunctionCallExpr':
      case 'FunctionCallStarExpr':
        this.calls.push(node);
        if (isInJoin(visited)) this.joinCalls.push(node);
        return;
      case 'Id':
      case 'QualifiedExpr':
        if (isInJoin(visited)) this.joinColumns.push(node);
        return;
      case 'UsingJoinConstraint':
        this.joins.push(node);
        return;
      case 'UpsertIndex':
        this.conflictTargets.push(node);
        return;
      default:
    }
  }

  #addTable(name: QualifiedName, place: NamedSource['place'], visited: Visited, alias?: Name): void {
    const isCommonTable = this.#scopes.at({ node: name, parent: visited }).names.find(name) !== undefined;
    if (!isCommonTable) this.sources.push({ name, place, alias: alias?.text });
    else this.otherAliases.push(alias?.text ?? name.objName.text);
  }

  #addTerms(clause: Term['clause'], exprs: readonly Expr[], isOfCompound: boolean): void {
    for (const [index, expr] of exprs.entries()) this.terms.push({ expr, position: index + 1, clause, isOfCompound });
  }
}

/** Whether a node is in the ON of a join, outside of its subqueries. */
function isInJoin({ parent }: Visited): boolean {
  for (let ancestor = parent; ancestor && ancestor.node.type !== 'Select'; ancestor = ancestor.parent) {
    if (ancestor.node.type === 'OnJoinConstraint') return true;
  }
  return false;
}

/** Whether SQLite checks all names of a statement. In most DDL it does not. */
function isChecked(statement: Stmt): boolean {
  switch (statement.type) {
    case 'SelectStmt':
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      return true;
    case 'CreateTableStmt':
      return statement.body.type === 'AsSelectCreateTableBody';
    default:
      return false;
  }
}
