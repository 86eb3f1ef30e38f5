import type { PlanRefusal, PlanStep, PlanWarning, StepCode } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';

/** There is no plan. It does not leave this folder. */
export class RefusedPlan extends Error {
  readonly refusal: PlanRefusal;

  constructor(refusal: PlanRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

export interface StepParts {
  readonly subject: string;
  readonly other?: string;
  readonly undo?: readonly string[];
}

/** Collects the steps of a plan. Each one is tried before the next is made. */
export class PlanBuilder {
  readonly rehearsal: Rehearsal;
  readonly steps: PlanStep[] = [];
  readonly warnings: PlanWarning[] = [];

  constructor(rehearsal: Rehearsal) {
    this.rehearsal = rehearsal;
  }

  add(code: StepCode, sql: string, { subject, other, undo }: StepParts): void {
    const fault = this.rehearsal.run(sql);
    if (fault !== undefined) throw new RefusedPlan({ code: 'refusedBySqlite', subject, other: fault });
    this.steps.push({ code, sql, subject, other, undo });
  }

  warn(warning: PlanWarning): void {
    this.warnings.push(warning);
  }
}

/** Statements that take back the first steps of a plan, the last step first. Undefined once they cannot be taken back. */
export function undoStatements(steps: readonly PlanStep[], count: number): string[] | undefined {
  const done = steps.slice(0, count).toReversed();
  if (done.some(({ undo }) => undo === undefined)) return undefined;
  return done.flatMap(({ undo }) => undo ?? []);
}
