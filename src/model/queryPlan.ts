import type { Row } from '../wire/values.ts';

/** `scan` reads all of something, `search` goes where an index leads, `sort` orders rows in a table of its own. */
export type PlanStep = 'scan' | 'search' | 'sort' | 'other';

export interface PlanNode {
  readonly detail: string;
  readonly step: PlanStep;
  readonly children: readonly PlanNode[];
}

/** The rows of EXPLAIN QUERY PLAN as the tree that they describe. A row whose parent is missing stands at the top. */
export function planOf(rows: readonly Row[]): readonly PlanNode[] {
  const nodes = new Map<unknown, PlanNode & { readonly children: PlanNode[] }>();
  const roots: PlanNode[] = [];
  for (const { id, parent, detail } of rows) {
    const text = typeof detail === 'string' ? detail : '';
    const node = { detail: text, step: stepOf(text), children: [] };
    (nodes.get(parent)?.children ?? roots).push(node);
    nodes.set(id, node);
  }
  return roots;
}

function stepOf(detail: string): PlanStep {
  if (/^SCAN\b/.test(detail)) return 'scan';
  if (/^SEARCH\b/.test(detail)) return 'search';
  return /^USE TEMP B-TREE\b/.test(detail) ? 'sort' : 'other';
}

/** As text, a level deeper for each node below another. */
export function textOfPlan(nodes: readonly PlanNode[], depth = 0): string {
  return nodes
    .map(({ detail, children }) => `${'  '.repeat(depth)}${detail}\n${textOfPlan(children, depth + 1)}`)
    .join('');
}
