import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  type Decoder,
  firstOf,
  type Infer,
  object,
  oneOf,
  optional,
  orUndefined,
  variant,
} from '../base/decode.ts';

/** A table as its designer shows it. Texts of expressions are SQL. Columns are named by their ids, which no edit changes. */
export interface TableDesign {
  readonly name: string;
  readonly columns: readonly ColumnDesign[];
  readonly primaryKey: PrimaryKey | undefined;
  readonly uniqueKeys: readonly UniqueKeyDesign[];
  readonly checks: readonly Check[];
  readonly foreignKeys: readonly ForeignKeyDesign[];
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
  /** The text after DEFAULT: a literal, a name such as CURRENT_TIMESTAMP, or an expression in parentheses. */
  readonly defaultValue: string | undefined;
  readonly generated: Generated | undefined;
  readonly collation: string | undefined;
  readonly unique: Unique | undefined;
  readonly checks: readonly Check[];
  readonly references: ReferenceDesign | undefined;
}

/** The parts that constraints may have. */
export interface Constraint {
  readonly name?: string | undefined;
}

const conflictActions = ['ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'REPLACE'] as const;
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
   * Whether it is a constraint of the table although it has only one column. To SQLite, `PRIMARY KEY DESC` beside a column and
   * `PRIMARY KEY (column DESC)` differ.
   */
  readonly isTableConstraint?: boolean | undefined;
}

export interface UniqueKeyDesign extends Constraint {
  readonly columns: readonly KeyPart[];
  readonly onConflict?: ConflictAction | undefined;
}

export const foreignKeyActions = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'] as const;
export type ForeignKeyAction = (typeof foreignKeyActions)[number];

/** A REFERENCES clause. */
export interface ReferenceDesign extends Constraint {
  readonly table: string;
  /** Names of the other table's columns. Empty for its primary key. */
  readonly columns: readonly string[];
  readonly onDelete?: ForeignKeyAction | undefined;
  readonly onUpdate?: ForeignKeyAction | undefined;
  readonly match?: string | undefined;
  /** `DEFERRABLE INITIALLY DEFERRED` or another such clause. */
  readonly deferral?: string | undefined;
}

/** A foreign key as a constraint of the table. A key of one column is usually {@link ColumnDesign.references}. */
export interface ForeignKeyDesign extends ReferenceDesign {
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

interface TriggerDesign {
  readonly id: string;
  readonly name: string;
  /** The whole CREATE TRIGGER statement. */
  readonly sql: string;
}

/** SQLite has no table with more columns. */
const maxColumns = 32_767;
const maxParts = 10_000;

const asConflictAction = oneOf(conflictActions);
const asForeignKeyAction = oneOf(foreignKeyActions);

const constraint = { name: optional(asString) } as const;
const conflictConstraint = { ...constraint, onConflict: optional(asConflictAction) } as const;

const decodeCheck = object({ ...constraint, expression: asString });

const keyPart = {
  column: asString,
  collation: optional(asString),
  descending: optional(asBoolean),
} as const;
const decodeKeyPart = object(keyPart);

const reference = {
  ...constraint,
  table: asString,
  columns: arrayOf(asString, maxColumns),
  onDelete: optional(asForeignKeyAction),
  onUpdate: optional(asForeignKeyAction),
  match: optional(asString),
  deferral: optional(asString),
} as const;
const decodeReference = object(reference);

const decodeForeignKey = object({ ...reference, from: arrayOf(asString, maxColumns) });

const decodeColumn = object({
  id: asString,
  name: asString,
  type: asString,
  notNull: orUndefined(object(conflictConstraint)),
  defaultValue: orUndefined(asString),
  generated: orUndefined(object({ expression: asString, stored: asBoolean })),
  collation: orUndefined(asString),
  unique: orUndefined(object(conflictConstraint)),
  checks: arrayOf(decodeCheck, maxParts),
  references: orUndefined(decodeReference),
});

const keyColumns = arrayOf(decodeKeyPart, maxColumns);
const decodePrimaryKey = object({
  ...conflictConstraint,
  columns: keyColumns,
  autoincrement: asBoolean,
  isTableConstraint: optional(asBoolean),
});

const decodeUniqueKey = object({ ...conflictConstraint, columns: keyColumns });

const decodeExpressionPart = object({ expression: asString, descending: optional(asBoolean) });
const decodeIndexPart = firstOf(decodeKeyPart, decodeExpressionPart);

const decodeIndex = object({
  id: asString,
  name: asString,
  unique: asBoolean,
  parts: arrayOf(decodeIndexPart, maxColumns),
  where: orUndefined(asString),
});

export const decodeTableDesign: Decoder<TableDesign> = object({
  name: asString,
  columns: arrayOf(decodeColumn, maxColumns),
  primaryKey: orUndefined(decodePrimaryKey),
  uniqueKeys: arrayOf(decodeUniqueKey, maxParts),
  checks: arrayOf(decodeCheck, maxParts),
  foreignKeys: arrayOf(decodeForeignKey, maxParts),
  strict: asBoolean,
  withoutRowid: asBoolean,
  indexes: arrayOf(decodeIndex, maxParts),
  triggers: arrayOf(object({ id: asString, name: asString, sql: asString }), maxParts),
  comments: arrayOf(asString, maxParts),
  lostWords: arrayOf(asString, maxParts),
});

/** A change that needs the SQL parser or a new id, so that the host makes it. */
export const decodeDesignChange = variant('kind', {
  /** The new column comes after the column with this id; at the end without one. */
  addColumn: object({ after: orUndefined(asString) }),
  removeColumn: object({ id: asString }),
  renameColumn: object({ id: asString, name: asString }),
  renameTable: object({ name: asString }),
  addIndex: object({}),
});
export type DesignChange = Infer<typeof decodeDesignChange>;

const decodeTypedName = object({
  /** The column's id; undefined for the table itself. */
  id: orUndefined(asString),
  name: asString,
});
export type TypedName = Infer<typeof decodeTypedName>;

/** A design with the name that the user types now. The expressions of the design have it once the user has left the field. */
export const decodeDesignDraft = object({
  design: decodeTableDesign,
  typedName: orUndefined(decodeTypedName),
});
export type DesignDraft = Infer<typeof decodeDesignDraft>;

/** A draft that the page and the host exchange while both can replace it. */
export const decodeSharedDraft = object({
  design: decodeTableDesign,
  typedName: orUndefined(decodeTypedName),
  /** The number of the design that the host gave the page last. */
  givenNumber: asCount,
  /** How many edits the draft has. Undefined in a design that drops all edits. */
  editCount: orUndefined(asCount),
});
export type SharedDraft = Infer<typeof decodeSharedDraft>;
