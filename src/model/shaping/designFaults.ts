import { parseStatement } from '../../sql/parser/parser.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { isExpression } from './expressionNames.ts';
import type { PlanRefusal } from './plan.ts';
import { entryOf, type SchemaEntry } from './schemaEntries.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';

/** Faults that the texts of a design show. SQLite finds the others when the plan is tried. */
export function designFaults(
  design: TableDesign,
  before: TableDesign | undefined,
  schema: readonly SchemaEntry[],
): PlanRefusal[] {
  return [
    ...nameFaults(design, before, schema),
    ...columnFaults(design),
    ...keyFaults(design),
    ...indexFaults(design, before, schema),
    ...expressionFaults(design),
    ...triggerFaults(design, before),
  ];
}

function nameFaults(
  { name }: TableDesign,
  before: TableDesign | undefined,
  schema: readonly SchemaEntry[],
): PlanRefusal[] {
  if (name === '') return [{ code: 'noName', subject: '' }];
  if (/^sqlite_/i.test(name)) return [{ code: 'reservedName', subject: name }];
  const isOwn = before !== undefined && isSameName(before.name, name);
  const isTaken = !isOwn && entryOf(schema, name, ['table', 'view', 'index']) !== undefined;
  return isTaken ? [{ code: 'nameTaken', subject: name }] : [];
}

function columnFaults({ name, columns }: TableDesign): PlanRefusal[] {
  if (columns.every(({ generated }) => generated !== undefined)) return [{ code: 'noColumns', subject: name }];
  const seen = new Set<string>();
  return columns.flatMap((column): PlanRefusal[] => {
    if (column.name === '') return [{ code: 'noName', subject: name }];
    const key = keyOf(column.name);
    if (seen.has(key)) return [{ code: 'nameRepeated', subject: column.name }];
    seen.add(key);
    return [];
  });
}

function keyFaults({ name, primaryKey, withoutRowid, columns }: TableDesign): PlanRefusal[] {
  if (withoutRowid && !primaryKey) return [{ code: 'noKeyForWithoutRowid', subject: name }];
  if (primaryKey?.autoincrement !== true) return [];
  const [part] = primaryKey.columns;
  const column = columns.find(({ id }) => id === part?.column);
  const isRowId = primaryKey.columns.length === 1 && /^integer$/i.test(column?.type ?? '') && !withoutRowid;
  return isRowId ? [] : [{ code: 'noKeyForAutoincrement', subject: column?.name ?? name }];
}

function indexFaults(
  { name, indexes }: TableDesign,
  before: TableDesign | undefined,
  schema: readonly SchemaEntry[],
): PlanRefusal[] {
  const seen = new Set<string>();
  return indexes.flatMap((index): PlanRefusal[] => {
    if (index.name === '') return [{ code: 'noName', subject: name }];
    if (/^sqlite_/i.test(index.name)) return [{ code: 'reservedName', subject: index.name }];
    if (index.parts.length === 0) return [{ code: 'noIndexParts', subject: index.name }];
    const key = keyOf(index.name);
    if (seen.has(key)) return [{ code: 'nameRepeated', subject: index.name }];
    seen.add(key);
    const isOwn = before?.indexes.some(other => isSameName(other.name, index.name)) === true;
    const isTaken = !isOwn && entryOf(schema, index.name, ['table', 'view', 'index']) !== undefined;
    return isTaken ? [{ code: 'nameTaken', subject: index.name }] : [];
  });
}

function expressionFaults(design: TableDesign): PlanRefusal[] {
  const checks = [...design.checks, ...design.columns.flatMap(column => column.checks)];
  const texts: readonly (readonly [subject: string, text: string | undefined])[] = [
    ...checks.map(({ name, expression }) => [name ?? design.name, expression] as const),
    ...design.columns.map(({ name, generated }) => [name, generated?.expression] as const),
    ...design.columns.map(({ name, defaultValue }) => [name, defaultValue] as const),
    ...design.indexes.flatMap(({ name, parts, where }) => [
      [name, where] as const,
      ...parts.map(part => [name, 'column' in part ? undefined : part.expression] as const),
    ]),
  ];
  return texts
    .filter(([, text]) => text !== undefined && !isExpression(text))
    .map(([subject, text]) => ({ code: 'unreadableExpression', subject, other: text }));
}

/** The text of a trigger must not be another statement. Unchanged ones follow a rename of their table. */
function triggerFaults(design: TableDesign, before: TableDesign | undefined): PlanRefusal[] {
  return design.triggers.flatMap((trigger): PlanRefusal[] => {
    const { name, sql } = trigger;
    if (before?.triggers.some(other => other.name === name && other.sql === sql)) return [];
    const { ast, fault } = parseStatement(sql);
    const isTrigger =
      !fault &&
      ast?.type === 'CreateTriggerStmt' &&
      !ast.temporary &&
      isSameName(ast.triggerName.objName.text, name) &&
      isSameName(ast.tblName.objName.text, design.name);
    return isTrigger ? [] : [{ code: 'unreadableTrigger', subject: name }];
  });
}
