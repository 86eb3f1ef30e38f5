import {
  arrayOf,
  asBoolean,
  asString,
  firstOf,
  type Infer,
  object,
  oneOf,
  optional,
  orUndefined,
  variant,
} from '../base/decode.ts';

/** The design of a table as the designer's page edits it. Texts of expressions are SQL. Keys name columns by their ids. */

/** SQLite has no table with more columns. */
const maxColumns = 32_767;
const maxParts = 10_000;

export const conflictActions = ['ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'REPLACE'] as const;
export const foreignKeyActions = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'] as const;

const asConflictAction = oneOf(conflictActions);
const asForeignKeyAction = oneOf(foreignKeyActions);

const constraint = { name: optional(asString) } as const;
const conflictConstraint = { ...constraint, onConflict: optional(asConflictAction) } as const;

const decodeCheck = object({ ...constraint, expression: asString });
export type Check = Infer<typeof decodeCheck>;

const keyPart = {
  column: asString,
  collation: optional(asString),
  descending: optional(asBoolean),
} as const;
const decodeKeyPart = object(keyPart);
export type KeyPart = Infer<typeof decodeKeyPart>;

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
export type Reference = Infer<typeof decodeReference>;

const decodeForeignKey = object({ ...reference, from: arrayOf(asString, maxColumns) });
export type ForeignKey = Infer<typeof decodeForeignKey>;

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
export type ColumnDesign = Infer<typeof decodeColumn>;

const keyColumns = arrayOf(decodeKeyPart, maxColumns);
const decodePrimaryKey = object({
  ...conflictConstraint,
  columns: keyColumns,
  autoincrement: asBoolean,
  isTableConstraint: optional(asBoolean),
});
export type PrimaryKey = Infer<typeof decodePrimaryKey>;

const decodeUniqueKey = object({ ...conflictConstraint, columns: keyColumns });
export type UniqueKey = Infer<typeof decodeUniqueKey>;

const decodeExpressionPart = object({ expression: asString, descending: optional(asBoolean) });
const decodeIndexPart = firstOf(decodeKeyPart, decodeExpressionPart);
/** A part of an index: a column or an expression. */
export type IndexPart = Infer<typeof decodeIndexPart>;

const decodeIndex = object({
  id: asString,
  name: asString,
  unique: asBoolean,
  parts: arrayOf(decodeIndexPart, maxColumns),
  where: orUndefined(asString),
});
export type IndexDesign = Infer<typeof decodeIndex>;

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
  triggers: arrayOf(object({ id: asString, name: asString, sql: asString }), maxParts),
  comments: arrayOf(asString, maxParts),
  lostWords: arrayOf(asString, maxParts),
});
export type TableDesign = Infer<typeof decodeTableDesign>;

/** A change that needs the SQL parser or a new id, so that the host makes it. */
export const decodeDesignChange = variant('kind', {
  /** Behind the column with this id; at the end without one. */
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
