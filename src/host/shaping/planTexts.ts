import { l10n } from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { ChangePlan, PlanRefusal, PlanStep, PlanWarning } from '../../model/shaping/plan.ts';
import type { DesignRefusal } from '../../model/shaping/tableDesign.ts';
import { numberText } from '../numbers.ts';

/** Says how the table gets its new form. */
export function planSummary({ way, steps }: ChangePlan): string {
  const count = steps.length;
  switch (way) {
    case 'none':
      return l10n.t('Nothing is changed.');
    case 'create':
      return count === 1 ? l10n.t('1 statement creates the table.') : l10n.t('{0} statements create the table.', count);
    case 'alter':
      return count === 1
        ? l10n.t('1 statement changes the table in place.')
        : l10n.t('{0} statements change the table in place.', count);
    case 'rebuild':
      return l10n.t(
        'SQLite cannot make this change in place. {0} statements rebuild the table: they copy its rows into a new one.',
        count,
      );
  }
}

/** A sentence about an object and a further name, by the meaning that the code gives them. */
type PlanText = (subject: string, other: string) => string;

const stepTitles: Readonly<Record<PlanStep['code'], PlanText>> = {
  createTable: subject => l10n.t("Create the table '{0}'", subject),
  createIndex: subject => l10n.t("Create the index '{0}'", subject),
  createTrigger: subject => l10n.t("Create the trigger '{0}'", subject),
  createView: subject => l10n.t("Create the view '{0}'", subject),
  dropIndex: subject => l10n.t("Drop the index '{0}'", subject),
  dropTrigger: subject => l10n.t("Drop the trigger '{0}'", subject),
  dropView: subject => l10n.t("Drop the view '{0}'", subject),
  renameTable: (subject, other) => l10n.t("Rename the table '{0}' to '{1}'", subject, other),
  renameColumn: (subject, other) => l10n.t("Rename the column '{0}' to '{1}'", subject, other),
  addColumn: subject => l10n.t("Add the column '{0}'", subject),
  dropColumn: subject => l10n.t("Drop the column '{0}' with its values", subject),
  lockTable: (subject, other) => l10n.t("Refuse {0} on '{1}' during the rebuild", other, subject),
  unlockTable: (subject, other) => l10n.t("Allow {0} on '{1}' again", other, subject),
  createCopy: (subject, other) => l10n.t("Create the new form of '{0}' as '{1}'", subject, other),
  copySequence: subject => l10n.t("Copy the last automatic number of '{0}'", subject),
  copyRows: (subject, other) => l10n.t("Copy the rows of '{0}' into '{1}'", subject, other),
  compareRows: (subject, other) => l10n.t("Compare the rows of '{0}' with those of '{1}'", other, subject),
  setAside: (subject, other) => l10n.t("Rename the old table '{0}' to '{1}'", subject, other),
  putInPlace: (subject, other) => l10n.t("Rename the new table '{0}' to '{1}'", other, subject),
  checkUses: (_subject, other) => l10n.t("Check that nothing uses the old table '{0}'", other),
  dropOld: (_subject, other) => l10n.t("Drop the old table '{0}'", other),
};

/** Says what a statement does. */
export const stepTitle = ({ code, subject, other = '' }: PlanStep): string => stepTitles[code](subject, other);

/** Says what a check of a rebuild has found, which SQLite's message hides. Undefined if the step failed otherwise. */
export function failedCheckText({ code, subject, other = '' }: PlanStep, error: unknown): string | undefined {
  const message = messageOf(error);
  if (code === 'compareRows' && message.includes('malformed JSON')) {
    return l10n.t("The rows of '{0}' differ from those of '{1}'.", other, subject);
  }
  const quotedUsers = code === 'checkUses' ? /still used by: (.+)'/s.exec(message)?.[1] : undefined;
  const users = quotedUsers?.replaceAll("''", "'");
  return users === undefined ? undefined : l10n.t("The old table '{0}' is still used by: {1}.", other, users);
}

/** A warning, with the number of rows that it concerns if they were counted. */
export function warningText(warning: PlanWarning, count?: bigint): string {
  const { code, subject, other = '' } = warning;
  const text = warningTexts[code](subject, other);
  if (count === undefined) return text;
  return count === 1n
    ? l10n.t('{0} It concerns 1 row.', text)
    : l10n.t('{0} It concerns {1} rows.', text, numberText(count));
}

