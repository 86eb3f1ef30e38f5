import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { showInformation } from '../notifications.ts';
import { confirm, type Look } from '../questions.ts';
import { placeOf } from '../projectAppearance.ts';
import { confirmRisk } from '../running/riskQuestion.ts';

/** A question lists this many statements and counts the others. */
const maxListed = 16;

/** The statements that a design sends, with what the user should know before. */
export interface DesignReview {
  readonly profile: Profile;
  readonly table: string;
  /** Says what each statement does. */
  readonly titles: readonly string[];
  readonly summary: string;
  readonly warnings: readonly string[];
  /** Whether values are lost or the table is rebuilt. A protected project then asks for the name of the table. */
  readonly isRisky: boolean;
}

/** Everything that the designer shows or asks outside of its pages. */
export type DesignPrompts = ReturnType<typeof vscodeDesignPrompts>;

export function vscodeDesignPrompts(documents: DocumentProjects) {
  return {
    confirmApply: (review: DesignReview, look: Look): Promise<boolean> => confirmRisk(reviewQuestion(review), look),
    confirmRevert: (table: string, look: Look): Promise<boolean> =>
      confirm(
        vscode.l10n.t("Discard the changes to the design of '{0}'?", table),
        vscode.l10n.t('The form shows the table as it is in the project.'),
        look,
        vscode.l10n.t('Discard Changes'),
      ),
    confirmUndo: (table: string, statements: readonly string[], look: Look): Promise<boolean> =>
      confirm(
        vscode.l10n.t("Undo the statements that have changed '{0}'?", table),
        statements.map((sql, index) => `${index + 1}. ${sql}`).join('\n'),
        look,
        vscode.l10n.t('Undo Statements'),
      ),
    async openSql(profile: Profile, sql: string): Promise<void> {
      const document = await vscode.workspace.openTextDocument({ language: 'sql', content: sql });
      await documents.assign(document.uri, profile);
      await vscode.window.showTextDocument(document);
    },
    showDone: (message: string): void => void showInformation(message),
    /** Shows which statement is sent. It cannot be cancelled, so that no table is left half rebuilt. */
    withProgress: async <T>(title: string, run: (report: (message: string) => void) => Promise<T>): Promise<T> =>
      vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, progress =>
        run(message => progress.report({ message })),
      ),
  };
}

/** Asks after a tab with edits was closed. All other answers reopen the tab. */
export async function confirmDiscard(table: string, look: Look): Promise<boolean> {
  const question = vscode.l10n.t("The changes to the design of '{0}' are not applied.", table);
  const detail = vscode.l10n.t('Reopen the design to apply them.');
  return confirm(question, detail, look, vscode.l10n.t('Discard Changes'), vscode.l10n.t('Reopen'));
}

export const readOnlyProjectText = ({ name }: Profile): string =>
  vscode.l10n.t("'{0}' is read-only. Change its protection to create or change tables.", name);

function reviewQuestion({ profile, table, titles, summary, warnings, isRisky }: DesignReview) {
  const count = titles.length;
  const question =
    count === 1
      ? vscode.l10n.t("Apply 1 statement to '{0}' in {1}?", table, placeOf(profile))
      : vscode.l10n.t("Apply {0} statements to '{1}' in {2}?", count, table, placeOf(profile));
  const listed = titles.slice(0, maxListed).map((title, index) => `${index + 1}. ${title}`);
  const hidden = count - listed.length;
  const list = hidden > 0 ? [...listed, vscode.l10n.t('… and {0} more', hidden)] : listed;
  const order =
    count === 1 ? [] : [vscode.l10n.t('Each statement is a call of its own. The first that fails stops the others.')];
  const detail = [summary, list.join('\n'), ...warnings, ...order, profile.baseUrl].join('\n\n');
  return {
    question,
    detail,
    deed: count === 1 ? vscode.l10n.t('Apply 1 Statement') : vscode.l10n.t('Apply {0} Statements', count),
    typedName: profile.protection !== 'open' && isRisky ? table : undefined,
  };
}
