import type { PlanStepView } from '../protocol/results.ts';
import { type PlanLine, planLines } from '../sql/plans/planRead.ts';
import type { Row } from '../wire/values.ts';

/** The steps of EXPLAIN QUERY PLAN. */
export const planOf = (rows: readonly Row[]): PlanStepView[] => stepsOf(planLines(rows));

export const stepsOf = (lines: readonly PlanLine[]): PlanStepView[] =>
  lines.map(({ detail, depth }) => ({ detail, step: stepOf(detail), depth }));

function stepOf(detail: string): PlanStepView['step'] {
  if (/^SCAN\b/.test(detail)) return 'scan';
  if (/^SEARCH\b/.test(detail)) return 'search';
  return /^USE TEMP B-TREE\b/.test(detail) ? 'sort' : 'other';
}

/** The plan as text, indented by depth. */
export const textOfPlan = (steps: readonly PlanStepView[]): string =>
  steps.map(({ detail, depth }) => `${'  '.repeat(depth)}${detail}\n`).join('');