const warningTexts: Readonly<Record<PlanWarning['code'], PlanText>> = {
  columnDropped: subject => l10n.t("The values of the column '{0}' are lost.", subject),
  valueNeeded: subject => l10n.t("Until the column '{0}' is dropped, each new row needs a value in it.", subject),
  valuesConverted: (subject, other) =>
    l10n.t("Values of '{0}' are stored in another type, because the column becomes {1}.", subject, other),
  nullsRefused: subject =>
    l10n.t("If a row has no value for '{0}', the rebuild stops and the table stays as it is.", subject),
  typesRefused: subject =>
    l10n.t(
      "If a value of '{0}' does not have its strict type, the rebuild stops and the table stays as it is.",
      subject,
    ),
  keysRepeated: subject =>
    l10n.t('If two rows have the same key ({0}), the rebuild stops and the table stays as it is.', subject),
  checkBroken: subject =>
    l10n.t('If a row breaks the check ({0}), the rebuild stops and the table stays as it is.', subject),
  referenceMissing: (subject, other) =>
    l10n.t("If a row refers to no row of '{0}', the rebuild stops and the table stays as it is.", other || subject),
  tableRebuilt: subject => l10n.t("The table '{0}' refers to this one and is rebuilt with it.", subject),
  writesRefused: subject => l10n.t("Writes to '{0}' are refused until all statements have run.", subject),
  rowIdsChange: subject => l10n.t("The rows of '{0}' get other row ids.", subject),
  wordsLost: (subject, other) =>
    other === ''
      ? l10n.t("The new statement of '{0}' does not keep all words of the old one.", subject)
      : l10n.t("The new statement of '{0}' does not keep these words of the old one: {1}", subject, other),
  brokenObject: (subject, other) =>
    other === ''
      ? l10n.t("'{0}' does not work after this change.", subject)
      : l10n.t("'{0}' does not work after this change: {1}", subject, other),
};

const refusalTexts: Readonly<Record<PlanRefusal['code'], PlanText>> = {
  noName: () => l10n.t('Enter a name.'),
  nulInName: () => l10n.t('A name cannot contain a NUL character.'),
  reservedName: () => l10n.t("Names that begin with 'sqlite_' belong to SQLite."),
  nameTaken: subject => l10n.t("'{0}' already exists in this project.", subject),
  columnRepeated: subject => l10n.t("Another column is named '{0}'.", subject),
  noColumns: () => l10n.t('A table needs at least one column that is not generated.'),
  unreadableType: () => l10n.t('SQLite cannot read this type.'),
  bareDefault: subject => l10n.t('Put the expression in parentheses: ({0})', subject),
  unreadableDefault: () => l10n.t("SQLite cannot read this value. Put a text in quotes: 'text'."),
  generatedWithDefault: () => l10n.t('A generated column cannot have a default.'),
  generatedKey: () => l10n.t('A generated column cannot be part of the primary key.'),
  noExpression: () => l10n.t('Enter an expression, or remove this part.'),
  unreadableExpression: () => l10n.t('SQLite cannot read this expression.'),
  emptyList: () => l10n.t('Choose at least one column.'),
  noTableChosen: () => l10n.t('Choose a table.'),
  noColumnChosen: () => l10n.t('Choose a column.'),
  noKeyForWithoutRowid: () => l10n.t('A table WITHOUT ROWID needs a primary key.'),
  noKeyForAutoincrement: () =>
    l10n.t('AUTOINCREMENT needs a primary key of one INTEGER column, and a table with row ids.'),
  unreadableTrigger: subject => l10n.t("The statement of the trigger '{0}' is not that of a trigger.", subject),
  foreignKeyCycle: subject =>
    l10n.t("'{0}' and other tables refer to each other, so none of them can be rebuilt first.", subject),
  restrictedSelfReference: subject =>
    l10n.t(
      "Rows of '{0}' refer to rows of the same table with ON DELETE RESTRICT, so the old table could not be dropped.",
      subject,
    ),
  nothingToCopy: subject =>
    l10n.t("The new form of '{0}' has no column of the old one. Create another table instead.", subject),
  resultDiffers: subject =>
    l10n.t("The statements would not give '{0}' this form. Open them as SQL and change them there.", subject),
  tableNotDesignable: subject => l10n.t("'{0}' would have to be rebuilt too, and cannot be.", subject),
  unfinishedRebuild: (subject, other) =>
    l10n.t("A rebuild that did not end has left '{0}'. Check its rows, then drop or rename it.", other || subject),
  refusedBySqlite: (_subject, other) => l10n.t('SQLite refuses this design: {0}', other),
  tableChanged: subject => l10n.t("'{0}' has changed in the project since its design was read.", subject),
};

export const refusalText = ({ code, subject, other = '' }: PlanRefusal): string => refusalTexts[code](subject, other);

const designRefusalTexts: Readonly<Record<DesignRefusal, (table: string) => string>> = {
  missing: table => l10n.t("'{0}' is not in the project. It may have been dropped or renamed.", table),
  view: table => l10n.t("'{0}' is a view. Change its SELECT statement in its definition.", table),
  virtualTable: table => l10n.t("'{0}' is a virtual table. Its module decides on its columns.", table),
  shadowTable: table => l10n.t("'{0}' belongs to a virtual table, which needs it as it is.", table),
  systemTable: table => l10n.t("'{0}' belongs to SQLite.", table),
  unreadable: table =>
    l10n.t("The statement of '{0}' has parts that the form cannot show. Change the table with SQL.", table),
};

/** Says why a table has no form. */
export const designRefusalText = (refusal: DesignRefusal, table: string): string => designRefusalTexts[refusal](table);
