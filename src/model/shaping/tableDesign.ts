import { randomUUID } from 'node:crypto';
import { isSameName } from '../../sql/text/names.ts';
import { renameInExpression } from './expressionNames.ts';

/** A table as its designer shows it. Texts of expressions are SQL. Columns are named by their ids, which no edit changes. */
export interface TableDesign {
  readonly name: string;
  readonly columns: readonly ColumnDesign[];
  readonly primaryKey: PrimaryKey | undefined;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly checks: readonly Check[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly strict: boolean;
  readonly withoutRowid: boolean;
  readonly indexes: readonly IndexDesign[];
  readonly triggers: readonly TriggerDesign[];
  /** The comments of the stored statement, as they are written. A rebuild writes them above the columns. */
  readonly comments: readonly string[];
  /** Words of the stored statement that have no place here, such as the name of a DEFAULT. */
  readonly lostWords: readonly string[];
}

export interface ColumnDesign {
  readonly id: string;
  readonly name: string;
  /** Empty without one. */
  readonly type: string;
  readonly notNull: NotNull | undefined;
  /** The text behind DEFAULT: a literal, a name such as CURRENT_TIMESTAMP, or an expression in parentheses. */
  readonly defaultValue: string | undefined;
  readonly generated: Generated | undefined;
  readonly collation: string | undefined;
  readonly unique: Unique | undefined;
  readonly checks: readonly Check[];
  readonly references: Reference | undefined;
}

/** The parts that constraints may have. */
export interface Constraint {
  readonly name?: string | undefined;
}

export const conflictActions = ['ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'REPLACE'] as const;
export type ConflictAction = (typeof conflictActions)[number];

export interface NotNull extends Constraint {
  readonly onConflict?: ConflictAction | undefined;
}

/** A UNIQUE of one column. */
export interface Unique extends Constraint {
  readonly onConflict?: ConflictAction | undefined;
}

export interface Generated {
  /** Without the parentheses around it. */
  readonly expression: string;
  readonly stored: boolean;
}

export interface Check extends Constraint {
  /** Without the parentheses around it. */
  readonly expression: string;
}

/** A column of a key. */
export interface KeyPart {
  /** The column's id. */
  readonly column: string;
  readonly collation?: string | undefined;
  readonly descending?: boolean | undefined;
}

export interface PrimaryKey extends Constraint {
  readonly columns: readonly KeyPart[];
  readonly autoincrement: boolean;
  readonly onConflict?: ConflictAction | undefined;
  /**
   * Whether it stands behind the columns although it has only one column. To SQLite, `PRIMARY KEY DESC` beside a column and
   * `PRIMARY KEY (column DESC)` differ.
   */
  readonly isTableConstraint?: boolean | undefined;
}

export interface UniqueKey extends Constraint {
  readonly columns: readonly KeyPart[];
  readonly onConflict?: ConflictAction | undefined;
}

export const foreignKeyActions = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'] as const;
export type ForeignKeyAction = (typeof foreignKeyActions)[number];

/** A REFERENCES clause. */
export interface Reference extends Constraint {
  readonly table: string;
  /** Names of the other table's columns. Empty for its primary key. */
  readonly columns: readonly string[];
  readonly onDelete?: ForeignKeyAction | undefined;
  readonly onUpdate?: ForeignKeyAction | undefined;
  readonly match?: string | undefined;
  /** `DEFERRABLE INITIALLY DEFERRED` or another such clause. */
  readonly deferral?: string | undefined;
}

/** A foreign key that stands behind the columns. Those of one column are usually {@link ColumnDesign.references}. */
export interface ForeignKey extends Reference {
  /** The columns' ids. */
  readonly from: readonly string[];
}

/** A part of an index: a column or an expression, with its collation as SQL writes it. */
export type IndexPart = KeyPart | { readonly expression: string; readonly descending?: boolean | undefined };

export interface IndexDesign {
  readonly id: string;
  readonly name: string;
  readonly unique: boolean;
  readonly parts: readonly IndexPart[];
  /** The condition of a partial index. */
  readonly where: string | undefined;
}

export interface TriggerDesign {
  readonly id: string;
  readonly name: string;
  /** The whole CREATE TRIGGER statement. */
  readonly sql: string;
}

/** Why a table cannot be designed. */
export type DesignRefusal = 'missing' | 'view' | 'virtualTable' | 'shadowTable' | 'systemTable' | 'unreadable';

/** A design for a new table. */
export function newTableDesign(name: string): TableDesign {
  const id: ColumnDesign = { ...newColumn([], 'id'), type: 'INTEGER' };
  return {
    name,
    columns: [id],
    primaryKey: { columns: [{ column: id.id }], autoincrement: false },
    uniqueKeys: [],
    checks: [],
    foreignKeys: [],
    strict: false,
    withoutRowid: false,
    indexes: [],
    triggers: [],
    comments: [],
    lostWords: [],
  };
}

/** The ids of objects that the design has lost are not used again: a plan would take the new object for the old one. */
function newId(objects: readonly { readonly id: string }[]): string {
  let id = randomUUID();
  while (objects.some(object => object.id === id)) id = randomUUID();
  return id;
}

/** A column to add to a design. */
export function newColumn(columns: readonly ColumnDesign[], name: string): ColumnDesign {
  return {
    id: newId(columns),
    name,
    type: 'TEXT',
    notNull: undefined,
    defaultValue: undefined,
    generated: undefined,
    collation: undefined,
    unique: undefined,
    checks: [],
    references: undefined,
  };
}

/** An index to add to a design. */
export function newIndex(indexes: readonly IndexDesign[], name: string): IndexDesign {
  return { id: newId(indexes), name, unique: false, parts: [], where: undefined };
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
export function renameTable(design: TableDesign, name: string): TableDesign {
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
  inReference: (reference: Reference) => Partial<Reference>,
): TableDesign {
  const inCheck = (check: Check): Check => ({ ...check, expression: inExpression(check.expression) });
  const withReference = <R extends Reference>(reference: R): R => ({ ...reference, ...inReference(reference) });
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
