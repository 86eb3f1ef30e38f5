import { l10n } from 'vscode';
import { planChange } from '../../model/shaping/changePlan.ts';
import type { ChangePlan, ChangeRequest, PlanWarning } from '../../model/shaping/plan.ts';
import { newColumn, newIndex, removeColumn, renameColumn, withTableName } from '../../model/shaping/tableDesign.ts';
import type { ChangePlanView } from '../../protocol/designer.ts';
import {
  decodeTableDesign,
  type DesignChange,
  type DesignDraft,
  type TableDesign,
} from '../../protocol/tableDesign.ts';
import { freeName } from '../../sql/text/freeNames.ts';
import { planSummary, refusalText, stepTitle, warningText } from '../shaping/planTexts.ts';
import type { Project } from '../../client/index.ts';
import { countBy } from '../../model/catalog/catalogQueries.ts';
import type { DesignReview } from './designPrompts.ts';

/** The design as a draft shows it, with the name that is being typed. */
export function draftedDesign({ design, typedName }: DesignDraft): TableDesign {
  if (!typedName) return design;
  const { id, name } = typedName;
  if (name !== '') {
    return changedDesign(design, id === undefined ? { kind: 'renameTable', name } : { kind: 'renameColumn', id, name });
  }
  // No expression of the design can have an empty name.
  if (id === undefined) return { ...design, name };
  return { ...design, columns: design.columns.map(column => (column.id === id ? { ...column, name } : column)) };
}

/** Makes a change that needs the SQL parser or a new id. */
export function changedDesign(design: TableDesign, change: DesignChange): TableDesign {
  switch (change.kind) {
    case 'addColumn':
      return withNewColumn(design, change.after);
    case 'removeColumn':
      return canonical(removeColumn(design, change.id));
    case 'renameColumn':
      return canonical(renameColumn(design, change.id, change.name));
    case 'renameTable':
      return canonical(withTableName(design, change.name));
    case 'addIndex': {
      const names = design.indexes.map(({ name }) => name);
      const index = newIndex(freeName(`${design.name || 'table'}_index`, names));
      return canonical({ ...design, indexes: [...design.indexes, index] });
    }
  }
}

function withNewColumn(design: TableDesign, after: string | undefined): TableDesign {
  const { columns } = design;
  const names = columns.map(({ name }) => name);
  const column = newColumn(freeName(`column${columns.length + 1}`, names));
  const index = columns.findIndex(({ id }) => id === after);
  const place = index < 0 ? columns.length : index + 1;
  return canonical({ ...design, columns: [...columns.slice(0, place), column, ...columns.slice(place)] });
}

/** A design with its fields in one order, so that equal designs have equal JSON. */
export function canonical(design: TableDesign): TableDesign {
  return decodeTableDesign(design) ?? design;
}

export const isSameDesign = (a: TableDesign | undefined, b: TableDesign | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export interface DesignPlan {
  readonly plan: ChangePlan;
  readonly view: ChangePlanView;
}

export const emptyPlan: ChangePlan = { way: 'none', steps: [], warnings: [], refusals: [] };

/** Plans a change and describes it. A design with faulty fields has no plan. */
export async function planDesign(request: ChangeRequest): Promise<DesignPlan> {
  const { before, after } = request;
  // An untouched design has no faults to show.
  const isChanged = before === undefined || !isSameDesign(after, before);
  const plan = isChanged ? await planChange(request) : emptyPlan;
  const faults = plan.refusals.map(refusal => ({ place: refusal.place ?? '', message: refusalText(refusal) }));
  return {
    plan,
    view: {
      summary: faults.length > 0 ? l10n.t('The statements follow when the problems are solved.') : planSummary(plan),
      statements: plan.steps.map(step => ({ title: stepTitle(step), sql: step.sql })),
      warnings: plan.warnings.map(warning => warningText(warning)),
      faults,
      isChanged,
    },
  };
}

/** Says what a plan does, and how many rows its warnings concern. */
export async function designReview(
  project: Pick<Project, 'query'>,
  { plan, view }: DesignPlan,
): Promise<Omit<DesignReview, 'profile' | 'table'>> {
  const warnings = await Promise.all(plan.warnings.map(warning => countedWarning(project, warning)));
  return {
    titles: view.statements.map(({ title }) => title),
    summary: view.summary,
    warnings: warnings.filter(warning => warning !== undefined),
    isRisky: plan.way === 'rebuild' || plan.warnings.some(({ code }) => code === 'columnDropped'),
  };
}

/** A warning with the number of rows that it concerns. Undefined if it concerns none. */
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
