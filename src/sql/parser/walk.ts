import type { AstNode } from 'sqlite3-parser';

/** A node with its ancestors. */
export interface Visited {
  readonly node: AstNode;
  readonly parent: Visited | undefined;
}

/**
 * Visits a tree, parents before children. It does not recurse, because the tree of a long sum is as
 * deep as the sum is long. Return false from `visit` to skip the children.
 */
export function walk(root: AstNode, visit: (visited: Visited) => boolean): void {
  const pending: Visited[] = [{ node: root, parent: undefined }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (!visit(next)) continue;
    const children = childrenOf(next.node);
    for (let index = children.length - 1; index >= 0; index--) pending.push({ node: children[index]!, parent: next });
  }
}

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
