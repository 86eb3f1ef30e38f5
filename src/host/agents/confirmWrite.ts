import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { mayPropose } from '../../model/agent/agentProject.ts';
import { escapedText } from '../../model/agent/untrustedJson.ts';
import type { ProposedWrite } from '../../model/agent/writeProposals.ts';
import type { Profile } from '../../model/profiles.ts';
import { type ProjectColor, protectionLabels } from '../../protocol/projectFields.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { exactText, jsonParameters, type SqlParameter } from '../../wire/values.ts';
import { withoutLinks } from '../notifications.ts';
import type { Look } from '../questions.ts';
import { placeOf } from '../projectAppearance.ts';
import { confirmRisk, dangerNotes, riskQuestion } from '../running/riskQuestion.ts';
import { numberText } from '../numbers.ts';

/** A dialog does not scroll, so a longer write is refused. */
const maxShownLength = 3000;
const maxShownLines = 40;

/** A dialog shows text only, so the color is a character. */
const colorSigns: Record<ProjectColor, string> = {
  red: '🟥',
  orange: '🟧',
  yellow: '🟨',
  green: '🟩',
  blue: '🟦',
  purple: '🟪',
};

function factsOf(write: Omit<ProposedWrite, 'agent'>, profile: Profile): string[] {
  const { protection, color } = profile;
  const { touchedRows } = write;
  return [
    vscode.l10n.t('Project: {0}', placeOf(profile)),
    vscode.l10n.t('Protection: {0}', protectionLabels()[protection]),
    ...(color === undefined ? [] : [vscode.l10n.t('Color: {0}', `${colorSigns[color]} ${color}`)]),
    touchedRows === undefined
      ? vscode.l10n.t('Rows that it touches: not known before it runs')
      : vscode.l10n.t('Rows that it touches: {0}', numberText(touchedRows)),
  ];
}

/** The values of the placeholders as JSON, which distinguishes NULL, numbers and texts. */
const valuesOf = (params: readonly SqlParameter[]): string[] =>
  params.map((value, index) => {
    const text = escapedText(exactText(jsonParameters([value])).slice(1, -1));
    return vscode.l10n.t('Value {0}: {1}', index + 1, text);
  });

/** The question in a chat. "Always Allow" skips it, so a protected project asks with `askForWrite`. */
export function confirmationOf(
  write: Omit<ProposedWrite, 'agent'>,
  profile: Profile,
): vscode.LanguageModelToolConfirmationMessages | undefined {
  if (asksInDialog(write) || !mayPropose(write.project)) return undefined;
  const message = new vscode.MarkdownString();
  const lines = [...factsOf(write, profile), ...valuesOf(write.params)];
  for (const line of lines) message.appendText(line).appendMarkdown('  \n');
  message.appendCodeblock(escapedText(write.sql), 'sql');
  return { title: withoutLinks(vscode.l10n.t('Write to {0}?', profile.name)), message };
}

/** Whether `askForWrite` asks, whatever the user has allowed in the chat. */
const asksInDialog = ({ project, sql }: Omit<ProposedWrite, 'agent'>): boolean =>
  project.protection === 'confirmWrites' || effectOf(sql).dangers.length > 0;

/** Asks in a dialog that no setting of a chat can answer. */
export async function askForWrite(write: ProposedWrite, profile: Profile, look: Look): Promise<boolean> {
  const { agent, sql, params, touchedRows } = write;
  const values = valuesOf(params);
  const shownSql = escapedText(sql);
  const shown = [shownSql, ...values].join('\n');
  if (shown.length > maxShownLength || shown.split('\n').length > maxShownLines) {
    throw misuse(
      'too_long_to_confirm',
      'The statement and its values are too long to be shown to the user. Write fewer rows at a time, or use sql_open.',
    );
  }
  const effect = effectOf(sql);
  const question = riskQuestion({
    profile,
    statements: [
      {
        sql,
        effect,
        touchedRows: touchedRows === undefined ? { kind: 'unknown' } : { kind: 'rows', count: touchedRows },
      },
    ],
    riskyCount: 1,
    totalCount: 1,
  });
  const detail = [
    vscode.l10n.t("The AI agent '{0}' wants to do this.", agent),
    [...factsOf(write, profile), ...values].join('\n'),
    ...dangerNotes(effect.dangers),
    shownSql,
  ];
  return confirmRisk({ ...question, detail: detail.join('\n\n') }, look);
}
