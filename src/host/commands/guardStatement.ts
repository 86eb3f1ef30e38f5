import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Profile } from '../../model/profiles.ts';
import { verdictOn } from '../../model/protection.ts';
import { type Danger, effectOf } from '../../sql/statementEffect.ts';
import { commands } from '../names.ts';
import { complain, confirmed } from '../notifications.ts';

/** How much of a statement a question shows. */
const longestShown = 1000;

/** Whether a statement may go to a protected project: what it does is judged by its tree, and the user asked where needed. */
export async function passesGuard(profile: Profile, sql: string): Promise<boolean> {
  const effect = effectOf(sql);
  const verdict = verdictOn(profile.protection, effect);
  switch (verdict) {
    case 'run':
      return true;
    case 'refuse':
      await refuse(profile, effect.certain);
      return false;
    case 'ask':
      return confirm(profile, sql, effect.dangers);
    default:
      return assertNever(verdict);
  }
}

async function refuse({ name }: Profile, certain: boolean): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  const message = certain
    ? vscode.l10n.t('{0} is read-only, and this statement writes. It was not run.', name)
    : vscode.l10n.t('{0} is read-only, and it cannot be told that this statement only reads. It was not run.', name);
  if ((await complain(message, manage)) === manage) {
    await vscode.commands.executeCommand(commands.manage);
  }
}

async function confirm({ name, baseUrl }: Profile, sql: string, dangers: readonly Danger[]): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  const question = vscode.l10n.t('Run this statement in {0}? It may write.', name);
  const shown = sql.length > longestShown ? `${sql.slice(0, longestShown)}…` : sql;
  const detail = [...dangers.map(sentenceForDanger), baseUrl, shown].join('\n\n');
  return confirmed(question, detail, run);
}

function sentenceForDanger(danger: Danger): string {
  switch (danger) {
    case 'updatesEveryRow':
      return vscode.l10n.t('It changes every row of a table.');
    case 'deletesEveryRow':
      return vscode.l10n.t('It deletes every row of a table.');
    case 'drops':
      return vscode.l10n.t('It drops something with all that it holds.');
    case 'dropsColumn':
      return vscode.l10n.t('It drops a column with all that it holds.');
    case 'opensFile':
      return vscode.l10n.t('It opens another file.');
    case 'writesFile':
      return vscode.l10n.t('It writes a file.');
    case 'writesSchemaTable':
      return vscode.l10n.t('It writes to the table of the schema itself, which can destroy the database.');
    default:
      return assertNever(danger);
  }
}
