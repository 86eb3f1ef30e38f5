import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { addColumnChanges, addCreations, addDrops, addIndex, canAlter } from './alterSteps.ts';
import { isSameTableDesign } from './canonicalDesign.ts';
import { createTableSql } from './createTable.ts';
import { designFaults } from './designFaults.ts';
import type { ChangePlan, ChangeRequest } from './plan.ts';
import { PlanBuilder, RefusedPlan, renameColumnSql } from './planBuilder.ts';
import { readTableDesign } from './readTableDesign.ts';
import { addRebuild } from './rebuildSteps.ts';
import { Rehearsal } from './rehearsal.ts';
import { rowWarnings } from './rowWarnings.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';
import { freeName } from '../../sql/text/freeNames.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { renameColumn, withTableName } from './tableDesign.ts';

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
  builder.create('table', { name: design.name, sql: createTableSql(design) });
  for (const index of design.indexes) addIndex(builder, index, design);
  for (const trigger of design.triggers) builder.create('trigger', trigger);
  return 'create';
}

function changeTable(builder: PlanBuilder, before: TableDesign, after: TableDesign): ChangePlan['way'] {
  const { rehearsal } = builder;
  const stored = readTableDesign(rehearsal.entries(), before.name);
  if (typeof stored === 'string' || !isSameTableDesign(stored, before)) {
    throw new RefusedPlan({ code: 'tableChanged', subject: before.name });
  }
  for (const warning of rowWarnings(rehearsal, before, after)) builder.warn(warning);
  const renamed = addRenames(builder, before, after);
  const isAltered = canAlter(renamed, after) && alter(builder, renamed, after);
  if (!isAltered) {
    if (before.lostWords.length > 0) {
      builder.warn({ code: 'wordsLost', subject: before.name, other: before.lostWords.join(' ') });
    }
    addRebuild(builder, renamed, after);
  }
  const result = readTableDesign(rehearsal.entries(), after.name);
  if (typeof result === 'string' || !isSameTableDesign(result, after)) {
    throw new RefusedPlan({ code: 'resultDiffers', subject: after.name });
  }
  if (builder.steps.length === 0) return 'none';
  return isAltered ? 'alter' : 'rebuild';
}

function alter(builder: PlanBuilder, before: TableDesign, after: TableDesign): boolean {
  const done = builder.steps.length;
  const isAltered = builder.rehearsal.attempt(() => {
    try {
      addDrops(builder, before, after);
      addColumnChanges(builder, before, after);
      addCreations(builder, after);
      return true;
    } catch (thrown) {
      // A rebuild can drop a column that a view reads. It meets other faults again, and then reports them.
      if (thrown instanceof RefusedPlan) return false;
      throw thrown;
    }
  });
  if (!isAltered) builder.steps.length = done;
  return isAltered;
}

/** Views that cannot be read and tables that cannot be written, with the reason, such as a missing column in a trigger. */
function brokenObjects(rehearsal: Rehearsal): Map<string, string> {
  const broken = new Map<string, string>();
  const entries = rehearsal.entries();
  const tried = new Set<string>();
  for (const { kind, name, table } of entries) {
    if (kind === 'view') {
      const fault = rehearsal.prepare(`SELECT * FROM ${quoteIdentifier(name)}`);
      if (fault !== undefined) broken.set(name, fault);
    }
    const isView = entries.some(entry => entry.kind === 'view' && entry.name === table);
    if ((kind !== 'table' && kind !== 'trigger') || isView || tried.has(table)) continue;
    tried.add(table);
    const fault = writeFault(rehearsal, table);
    if (fault !== undefined) broken.set(table, fault);
  }
  return broken;
}

function writeFault(rehearsal: Rehearsal, table: string): string | undefined {
  const [column] = rehearsal.query('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 LIMIT 1', table);
  if (!column) return undefined;
  const name = quoteIdentifier(String(column['name']));
  const target = quoteIdentifier(table);
  return (
    rehearsal.prepare(`DELETE FROM ${target}`) ??
    rehearsal.prepare(`UPDATE ${target} SET ${name} = ${name}`) ??
    rehearsal.prepare(`INSERT INTO ${target} DEFAULT VALUES`)
  );
}

/** SQLite rewrites the views, triggers and foreign keys that name the table or a column. Returns the resulting design. */
function addRenames(builder: PlanBuilder, before: TableDesign, after: TableDesign): TableDesign {
  let design = before;
  const toTable = (name: string): void => {
    builder.renameTable('renameTable', design.name, name, { subject: design.name, other: name });
    design = withTableName(design, name);
  };
  if (before.name !== after.name) {
    // To SQLite, a name in another letter case is already taken.
    if (isSameName(before.name, after.name)) toTable(freeName(`${after.name}_renamed`, tableNames(builder)));
    toTable(after.name);
  }
  const toColumn = (id: string, name: string): void => {
    const former = nameOf(design, id);
    const undo = [renameColumnSql(design.name, name, former)];
    builder.add('renameColumn', renameColumnSql(design.name, former, name), { subject: former, other: name, undo });
    design = renameColumn(design, id, name);
  };
  const wanted = new Map(after.columns.map(({ id, name }) => [id, name]));
  const renamed = before.columns.filter(({ id, name }) => wanted.has(id) && wanted.get(id) !== name);
  const targets = new Set(renamed.map(({ id }) => keyOf(wanted.get(id)!)));
  // Columns that hold a wanted name make room for it first, also those that are dropped later.
  for (const { id, name } of before.columns) {
    const isInTheWay = targets.has(keyOf(name)) && !(wanted.has(id) && isSameName(wanted.get(id)!, name));
    if (!isInTheWay) continue;
    const taken = [...design.columns, ...after.columns].map(column => column.name);
    toColumn(id, freeName(`${name}_renamed`, taken));
  }
  for (const { id } of renamed) if (nameOf(design, id) !== wanted.get(id)) toColumn(id, wanted.get(id)!);
  return design;
}

const nameOf = (design: TableDesign, id: string): string => design.columns.find(column => column.id === id)!.name;

const tableNames = ({ rehearsal }: PlanBuilder): string[] => rehearsal.entries().map(({ name }) => name);
