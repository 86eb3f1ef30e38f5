import type { AstNode } from 'sqlite3-parser';

/** A node, with the way up from it. */
export interface Visited {
  readonly node: AstNode;
  readonly parent: Visited | undefined;
}

/**
 * Visits a tree from the root down, without recursion, since a long sum is a tree as deep as it is long. What `visit`
 * answers with false is not entered.
 */
export function walk(root: AstNode, visit: (visited: Visited) => boolean): void {
  const waiting: Visited[] = [{ node: root, parent: undefined }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!visit(next)) continue;
    const children = childrenOf(next.node);
    for (let index = children.length - 1; index >= 0; index--) waiting.push({ node: children[index]!, parent: next });
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
