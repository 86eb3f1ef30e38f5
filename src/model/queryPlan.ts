import type { PlanStepView } from '../protocol/results.ts';
import type { Row } from '../wire/values.ts';

type QueryPlanStep = PlanStepView['step'];

export interface PlanNode {
  readonly detail: string;
  readonly step: QueryPlanStep;
  readonly children: readonly PlanNode[];
}

/** Turns the rows of EXPLAIN QUERY PLAN into trees. A row whose parent is missing becomes a root. */
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

function stepOf(detail: string): QueryPlanStep {
  if (/^SCAN\b/.test(detail)) return 'scan';
  if (/^SEARCH\b/.test(detail)) return 'search';
  return /^USE TEMP B-TREE\b/.test(detail) ? 'sort' : 'other';
}

/** The plan as text, indented by depth. */
export function textOfPlan(nodes: readonly PlanNode[], depth = 0): string {
  return nodes
    .map(({ detail, children }) => `${'  '.repeat(depth)}${detail}\n${textOfPlan(children, depth + 1)}`)
    .join('');
}

export const stepsOfPlan = (nodes: readonly PlanNode[], depth = 0): PlanStepView[] =>
  nodes.flatMap(({ detail, step, children }) => [{ detail, step, depth }, ...stepsOfPlan(children, depth + 1)]);
