import { parseStatement } from '../../sql/parser/parser.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import type { ColumnDesign, TableDesign } from '../../protocol/tableDesign.ts';
import { isExpression } from './expressionNames.ts';
import type { PlanRefusal } from './plan.ts';
import type { SchemaEntry } from '../catalog/schemaEntries.ts';

type Fault = Omit<PlanRefusal, 'place'>;

/** Faults that the texts of a design show, each with the place of its field. SQLite finds the others when the plan is tried. */
export function designFaults(
  design: TableDesign,
  before: TableDesign | undefined,
  schema: readonly SchemaEntry[],
): PlanRefusal[] {
  const isOwn = (table: string): boolean => before !== undefined && isSameName(table, before.name);
  const takenNames = schema.filter(({ kind, table }) => kind !== 'trigger' && !isOwn(table)).map(({ name }) => name);
  return [
    ...at('name', nameFault(design.name, takenNames)),
    ...columnFaults(design),
    ...keyFaults(design),
    ...design.uniqueKeys.flatMap((key, index) => at(`uniqueKeys/${index}`, emptyListFault(key.columns))),
    ...design.checks.flatMap((check, index) => at(`checks/${index}`, expressionFault(check.expression))),
    ...foreignKeyFaults(design),
    ...indexFaults(design, takenNames),
    ...triggerFaults(design, before),
  ];
}

const at = (place: string, fault: Fault | undefined): PlanRefusal[] => (fault ? [{ ...fault, place }] : []);

/** Why a table or an index cannot have a name. `others` are the tables, views and indexes of the project. */
export function nameFault(name: string, others: readonly string[]): Fault | undefined {
  if (/^sqlite_/i.test(name)) return { code: 'reservedName', subject: name };
  const same = others.find(other => isSameName(other, name));
  return same === undefined ? wordFault(name) : { code: 'nameTaken', subject: same };
}

function wordFault(name: string): Fault | undefined {
  if (name === '') return { code: 'noName', subject: '' };
  return name.includes('\0') ? { code: 'nulInName', subject: '' } : undefined;
}

function columnFaults({ name: table, columns, primaryKey }: TableDesign): PlanRefusal[] {
  if (columns.every(({ generated }) => generated !== undefined)) return at('', { code: 'noColumns', subject: table });
  const seen = new Set<string>();
  return columns.flatMap(column => {
    const { id, name, type, defaultValue, generated, checks } = column;
    const place = (field: string): string => `columns/${id}/${field}`;
    const isRepeated = seen.has(keyOf(name));
    seen.add(keyOf(name));
    const isInKey = primaryKey?.columns.some(part => part.column === id) ?? false;
    return [
      ...at(place('name'), wordFault(name) ?? (isRepeated ? { code: 'columnRepeated', subject: name } : undefined)),
      ...at(place('type'), isType(type) ? undefined : { code: 'unreadableType', subject: name }),
      ...at(place('defaultValue'), defaultValue === undefined ? undefined : defaultFault(defaultValue)),
      ...at(place('generated'), generated && generatedFault(column, isInKey)),
      ...checks.flatMap((check, index) => at(place(`checks/${index}`), expressionFault(check.expression))),
    ];
  });
}

/** Whether a text is read as a type and nothing else, as `VARCHAR(20)`. */
function isType(type: string): boolean {
  if (type === '') return true;
  const column = soleColumn(`CREATE TABLE t(c ${type})`);
  return column?.colType !== undefined && column.constraints.length === 0;
}

function defaultFault(text: string): Fault | undefined {
  const [constraint, ...others] = soleColumn(`CREATE TABLE t(c DEFAULT ${text}\n)`)?.constraints ?? [];
  if (constraint?.constraint.type === 'DefaultColumnConstraint' && others.length === 0) return undefined;
  return { code: isExpression(text) ? 'bareDefault' : 'unreadableDefault', subject: text.trim() };
}

function generatedFault({ name, generated, defaultValue }: ColumnDesign, isInKey: boolean): Fault | undefined {
  if (defaultValue !== undefined) return { code: 'generatedWithDefault', subject: name };
  if (isInKey) return { code: 'generatedKey', subject: name };
  return expressionFault(generated?.expression ?? '');
}

function expressionFault(expression: string): Fault | undefined {
  if (expression.trim() === '') return { code: 'noExpression', subject: '' };
  return isExpression(expression) ? undefined : { code: 'unreadableExpression', subject: expression };
}

const emptyListFault = (list: readonly unknown[]): Fault | undefined =>
  list.length === 0 ? { code: 'emptyList', subject: '' } : undefined;

function keyFaults({ name, primaryKey, withoutRowid, columns }: TableDesign): PlanRefusal[] {
  if (withoutRowid && !primaryKey) return at('', { code: 'noKeyForWithoutRowid', subject: name });
  if (primaryKey?.autoincrement !== true) return [];
  const [part] = primaryKey.columns;
  const column = columns.find(({ id }) => id === part?.column);
  const isRowId = primaryKey.columns.length === 1 && /^integer$/i.test(column?.type ?? '') && !withoutRowid;
  return at('', isRowId ? undefined : { code: 'noKeyForAutoincrement', subject: column?.name ?? name });
}

function foreignKeyFaults({ foreignKeys }: TableDesign): PlanRefusal[] {
  return foreignKeys.flatMap(({ table, from, columns }, index) => {
    const place = (field: string): string => `foreignKeys/${index}/${field}`;
    return [
      ...at(place('table'), table === '' ? { code: 'noTableChosen', subject: '' } : undefined),
      ...at(place('from'), emptyListFault(from)),
      ...columns.flatMap((column, part) =>
        at(place(`from/${part}/to`), column === '' ? { code: 'noColumnChosen', subject: '' } : undefined),
      ),
    ];
  });
}

function indexFaults({ indexes }: TableDesign, takenNames: readonly string[]): PlanRefusal[] {
  return indexes.flatMap(({ name, parts, where }, index) => {
    const place = (field: string): string => `indexes/${index}/${field}`;
    const others = indexes.slice(0, index).map(earlier => earlier.name);
    return [
      ...at(place('name'), nameFault(name, [...others, ...takenNames])),
      ...at(place('parts'), emptyListFault(parts)),
      ...parts.flatMap((part, position) =>
        at(place(`parts/${position}`), 'column' in part ? undefined : expressionFault(part.expression)),
      ),
      ...at(place('where'), where === undefined ? undefined : expressionFault(where)),
    ];
  });
}

/** The text of a trigger must not be another statement. Unchanged ones follow a rename of their table. */
function triggerFaults(design: TableDesign, before: TableDesign | undefined): PlanRefusal[] {
  return design.triggers.flatMap(({ name, sql }) => {
    if (before?.triggers.some(other => other.name === name && other.sql === sql)) return [];
    const { ast, fault } = parseStatement(sql);
    const isTrigger =
      !fault &&
      ast?.type === 'CreateTriggerStmt' &&
      !ast.temporary &&
      isSameName(ast.triggerName.objName.text, name) &&
      isSameName(ast.tblName.objName.text, design.name);
    return at('', isTrigger ? undefined : { code: 'unreadableTrigger', subject: name });
  });
}

/** The column of a CREATE TABLE that has one column and no constraints. */
function soleColumn(sql: string) {
  const { ast, fault } = parseStatement(sql);
  if (fault || ast?.type !== 'CreateTableStmt' || ast.body.type !== 'ColumnsAndConstraintsCreateTableBody') {
    return undefined;
  }
  const { columns, constraints = [] } = ast.body;
  return columns.length === 1 && constraints.length === 0 ? columns[0] : undefined;
}
