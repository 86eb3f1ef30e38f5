import { l10n } from 'vscode';
import type { MigrationPart } from '../../model/shaping/migrationScript.ts';
import type { PlanWarning } from '../../model/shaping/plan.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { refusalText, warningText } from './planTexts.ts';

/** A script of statements and comments, to review before anyone runs it. */
export function migrationText(parts: readonly MigrationPart[], project: string, other: string): string {
  const head = [
    l10n.t("This script gives '{0}' the schema of '{1}'. Review it before you run it.", project, other),
    l10n.t('Each statement is committed at once. If one fails, do not run those after it.'),
    l10n.t('Statements that lose rows or values are comments. The script is right without them.'),
  ];
  return [comment(head.join('\n')), ...parts.map(part => partText(part, project))].join('\n');
}

function partText(part: MigrationPart, project: string): string {
  const notes = [
    titleOf(part, project),
    ...(part.renames ?? []).map(({ from, to }) =>
      l10n.t(
        "'{0}' is taken for '{1}', which has the same definition at the same place. Its values stay. Check that it is the same column.",
        from,
        to,
      ),
    ),
    ...part.refusals.map(refusal => refusalNote(refusal)),
    ...(part.lostSql === undefined ? [] : [l10n.t('Its statement, to create it again:'), `${part.lostSql};`]),
    ...part.warnings.map(warning => warningNote(warning)),
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

function titleOf(
  { kind, object, name, isCommentedOut, lostSql, losesValues = false }: MigrationPart,
  project: string,
): string {
  const subject = `${object.toUpperCase()} ${quoteIdentifierIfNeeded(name)}`;
  switch (kind) {
    case 'create':
      return l10n.t('Create {0}.', subject);
    case 'change':
      return losesValues
        ? l10n.t('The rest of the change of {0} loses values. To make it, remove the comment marks.', subject)
        : l10n.t('Change {0}.', subject);
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
  if (typeof refusal !== 'string') return refusalText(refusal);
  return refusal === 'virtualTable'
    ? l10n.t('SQLite cannot change a virtual table. These statements lose its rows.')
    : l10n.t('No statements that keep its rows are known. These statements lose its rows.');
}

function warningNote(warning: PlanWarning): string {
  const { countSql } = warning;
  const text = warningText(warning);
  return countSql === undefined ? text : l10n.t('{0} Count the rows with: {1}', text, countSql);
}
