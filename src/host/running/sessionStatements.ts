import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { SessionPart } from '../../sql/effect/statementEffect.ts';
import { showError, confirm } from '../notifications.ts';
import { firstWords } from './statementWords.ts';
import type { JudgedStatement } from './judgedStatement.ts';

/**
 * Says of statements that are about a connection why they are not sent: each call has a connection of its own. A script is
 * offered to run without the bounds of its transactions, unless it takes something back. Gives what is left to run.
 */
export async function withoutSession<T extends JudgedStatement>(
  statements: readonly T[],
): Promise<readonly T[] | undefined> {
  const first = statements.find(({ effect }) => effect.session !== undefined);
  if (!first?.effect.session) return statements;
  const others = statements.filter(({ effect }) => effect.session === undefined);
  const onlyBounds = statements.every(({ effect: { session } }) => session === undefined || session === 'transaction');
  const sentence = errorMessage(first.effect.session, firstWords(first.sql));
  if (others.length === 0 || !onlyBounds) {
    void showError(vscode.l10n.t('{0} Nothing was run.', sentence));
    return undefined;
  }
  const question = vscode.l10n.t('Run the script without its transaction?');
  const detail = vscode.l10n.t(
    '{0} If one of the {1} statements fails, those before it stay done.',
    sentence,
    others.length,
  );
  return (await confirm(question, detail, vscode.l10n.t('Run Without It'))) ? others : undefined;
}

function errorMessage(part: SessionPart, words: string): string {
  switch (part) {
    case 'transaction':
    case 'rollback':
      return vscode.l10n.t(
        '{0} cannot be sent: each statement is a call of its own and commits by itself, so a transaction cannot span several. Put changes that belong together into one statement, by WITH, UPDATE … FROM or INSERT … SELECT.',
        words,
      );
    case 'temporary':
      return vscode.l10n.t(
        '{0} cannot be sent: what is temporary would be gone before the next statement. Name it by WITH within the statement that needs it, or use a table that you drop afterwards.',
        words,
      );
    case 'attachment':
      return vscode.l10n.t(
        '{0} cannot be sent: a project is one database. Export what you need from one and import it into the other.',
        words,
      );
    case 'setting':
      return vscode.l10n.t(
        '{0} cannot be sent: what it sets would end with its own call and change nothing for the next. Leave it out; how connections are set is up to the service.',
        words,
      );
    default:
      return assertNever(part);
  }
}
