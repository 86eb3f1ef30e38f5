import type { PlanStepView } from '../protocol/results.ts';
import type { Row } from '../wire/values.ts';

/** The steps of EXPLAIN QUERY PLAN. SQLite lists the parts of a step right after it. A row whose parent is missing is no part. */
export function planOf(rows: readonly Row[]): PlanStepView[] {
  const depths = new Map<unknown, number>();
  return rows.map(({ id, parent, detail }) => {
    const text = typeof detail === 'string' ? detail : '';
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return { detail: text, step: stepOf(text), depth };
  });
}

function stepOf(detail: string): PlanStepView['step'] {
  if (/^SCAN\b/.test(detail)) return 'scan';
  if (/^SEARCH\b/.test(detail)) return 'search';
  return /^USE TEMP B-TREE\b/.test(detail) ? 'sort' : 'other';
}

/** The plan as text, indented by depth. */
export const textOfPlan = (steps: readonly PlanStepView[]): string =>
  steps.map(({ detail, depth }) => `${'  '.repeat(depth)}${detail}\n`).join('');
