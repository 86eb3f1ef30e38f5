import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import { CanonicalDesign } from './canonicalDesign.ts';
import { columnDefinitionSql, createIndexSql } from './createTable.ts';
import type { PlanBuilder } from './planBuilder.ts';
import type { ColumnDesign, IndexDesign, TableDesign } from '../../protocol/tableDesign.ts';

/** Whether ALTER TABLE can turn the columns and constraints of one design into those of another with the same names. */
export function canAlter(before: TableDesign, after: TableDesign): boolean {
  const stays = before.columns.filter(({ id }) => after.columns.some(column => column.id === id));
  const added = after.columns.filter(({ id }) => !before.columns.some(column => column.id === id));
  const order = [...stays, ...added];
  if (order.some(({ id }, index) => after.columns[index]?.id !== id)) return false;
  const canonicalBefore = new CanonicalDesign(before);
  const canonicalAfter = new CanonicalDesign(after);
  if (canonicalBefore.table() !== canonicalAfter.table()) return false;
  const isChanged = (column: ColumnDesign): boolean =>
    canonicalBefore.column(column) !== canonicalAfter.column(after.columns.find(({ id }) => id === column.id)!);
  return !stays.some(isChanged) && added.every(canAdd);
}

/** Whether ADD COLUMN can add the column to a table that has rows. */
function canAdd({ unique, notNull, defaultValue, generated, references }: ColumnDesign): boolean {
  if (unique) return false;
  if (generated) return !generated.stored;
  const isNull = defaultValue === undefined || /^null$/i.test(defaultValue);
  const isConstant = defaultValue === undefined || /^(?:[-+]?[\d.]|'|x'|null$|true$|false$)/i.test(defaultValue);
  return isConstant && !(notNull && isNull) && !(references && !isNull);
}

export function addColumnChanges(builder: PlanBuilder, before: TableDesign, after: TableDesign): void {
  const table = quoted(after.name);
  for (const { id, name } of before.columns) {
    if (after.columns.some(column => column.id === id)) continue;
    builder.add('dropColumn', `ALTER TABLE ${table} DROP COLUMN ${quoted(name)}`, { subject: name });
  }
  for (const column of after.columns) {
    if (before.columns.some(({ id }) => id === column.id)) continue;
    builder.add('addColumn', `ALTER TABLE ${table} ADD COLUMN ${columnDefinitionSql(column, after)}`, {
      subject: column.name,
      undo: [`ALTER TABLE ${table} DROP COLUMN ${quoted(column.name)}`],
    });
  }
}

/** Drops the indexes and triggers that the design no longer has, or has in another form. */
export function addDrops(builder: PlanBuilder, before: TableDesign, after: TableDesign): void {
  for (const { name } of changedIndexes(before, after)) builder.drop('index', name);
  for (const { name } of changedTriggers(before, after)) builder.drop('trigger', name);
}

export function addCreations(builder: PlanBuilder, after: TableDesign): void {
  for (const index of after.indexes) {
    if (!builder.rehearsal.entryOf(index.name, 'index')) addIndex(builder, index, after);
  }
  addMissingTriggers(builder, after);
}

export function addMissingTriggers(builder: PlanBuilder, after: TableDesign): void {
  for (const trigger of after.triggers) {
    if (!builder.rehearsal.entryOf(trigger.name, 'trigger')) builder.create('trigger', trigger);
  }
}

export function addIndex(builder: PlanBuilder, index: IndexDesign, table: TableDesign): void {
  builder.create('index', { name: index.name, sql: createIndexSql(index, table) });
}

function changedIndexes(before: TableDesign, after: TableDesign): TableDesign['indexes'] {
  const canonicalAfter = new CanonicalDesign(after);
  const kept = new Set(after.indexes.map(index => canonicalAfter.index(index)));
  const canonicalBefore = new CanonicalDesign(before);
  return before.indexes.filter(index => !kept.has(canonicalBefore.index(index)));
}

export function changedTriggers(before: TableDesign, after: TableDesign): TableDesign['triggers'] {
  return before.triggers.filter(
    trigger => !after.triggers.some(({ name, sql }) => isSameName(name, trigger.name) && sql === trigger.sql),
  );
}
