import { randomUUID } from 'node:crypto';
import {
  emptyDesign,
  type Check,
  type ColumnDesign,
  type IndexDesign,
  type KeyPart,
  type ReferenceDesign,
  type TableDesign,
} from '../../protocol/tableDesign.ts';
import { isSameName } from '../../sql/text/names.ts';
import { renameInExpression } from './expressionNames.ts';

export type DesignRefusal = 'missing' | 'view' | 'virtualTable' | 'shadowTable' | 'systemTable' | 'unreadable';

export function newTableDesign(name: string): TableDesign {
  const id: ColumnDesign = { ...newColumn('id'), type: 'INTEGER' };
  const primaryKey = { columns: [{ column: id.id }], autoincrement: false };
  return { ...emptyDesign, name, columns: [id], primaryKey };
}

/** The ids of removed objects are not used again: a plan would take the new object for the old one. */
export const newColumn = (name: string): ColumnDesign => plainColumn(randomUUID(), name, 'TEXT');

export function plainColumn(id: string, name: string, type: string): ColumnDesign {
  return {
    id,
    name,
    type,
    notNull: undefined,
    defaultValue: undefined,
    generated: undefined,
    collation: undefined,
    unique: undefined,
    checks: [],
    references: undefined,
  };
}

export function newIndex(name: string): IndexDesign {
  return { id: randomUUID(), name, unique: false, parts: [], where: undefined };
}

/** The design without a column, and without the keys and indexes that need it. Expressions stay as they are. */
export function removeColumn(design: TableDesign, id: string): TableDesign {
  const { primaryKey } = design;
  const lacks = ({ columns }: { readonly columns: readonly KeyPart[] }): boolean =>
    columns.every(({ column }) => column !== id);
  return {
    ...design,
    columns: design.columns.filter(column => column.id !== id),
    primaryKey: primaryKey && lacks(primaryKey) ? primaryKey : undefined,
    uniqueKeys: design.uniqueKeys.filter(lacks),
    foreignKeys: design.foreignKeys.filter(({ from }) => !from.includes(id)),
    indexes: design.indexes.filter(({ parts }) => parts.every(part => !('column' in part) || part.column !== id)),
  };
}

/** The design with another name of a column, in expressions and in references to the table itself, too. */
export function renameColumn(design: TableDesign, id: string, name: string): TableDesign {
  const column = design.columns.find(candidate => candidate.id === id);
  if (!column) return design;
  const inExpression = (expression: string): string =>
    renameInExpression(expression, { table: design.name, column: column.name, newColumn: name });
  const renamed = changeTexts(design, inExpression, reference =>
    isSameName(reference.table, design.name)
      ? { columns: reference.columns.map(other => (isSameName(other, column.name) ? name : other)) }
      : {},
  );
  return { ...renamed, columns: renamed.columns.map(other => (other.id === id ? withName(other, name) : other)) };
}

const withName = (column: ColumnDesign, name: string): ColumnDesign => ({ ...column, name });

/** The design with another name of the table, in expressions and in references to the table itself, too. */
export function withTableName(design: TableDesign, name: string): TableDesign {
  const inExpression = (expression: string): string =>
    renameInExpression(expression, { table: design.name, newTable: name });
  const renamed = changeTexts(design, inExpression, reference =>
    isSameName(reference.table, design.name) ? { table: name } : {},
  );
  return { ...renamed, name };
}

function changeTexts(
  design: TableDesign,
  inExpression: (expression: string) => string,
  inReference: (reference: ReferenceDesign) => Partial<ReferenceDesign>,
): TableDesign {
  const inCheck = (check: Check): Check => ({ ...check, expression: inExpression(check.expression) });
  const withReference = <R extends ReferenceDesign>(reference: R): R => ({ ...reference, ...inReference(reference) });
  return {
    ...design,
    columns: design.columns.map(column => ({
      ...column,
      checks: column.checks.map(inCheck),
      generated: column.generated && {
        ...column.generated,
        expression: inExpression(column.generated.expression),
      },
      references: column.references && withReference(column.references),
    })),
    checks: design.checks.map(inCheck),
    foreignKeys: design.foreignKeys.map(withReference),
    indexes: design.indexes.map(index => ({
      ...index,
      parts: index.parts.map(part =>
        'column' in part ? part : { ...part, expression: inExpression(part.expression) },
      ),
      where: index.where === undefined ? undefined : inExpression(index.where),
    })),
  };
}
