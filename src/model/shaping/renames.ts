import { freeName } from '../../sql/text/freeNames.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import type { PlanBuilder } from './planBuilder.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';
import { renameColumn, renameTable } from './tableDesign.ts';

/**
 * Renames the table and the columns that stay. SQLite rewrites the views, triggers and foreign keys that name them. Returns the
 * resulting design.
 */
export function addRenames(builder: PlanBuilder, before: TableDesign, after: TableDesign): TableDesign {
  let design = before;
  const toTable = (name: string): void => {
    builder.add('renameTable', `ALTER TABLE ${quoted(design.name)} RENAME TO ${quoted(name)}`, {
      subject: design.name,
      other: name,
      undo: [`ALTER TABLE ${quoted(name)} RENAME TO ${quoted(design.name)}`],
    });
    design = renameTable(design, name);
  };
  if (before.name !== after.name) {
    // To SQLite, a name in another letter case is already taken.
    if (isSameName(before.name, after.name)) toTable(freeName(`${after.name}_renamed`, tableNames(builder)));
    toTable(after.name);
  }
  const toColumn = (id: string, name: string): void => {
    const former = nameOf(design, id);
    const table = quoted(design.name);
    builder.add('renameColumn', `ALTER TABLE ${table} RENAME COLUMN ${quoted(former)} TO ${quoted(name)}`, {
      subject: former,
      other: name,
      undo: [`ALTER TABLE ${table} RENAME COLUMN ${quoted(name)} TO ${quoted(former)}`],
    });
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
