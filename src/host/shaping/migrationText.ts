import { l10n } from 'vscode';
import type { MigrationPart } from '../../model/shaping/migrationScript.ts';
import type { PlanWarning } from '../../model/shaping/plan.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';

/** A script of statements and comments, to review before anyone runs it. */
export function migrationText(parts: readonly MigrationPart[], project: string, other: string): string {
  const head = [
    l10n.t("This script gives '{0}' the schema of '{1}'. Review it before you run it.", project, other),
    l10n.t('Each statement is committed at once. If one fails, do not run those behind it.'),
  ];
  return [comment(head.join('\n')), ...parts.map(part => partText(part, project))].join('\n');
}

function partText(part: MigrationPart, project: string): string {
  const notes = [
    titleOf(part, project),
    ...part.refusals.map(refusal => refusalNote(refusal)),
    ...(part.lostSql === undefined ? [] : [l10n.t('Its statement, to create it again:'), `${part.lostSql};`]),
    ...part.warnings.flatMap(warning => warningNote(warning)),
  ];
  const statements = part.statements.map(sql => `${sql};\n`).join('');
  return comment(notes.join('\n')) + (part.isCommentedOut ? comment(statements.trimEnd()) : statements);
}

/** Line breaks of any kind must not end a comment early. */
const comment = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map(line => `-- ${line}\n`)
    .join('');

function titleOf({ kind, object, name, isCommentedOut, lostSql }: MigrationPart, project: string): string {
  const subject = `${object.toUpperCase()} ${quoteIdentifierIfNeeded(name)}`;
  switch (kind) {
    case 'create':
      return l10n.t('Create {0}.', subject);
    case 'change':
      return l10n.t('Change {0}.', subject);
    case 'drop':
      if (lostSql !== undefined) {
        return l10n.t("Drop {1}, which only '{0}' has. It keeps a table from changing.", project, subject);
      }
      return isCommentedOut
        ? l10n.t("Only '{0}' has {1}. To drop it with everything in it, remove the comment marks.", project, subject)
        : l10n.t('Drop {0}. It is created again below.', subject);
  }
}

function refusalNote(refusal: MigrationPart['refusals'][number]): string {
  if (typeof refusal === 'string') {
    return refusal === 'virtualTable'
      ? l10n.t('SQLite cannot change a virtual table. These statements lose its rows.')
      : l10n.t('No statements that keep its rows are known. These statements lose its rows.');
  }
  const { code, subject, other = '' } = refusal;
  switch (code) {
    case 'refusedBySqlite':
      return l10n.t('SQLite refuses this on an empty copy of the schema: {0}', other);
    case 'foreignKeyCycle':
      return l10n.t('These tables refer to each other, so none can be rebuilt first: {0}', other);
    case 'unfinishedRebuild':
      return l10n.t("An earlier rebuild was not finished: there is a table '{0}'.", other);
    case 'restrictedSelfReference':
      return l10n.t("Rows of '{0}' refer to each other with ON DELETE RESTRICT, so it cannot be rebuilt.", subject);
    default:
      return l10n.t("There is no safe way to change '{0}' ({1}).", subject, code);
  }
}

function warningNote({ code, subject, other = '', countSql }: PlanWarning): string[] {
  const query = countSql ?? '';
  switch (code) {
    case 'columnDropped':
      return [l10n.t("The values of the column '{0}' are lost. Count them with: {1}", subject, query)];
    case 'valuesConverted':
      return [l10n.t("Values of '{0}' get another type. Count them with: {1}", subject, query)];
    case 'tableRebuilt':
      return [l10n.t("The table '{0}' refers to this one, so it is rebuilt with it.", subject)];
    case 'writesRefused':
      return [l10n.t("Writes to '{0}' are refused until the last statement has run.", subject)];
    case 'rowIdsChange':
      return [l10n.t("The rows of '{0}' get other row ids.", subject)];
    case 'wordsLost':
      return [l10n.t('These words of its statement are lost: {0}', other)];
    case 'brokenObject':
      return [l10n.t("'{0}' does not work after the change: {1}", subject, other)];
    case 'nullsRefused':
    case 'typesRefused':
    case 'keysRepeated':
    case 'checkBroken':
    case 'referenceMissing':
      return [l10n.t("Rows whose '{0}' does not fit fail a statement. Count them with: {1}", subject, query)];
  }
}
