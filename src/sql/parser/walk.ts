import type { AstNode, CommonTableExpr, Expr, QualifiedName } from 'sqlite3-parser';
import { isSameName } from '../text/names.ts';

export interface Visited {
  readonly node: AstNode;
  readonly parent: Visited | undefined;
}

/**
 * The nodes of a tree, parents before children. The children of a leaf are left out. It does not recurse, because the tree of a
 * long sum is as deep as the sum is long.
 */
export function* nodesIn(root: AstNode, isLeaf: (node: AstNode) => boolean = () => false): Generator<Visited> {
  const pending: Visited[] = [{ node: root, parent: undefined }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    if (isLeaf(next.node)) continue;
    const children = childrenOf(next.node);
    for (let index = children.length - 1; index >= 0; index--) pending.push({ node: children[index]!, parent: next });
  }
}

type VisitedOf<Type extends AstNode['type']> = Visited & { readonly node: Extract<AstNode, { type: Type }> };

/** The innermost node of a type from a node outwards. */
export function nodeOfTypeAround<Type extends AstNode['type']>(
  visited: Visited | undefined,
  type: Type,
): VisitedOf<Type> | undefined {
  let ancestor = visited;
  while (ancestor && ancestor.node.type !== type) ancestor = ancestor.parent;
  return ancestor as VisitedOf<Type> | undefined;
}

/** The first node of a type that matches. A parent comes before its children. */
export function findNode<Type extends AstNode['type']>(
  root: AstNode,
  type: Type,
  matches: (node: VisitedOf<Type>['node']) => boolean,
): VisitedOf<Type> | undefined {
  const isMatch = (visited: Visited): visited is VisitedOf<Type> =>
    visited.node.type === type && matches((visited as VisitedOf<Type>).node);
  return nodesIn(root).find(isMatch);
}

/** The tables, views, common tables and table-valued functions of the queries in a tree, each time one is named. */
export const tablesIn = (root: AstNode): QualifiedName[] =>
  [...nodesIn(root)].flatMap(({ node }) => queriedTable(node) ?? []);

/** The table, view, common table or table-valued function that a node of a query names. */
export function queriedTable(node: AstNode): QualifiedName | undefined {
  switch (node.type) {
    case 'TableSelectTable':
    case 'TableCallSelectTable':
      return node.tblName;
    case 'InTableExpr':
      return node.rhs;
    default:
      return undefined;
  }
}

/**
 * The common table that a name stands for at a node. SQLite finds it anywhere in the statement that its WITH belongs to, also
 * in other common tables.
 */
export function commonTableNamed(name: string, visited: Visited): CommonTableExpr | undefined {
  for (let ancestor: Visited | undefined = visited; ancestor; ancestor = ancestor.parent) {
    const { node } = ancestor;
    const clause = 'with' in node ? node.with : undefined;
    const table = clause?.ctes.find(({ tblName }) => isSameName(tblName.text, name));
    if (table) return table;
  }
  return undefined;
}

export function withoutParentheses(expr: Expr): Expr {
  let inner = expr;
  while (inner.type === 'ParenthesizedExpr' && inner.exprs.length === 1) inner = inner.exprs[0]!;
  return inner;
}

/** Whether a name is that of a called function. It looks like the name of a column. */
export const isFunctionName = ({ node, parent }: Visited): boolean =>
  parent?.node.type === 'FunctionCallExpr' && parent.node.name === node;

function childrenOf(node: AstNode): AstNode[] {
  const children: AstNode[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) for (const item of value as unknown[]) if (isNode(item)) children.push(item);
    if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'span' in value;
}
