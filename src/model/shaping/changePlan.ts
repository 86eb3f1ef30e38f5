import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import { addColumnChanges, addCreations, addDrops, canAlter } from './alterSteps.ts';
import { brokenObjects } from './brokenObjects.ts';
import { isSameTable } from './canonicalDesign.ts';
import { createIndexSql, createTableSql } from './createTable.ts';
import { designFaults } from './designFaults.ts';
import type { ChangePlan, ChangeRequest } from './plan.ts';
import { PlanBuilder, RefusedPlan } from './planBuilder.ts';
import { readTableDesign } from './readTableDesign.ts';
import { Rebuild } from './rebuildSteps.ts';
import { Rehearsal } from './rehearsal.ts';
import { addRenames } from './renames.ts';
import { rowWarnings } from './rowWarnings.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';

/** The statements that turn one design of a table into another. Each of them was tried on an empty copy of the schema. */
export async function planChange(request: ChangeRequest): Promise<ChangePlan> {
  const { before, after, schema } = request;
  const refusals = designFaults(after, before, schema);
  if (refusals.length > 0) return { way: 'none', steps: [], warnings: [], refusals };
  using rehearsal = await Rehearsal.open(schema);
  return planOn(rehearsal, before, after);
}

/** Plans a change of the schema as the rehearsal has it. Without refusals, the rehearsal has the new schema afterwards. */
export function planOn(rehearsal: Rehearsal, before: TableDesign | undefined, after: TableDesign): ChangePlan {
  const builder = new PlanBuilder(rehearsal);
  const broken = brokenObjects(rehearsal);
  try {
    const way = before ? changeTable(builder, before, after) : createTable(builder, after);
    for (const [name, fault] of brokenObjects(rehearsal)) {
      if (!broken.has(name)) builder.warn({ code: 'brokenObject', subject: name, other: fault });
    }
    const { steps, warnings } = builder;
    return { way, steps, warnings, refusals: [] };
  } catch (thrown) {
    if (!(thrown instanceof RefusedPlan)) throw thrown;
    const { steps, warnings } = builder;
    return { way: 'none', steps, warnings, refusals: [thrown.refusal] };
  }
}

function createTable(builder: PlanBuilder, design: TableDesign): 'create' {
  const { name } = design;
  builder.add('createTable', createTableSql(design), { subject: name, undo: [`DROP TABLE ${quoted(name)}`] });
  for (const index of design.indexes) {
    const undo = [`DROP INDEX ${quoted(index.name)}`];
    builder.add('createIndex', createIndexSql(index, design), { subject: index.name, undo });
  }
  for (const trigger of design.triggers) {
    const undo = [`DROP TRIGGER ${quoted(trigger.name)}`];
    builder.add('createTrigger', trigger.sql, { subject: trigger.name, undo });
  }
  return 'create';
}

function changeTable(builder: PlanBuilder, before: TableDesign, after: TableDesign): ChangePlan['way'] {
  const { rehearsal } = builder;
  const stored = readTableDesign(rehearsal.entries(), before.name);
  if (typeof stored === 'string' || !isSameTable(stored, before)) {
    throw new RefusedPlan({ code: 'tableChanged', subject: before.name });
  }
  for (const warning of rowWarnings(rehearsal, before, after)) builder.warn(warning);
  const renamed = addRenames(builder, before, after);
  const isAltered = canAlter(renamed, after) && alter(builder, renamed, after);
  if (!isAltered) {
    if (before.lostWords.length > 0) {
      builder.warn({ code: 'wordsLost', subject: before.name, other: before.lostWords.join(' ') });
    }
    new Rebuild(builder, renamed, after).addSteps();
  }
  const result = readTableDesign(rehearsal.entries(), after.name);
  if (typeof result === 'string' || !isSameTable(result, after)) {
    throw new RefusedPlan({ code: 'resultDiffers', subject: after.name });
  }
  if (builder.steps.length === 0) return 'none';
  return isAltered ? 'alter' : 'rebuild';
}

/** Changes the table in place, if SQLite can. */
function alter(builder: PlanBuilder, before: TableDesign, after: TableDesign): boolean {
  const done = builder.steps.length;
  const altered = builder.rehearsal.attempt(() => {
    try {
      addDrops(builder, before, after);
      if (!addColumnChanges(builder, before, after)) return undefined;
      addCreations(builder, after);
      return true;
    } catch (thrown) {
      // A rebuild meets the same fault again, and then reports it.
      if (thrown instanceof RefusedPlan) return undefined;
      throw thrown;
    }
  });
  if (altered === undefined) builder.steps.length = done;
  return altered === true;
}
