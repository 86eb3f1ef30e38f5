import type { Project } from '../../client/index.ts';
import { countBy } from '../../model/catalog/catalogQueries.ts';
import type { Profile } from '../../model/profiles.ts';
import type { PlanWarning } from '../../model/shaping/plan.ts';
import { warningText } from '../shaping/planTexts.ts';
import type { DesignPlan } from './designPlan.ts';
import type { DesignReview } from './designPrompts.ts';

interface DesignReviewRequest {
  readonly planned: DesignPlan;
  readonly project: Pick<Project, 'query'>;
  readonly profile: Profile;
  readonly table: string;
}

/** Says what a plan does, and how many rows its warnings concern. */
export async function designReview(request: DesignReviewRequest): Promise<DesignReview> {
  const { planned, project, profile, table } = request;
  const { plan, view } = planned;
  const warnings = await Promise.all(plan.warnings.map(warning => countedWarning(project, warning)));
  return {
    profile,
    table,
    titles: view.statements.map(({ title }) => title),
    summary: view.summary,
    warnings: warnings.filter(warning => warning !== undefined),
    isRisky: plan.way === 'rebuild' || plan.warnings.some(({ code }) => code === 'columnDropped'),
  };
}

/** A warning with the number of rows that it concerns. Undefined if there are none. */
async function countedWarning(project: Pick<Project, 'query'>, warning: PlanWarning): Promise<string | undefined> {
  if (warning.countSql === undefined) return warningText(warning);
  try {
    const count = await countBy(project, { sql: warning.countSql, params: [] });
    return count === 0n ? undefined : warningText(warning, count);
  } catch {
    // The warning is shown without a number.
    return warningText(warning);
  }
}
