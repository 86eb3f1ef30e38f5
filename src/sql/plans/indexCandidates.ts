import type { AstNode, Expr, SortedColumn } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn, type Visited } from '../parser/walk.ts';
import { columnsNamed, type FoundColumn } from '../scope/columnReference.ts';
import { StatementScopes } from '../scope/scope.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';

/** The uses of the columns of one table in a statement. */
interface TableUse {
  readonly table: string;
  readonly alias: string;
  readonly equal: string[];
  readonly ranges: string[];
  readonly orders: string[][];
}

/** Each costs SQLite a new plan. */
const maxCandidates = 40;
const maxEqualTerms = 4;

export const equalOperators = new Set(['Equals', 'Is']);
export const rangeOperators = new Set(['Greater', 'GreaterEquals', 'Less', 'LessEquals']);

/**
 * The columns and expressions, as SQL, of indexes that may help a statement: those that conditions, joins, sorting and grouping use.
 * Only SQLite knows whether they do.
 */
export function indexCandidates(statement: string, schema: TableLookup) {
  const { ast } = parseStatement(statement);
  const uses = ast ? new TableUses(statement, schema).all(ast) : [];
  const candidates = uses.flatMap(({ table, alias, equal, ranges, orders }) => {
    const sets = [[], equal.slice(0, maxEqualTerms), ...equal.map(term => [term])];
    const ends = [[], ...ranges.map(term => [term]), ...orders];
    return sets.flatMap(set => ends.map(end => ({ table, alias, terms: [...new Set([...set, ...end])] })));
  });
  const distinct = new Map(candidates.map(candidate => [`${candidate.table} ${candidate.terms.join()}`, candidate]));
  return [...distinct.values()].filter(({ terms }) => terms.length > 0).slice(0, maxCandidates);
}

class TableUses {
  readonly #statement: string;
  readonly #scopes: StatementScopes;
  readonly #uses = new Map<string, TableUse>();

  constructor(statement: string, schema: TableLookup) {
    this.#statement = statement;
    this.#scopes = new StatementScopes(schema);
  }

  all(root: AstNode): TableUse[] {
    for (const visited of nodesIn(root)) this.#read(visited);
    return [...this.#uses.values()];
  }

  #read(visited: Visited): void {
    const { node } = visited;
    switch (node.type) {
      case 'BinaryExpr':
        if (equalOperators.has(node.op)) for (const side of [node.left, node.right]) this.#add('equal', side, visited);
        if (rangeOperators.has(node.op)) for (const side of [node.left, node.right]) this.#add('ranges', side, visited);
        return;
      case 'InListExpr':
      case 'InSelectExpr':
      case 'InTableExpr':
        return this.#add('equal', node.lhs, visited);
      case 'IsNullExpr':
        return this.#add('equal', node.expr, visited);
      case 'BetweenExpr':
        return this.#add('ranges', node.lhs, visited);
      case 'LikeExpr':
        return this.#add('ranges', node.lhs, visited, node.op === 'Like' ? ' COLLATE NOCASE' : '');
      case 'Select':
        return this.#addOrder(node.orderBy ?? [], visited);
      case 'SelectFrom': {
        const results = node.columns.flatMap(column => (column.type === 'ExprResultColumn' ? [column.expr] : []));
        this.#addOrder(node.groupBy ?? [], visited);
        return this.#addOrder(node.distinctness === 'Distinct' ? results : [], visited);
      }
      case 'FunctionCallExpr':
        if (/^(?:min|max)$/i.test(node.name.name) && node.args?.[0]) this.#add('ranges', node.args[0], visited);
        return;
      case 'UsingJoinConstraint':
        for (const name of node.columns) {
          for (const source of this.#scopes.at({ node: name, parent: visited }).levels[0] ?? []) {
            const column = source.columns.find(({ name: other }) => keyOf(other) === keyOf(name.text));
            const use = column && this.#useOf({ source, column });
            if (use) use.equal.push(quoteIdentifierIfNeeded(column.name));
          }
        }
        return;
      default:
    }
  }

  #add(kind: 'equal' | 'ranges', operand: Expr, parent: Visited, suffix = ''): void {
    const found = this.#termOf(operand, parent);
    found?.use[kind].push(found.term + suffix);
  }

  /** Adds the terms of a clause whose columns are all of one table. */
  #addOrder(clause: readonly (Expr | SortedColumn)[], parent: Visited): void {
    const select = parent.node.type === 'Select' ? parent.node.select : parent.node;
    const around = parent.node === select ? parent : { node: select, parent };
    const found = clause.map(item => {
      const isSorted = item.type === 'SortedColumn';
      const term = this.#termOf(resultOf(isSorted ? item.expr : item, select), around);
      return { ...term, suffix: isSorted && item.order === 'Desc' ? ' DESC' : '' };
    });
    const use = found[0]?.use;
    if (!use || found.some(item => item.use !== use)) return;
    // SQLite reads an index backwards if all terms have the other direction.
    const isMixed = new Set(found.map(({ suffix }) => suffix)).size > 1;
    use.orders.push(found.map(({ term = '', suffix }) => (isMixed ? term + suffix : term)));
  }

  /** A column, or a call whose only column is an argument. */
  #termOf(expr: Expr, parent: Visited): { readonly use: TableUse; readonly term: string } | undefined {
    const visited: Visited = { node: expr, parent };
    if (expr.type === 'FunctionCallExpr') {
      const [argument] = expr.args ?? [];
      const inner = argument && this.#termOf(argument, visited);
      if (!inner || expr.args?.length !== 1 || expr.filterOver) return undefined;
      const name = this.#statement.slice(rangeOf(expr.name).start, rangeOf(expr.name).end);
      return { use: inner.use, term: `${name}(${inner.term})` };
    }
    const [found, ...others] = columnsNamed(expr, this.#scopes.at(visited));
    const use = found && others.length === 0 ? this.#useOf(found) : undefined;
    return use && found && { use, term: quoteIdentifierIfNeeded(found.column.name) };
  }

  #useOf({ source }: FoundColumn): TableUse | undefined {
    const table = source.namedTable?.name;
    if (table === undefined || source.kind !== 'table') return undefined;
    const key = JSON.stringify([keyOf(table), keyOf(source.alias)]);
    const use = this.#uses.get(key) ?? { table, alias: source.alias, equal: [], ranges: [], orders: [] };
    this.#uses.set(key, use);
    return use;
  }
}

/** The result that a number in ORDER BY or GROUP BY stands for. */
function resultOf(expr: Expr, select: AstNode): Expr {
  if (expr.type !== 'NumericLiteral' || select.type !== 'SelectFrom') return expr;
  const result = select.columns[Number(expr.value) - 1];
  return result?.type === 'ExprResultColumn' ? result.expr : expr;
}
