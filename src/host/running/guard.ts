import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { verdictOn } from '../../model/protection.ts';
import { commands } from '../names.ts';
import { showError, confirm } from '../notifications.ts';
import { consequenceOf, type CountRows } from './consequence.ts';
import type { JudgedStatement } from './judgedStatement.ts';
import { firstWords } from './statementWords.ts';

/** How much of a statement a question shows, and how many statements. */
const longestShown = 1000;
const mostShown = 8;

/**
 * Whether statements may go to a project: all are judged before the first is sent. What the protection of the project refuses
 * is said, what it asks about is asked once, and so is what may destroy much, in open projects as well.
 */
export async function passesGuard(
  profile: Profile,
  statements: readonly JudgedStatement[],
  count: CountRows,
): Promise<boolean> {
  if (refuses(profile, statements)) return false;
  const asked = statements.filter(
    ({ effect }) => verdictOn(profile.protection, effect) === 'ask' || effect.dangers.length > 0,
  );
  return asked.length === 0 || ask(profile, asked, { count, all: statements.length });
}

/** Whether the protection of the project refuses any of them, whatever their values are. Says which. */
export function refuses(profile: Profile, statements: readonly JudgedStatement[]): boolean {
  const refused = statements.filter(({ effect }) => verdictOn(profile.protection, effect) === 'refuse');
  if (refused.length > 0) void sayRefused(profile, refused, statements.length);
  return refused.length > 0;
}

async function sayRefused({ name }: Profile, refused: readonly JudgedStatement[], all: number): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  if ((await showError(refusalOf(name, refused, all), manage)) === manage) {
    await vscode.commands.executeCommand(commands.manage);
  }
}

function refusalOf(name: string, refused: readonly JudgedStatement[], all: number): string {
  if (all > 1) {
    const listed = listOf(refused.map(({ sql }) => firstWords(sql))).join(' · ');
    return vscode.l10n.t(
      '{0} is read-only, and {1} of the {2} statements are not surely reads. Nothing was run: {3}',
      ...[name, refused.length, all, listed],
    );
  }
  return refused[0]?.effect.certain
    ? vscode.l10n.t('{0} is read-only, and this statement writes. It was not run.', name)
    : vscode.l10n.t('{0} is read-only, and it cannot be told that this statement only reads. It was not run.', name);
}

async function ask(
  { name, baseUrl }: Profile,
  asked: readonly JudgedStatement[],
  { count, all }: { count: CountRows; all: number },
): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  const shown = asked.slice(0, mostShown);
  const consequences = await Promise.all(shown.map(statement => consequenceOf(statement, count)));
  if (all === 1) {
    const [sql = '', consequence = ''] = [asked[0]?.sql, consequences[0]];
    const text = sql.length > longestShown ? `${sql.slice(0, longestShown)}…` : sql;
    const detail = [consequence, baseUrl, text].filter(part => part !== '').join('\n\n');
    return confirm(vscode.l10n.t('Run this statement in {0}? It may write.', name), detail, run);
  }
  const lines = shown.map(({ sql }, index) => [firstWords(sql), consequences[index]].filter(Boolean).join('\n'));
  const question = vscode.l10n.t('Run {0} statements in {1}? {2} of them may write.', all, name, asked.length);
  return confirm(question, [baseUrl, ...listOf(lines, asked.length)].join('\n\n'), run);
}

/** The first of them, and that there are more. */
function listOf(lines: readonly string[], all = lines.length): string[] {
  const shown = lines.slice(0, mostShown);
  return all > shown.length ? [...shown, vscode.l10n.t('… and {0} more', all - shown.length)] : shown;
}
