import type { SchemaEntry } from '../catalog/schemaEntries.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';

/** One statement of a plan. Each call runs one, and each is committed at once. */
export interface PlanStep {
  readonly code: StepCode;
  readonly sql: string;
  /** The table or other object that the step is about. In a rebuild it is the table by its own name. */
  readonly subject: string;
  /** A further name: the new name of a rename, the copy or the old table of a rebuild, or the writes that a lock refuses. */
  readonly other?: string | undefined;
  /** Statements that revert the step, in their order. Undefined if it cannot be reverted. */
  readonly undo: readonly string[] | undefined;
}

/** The reason of a step. The host has a sentence for each. */
export type StepCode =
  | 'createTable'
  | 'createIndex'
  | 'createTrigger'
  | 'createView'
  | 'dropIndex'
  | 'dropTrigger'
  | 'dropView'
  | 'renameTable'
  | 'renameColumn'
  | 'addColumn'
  | 'dropColumn'

  /** Refuse writes to a table while it is rebuilt. */
  | 'lockTable'
  | 'unlockTable'
  /** A table beside the old one, with the new definition. */
  | 'createCopy'
  /** AUTOINCREMENT continues where it was. */
  | 'copySequence'
  | 'copyRows'
  /** Reads only. The statement fails if the copy does not have the rows of the table. */
  | 'compareRows'
  /** The old table gets another name. */
  | 'setAside'
  /** The copy gets the name of the table. */
  | 'putInPlace'
  /** Reads only. The statement fails if an object that was created since still names the old table. */
  | 'checkUses'
  /** Nothing needs the old table any more. From here on, the plan cannot be reverted. */
  | 'dropOld';

/** A fact that the user should know before a plan runs. */
export interface PlanWarning {
  readonly code: WarningCode;
  readonly subject: string;
  readonly other?: string | undefined;
  /** Selects as `rows`, before the plan runs, how many rows are concerned. With none, there is nothing to warn about. */
  readonly countSql?: string | undefined;
}

type WarningCode =
  | 'columnDropped'
  /** A column stays for now, and each new row needs a value in it. */
  | 'valueNeeded'
  /** Values are stored in another type, because the column has another affinity. */
  | 'valuesConverted'
  /** Rows without a value, where the design wants one: the copy fails. */
  | 'nullsRefused'
  | 'typesRefused'
  /** Rows that have the same key: the copy fails. */
  | 'keysRepeated'
  /** Rows that break a new check: the copy fails. */
  | 'checkBroken'
  /** Rows without their referenced row: the copy fails. */
  | 'referenceMissing'
  /** A table that refers to this one is rebuilt with it. */
  | 'tableRebuilt'
  /** Writes to the table are refused while it is rebuilt. */
  | 'writesRefused'
  /** The rows get other row ids, since the design has no way to set them. */
  | 'rowIdsChange'
  /** Words of the stored statement that the design does not keep. */
  | 'wordsLost'
  /** A view or trigger that does not work after the change. */
  | 'brokenObject';

export interface PlanRefusal {
  readonly code: RefusalCode;
  /** The place of the field in the design, if one is at fault. */
  readonly place?: string | undefined;
  readonly subject: string;
  readonly other?: string | undefined;
}

type RefusalCode =
  | 'noName'
  | 'nulInName'
  | 'reservedName'
  | 'nameTaken'
  | 'columnRepeated'
  | 'noColumns'
  | 'unreadableType'
  /** A default is an expression without parentheses. */
  | 'bareDefault'
  | 'unreadableDefault'
  | 'generatedWithDefault'
  | 'generatedKey'
  | 'noExpression'
  | 'unreadableExpression'
  | 'emptyList'
  | 'noTableChosen'
  | 'noColumnChosen'
  | 'noKeyForWithoutRowid'
  | 'noKeyForAutoincrement'
  /** The text of a trigger is not a CREATE TRIGGER with its name on this table. */
  | 'unreadableTrigger'
  /** Tables refer to each other in a circle, so none can be copied first. */
  | 'foreignKeyCycle'
  /** Rows refer to rows of the same table with ON DELETE RESTRICT, so that the old table could not be dropped. */
  | 'restrictedSelfReference'
  /** The new table has no column of the old one. */
  | 'nothingToCopy'
  /** A table that must be rebuilt with this one cannot be. */
  | 'tableNotDesignable'
  /** A table of a stopped rebuild is in the way. */
  | 'unfinishedRebuild'
  /** SQLite refuses a statement of the plan; `other` is its message. */
  | 'refusedBySqlite'
  /** The table would not be as the design says. Its statements are for review. */
  | 'resultDiffers'
  /** The stored table is no longer the one that the design was read from. */
  | 'tableChanged';

export interface ChangePlan {
  /** `alter` changes the table in place; `rebuild` copies its rows into a new one. */
  readonly way: 'none' | 'create' | 'alter' | 'rebuild';
  readonly steps: readonly PlanStep[];
  readonly warnings: readonly PlanWarning[];
  /** A plan with refusals must not run. Its steps, if any, are for review. */
  readonly refusals: readonly PlanRefusal[];
}

/** Asks for a plan with `planChange(request): Promise<ChangePlan>` in `changePlan.ts`. */
export interface ChangeRequest {
  /** As it was read from the schema. Undefined for a new table. */
  readonly before: TableDesign | undefined;
  readonly after: TableDesign;
  /** The project's schema, as it was when `before` was read. */
  readonly schema: readonly SchemaEntry[];
}
