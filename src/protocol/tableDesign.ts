import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  firstOf,
  type Infer,
  object,
  oneOf,
  optional,
  orUndefined,
  variant,
} from '../base/decode.ts';

/** Tables as the designer shows them. Expressions are SQL text. Columns are referred to by ids, which no edit changes. */

/** SQLite allows no more columns. */
const maxColumns = 32_767;
const maxParts = 10_000;

export const conflictActions = ['ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'REPLACE'] as const;
export type ConflictAction = (typeof conflictActions)[number];

export const foreignKeyActions = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'] as const;
export type ForeignKeyAction = (typeof foreignKeyActions)[number];

/** These fields may be left out, or undefined: a design that is read from SQL has all of them. */
const optionalText = optional<string | undefined>(asString);
const optionalFlag = optional<boolean | undefined>(asBoolean);
const optionalAction = optional<ForeignKeyAction | undefined>(oneOf(foreignKeyActions));

/** Common to all constraints. */
const constraint = { name: optionalText } as const;
export interface Constraint {
  readonly name?: string | undefined;
}

/** A NOT NULL, or a UNIQUE of one column. */
const conflictConstraint = {
  ...constraint,
  onConflict: optional<ConflictAction | undefined>(oneOf(conflictActions)),
} as const;
const decodeConflictConstraint = object(conflictConstraint);

/** Without the parentheses around it. */
const decodeCheck = object({ ...constraint, expression: asString });
export type Check = Infer<typeof decodeCheck>;

/** Without the parentheses around it. */
const decodeGenerated = object({ expression: asString, stored: asBoolean });
export type Generated = Infer<typeof decodeGenerated>;

const decodeKeyPart = object({
  /** The column's id. */
  column: asString,
  collation: optionalText,
  descending: optionalFlag,
});
export type KeyPart = Infer<typeof decodeKeyPart>;

const keyConstraint = { ...conflictConstraint, columns: arrayOf(decodeKeyPart, maxColumns) } as const;

const decodePrimaryKey = object({
  ...keyConstraint,
  autoincrement: asBoolean,
  /** A key of one column as a constraint of the table: `PRIMARY KEY (column DESC)` differs from `PRIMARY KEY DESC`. */
  isTableConstraint: optionalFlag,
});
export type PrimaryKey = Infer<typeof decodePrimaryKey>;

const decodeUniqueKey = object(keyConstraint);
export type UniqueKeyDesign = Infer<typeof decodeUniqueKey>;

const reference = {
  ...constraint,
  table: asString,
  /** Names of the other table's columns. Empty for its primary key. */
  columns: arrayOf(asString, maxColumns),
  onDelete: optionalAction,
  onUpdate: optionalAction,
  match: optionalText,
  /** `DEFERRABLE INITIALLY DEFERRED` or another such clause. */
  deferral: optionalText,
} as const;
const decodeReference = object(reference);
export type ReferenceDesign = Infer<typeof decodeReference>;

/** A constraint of the table; a key of one column is usually {@link ColumnDesign.references}. `from` has ids of columns. */
const decodeForeignKey = object({ ...reference, from: arrayOf(asString, maxColumns) });
export type ForeignKeyDesign = Infer<typeof decodeForeignKey>;

const decodeColumn = object({
  id: asString,
  name: asString,
  /** Empty if the column has no type. */
  type: asString,
  notNull: orUndefined(decodeConflictConstraint),
  /** The text after DEFAULT: a literal, a name such as CURRENT_TIMESTAMP, or an expression in parentheses. */
  defaultValue: orUndefined(asString),
  generated: orUndefined(decodeGenerated),
  collation: orUndefined(asString),
  unique: orUndefined(decodeConflictConstraint),
  checks: arrayOf(decodeCheck, maxParts),
  references: orUndefined(decodeReference),
});
export type ColumnDesign = Infer<typeof decodeColumn>;

/** A column or an expression. An expression contains its collation as SQL. */
const decodeIndexPart = firstOf(decodeKeyPart, object({ expression: asString, descending: optionalFlag }));
export type IndexPart = Infer<typeof decodeIndexPart>;

const decodeIndex = object({
  id: asString,
  name: asString,
  unique: asBoolean,
  parts: arrayOf(decodeIndexPart, maxColumns),
  /** The condition of a partial index. */
  where: orUndefined(asString),
});
export type IndexDesign = Infer<typeof decodeIndex>;

/** `sql` is the whole CREATE TRIGGER statement. */
const decodeTrigger = object({ id: asString, name: asString, sql: asString });

export const decodeTableDesign = object({
  name: asString,
  columns: arrayOf(decodeColumn, maxColumns),
  primaryKey: orUndefined(decodePrimaryKey),
  uniqueKeys: arrayOf(decodeUniqueKey, maxParts),
  checks: arrayOf(decodeCheck, maxParts),
  foreignKeys: arrayOf(decodeForeignKey, maxParts),
  strict: asBoolean,
  withoutRowid: asBoolean,
  indexes: arrayOf(decodeIndex, maxParts),
  triggers: arrayOf(decodeTrigger, maxParts),
  /** The comments of the stored statement, as they are written. A rebuild writes them above the columns. */
  comments: arrayOf(asString, maxParts),
  /** Words of the stored statement that have no place here, such as the name of a DEFAULT. */
  lostWords: arrayOf(asString, maxParts),
});
export type TableDesign = Infer<typeof decodeTableDesign>;

/** The host makes these changes: they need the SQL parser or a new id. */
export const decodeDesignChange = variant('kind', {
  /** The new column follows the column with this id. Without an id, it is the last one. */
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

/** A design with the name that the user is typing. Expressions get the name when the user leaves the field. */
const designDraft = { design: decodeTableDesign, typedName: orUndefined(decodeTypedName) } as const;
export const decodeDesignDraft = object(designDraft);
export type DesignDraft = Infer<typeof decodeDesignDraft>;

/** A draft that page and host exchange. Both can replace it. */
export const decodeSharedDraft = object({
  ...designDraft,
  /** The number of the latest design that the host gave the page. */
  givenNumber: asCount,
  /** The number of edits. Undefined in a design that drops all edits. */
  editCount: orUndefined(asCount),
});
export type SharedDraft = Infer<typeof decodeSharedDraft>;

export const emptyDesign: TableDesign = {
  name: '',
  columns: [],
  primaryKey: undefined,
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
