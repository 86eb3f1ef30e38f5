import * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import type { TypedText } from '../../model/editing/typedTexts.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { Conflict } from '../../model/editing/conflicts.ts';
import type { EditCounts } from '../../model/editing/pendingEdits.ts';
import type { Profile } from '../../model/profiles.ts';
import { editCountTexts } from '../../protocol/editCounts.ts';
import type { SaveStep } from '../../model/editing/draft.ts';
import { withoutIcons, showInformation } from '../notifications.ts';
import { numberText, rowsTitle } from '../numbers.ts';
import { choose, confirm, type Look, decide } from '../questions.ts';
import { placeOf } from '../projectAppearance.ts';
import { conflictTexts, keyLabel } from './editText.ts';
import type { TableDocument } from './tableDocument.ts';

/** A value is sent in one piece. */
const maxFileBytes = 16 * 1024 * 1024;
const previewLength = 80;

export type EditPrompts = ReturnType<typeof vscodeEditPrompts>;

export function vscodeEditPrompts(project: Pick<Project, 'query'>) {
  return {
    confirmTakeBack,
    confirmNewRows,
    pickFile,
    /** The key of the chosen row. Without columns, the key is the primary key. */
    pickReference: async (table: string, columns: readonly string[]) =>
      (await import('./pickReference.ts')).pickReference(project, table, columns),
  };
}

/** The user cannot take the text back in its cell, since its row is not shown. */
async function confirmTakeBack({ column, text }: Pick<TypedText, 'column' | 'text'>, look: Look): Promise<boolean> {
  const message = vscode.l10n.t(
    "The text '{0}' in '{1}' is not a value of the column.",
    oneLine(text, previewLength),
    column,
  );
  const detail = vscode.l10n.t(
    'Its row is not among the shown rows. Clear the filters to see it, or take the text back.',
  );
  return confirm(withoutIcons(message), detail, look, vscode.l10n.t('Revert Text'));
}

/** Asks about copied rows that are past the end of the table. */
async function confirmNewRows(count: number): Promise<boolean> {
  const question = vscode.l10n.t('Copied rows that are past the end of the table: {0}.', numberText(count));
  const add = count === 1 ? vscode.l10n.t('Add 1 Row') : vscode.l10n.t('Add {0} Rows', numberText(count));
  return (await choose(question, vscode.l10n.t('The other rows are pasted.'), [add])) === add;
}

/** The bytes of a file that the user chooses, in hex. */
async function pickFile(column: string): Promise<string | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Load File into {0}', withoutIcons(column)),
      openLabel: vscode.l10n.t('Load'),
    })) ?? [];
  if (!file) return undefined;
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > maxFileBytes) throw new Error(vscode.l10n.t('The file is larger than 16 MB.'));
  return Buffer.from(await vscode.workspace.fs.readFile(file)).toString('hex');
}

/** `look` shows the pending edits of a document. */
export const vscodeSavePrompts = (look: (document: TableDocument) => Look) => ({
  async confirmSave(profile: Profile, document: TableDocument): Promise<boolean> {
    const question = vscode.l10n.t("Save changes to '{0}' in {1}?", document.table.name, placeOf(profile));
    const detail = countsText(document.editing.edits.counts);
    return confirm(question, detail, look(document), vscode.l10n.t('Save Changes'));
  },

  /** The chosen conflicts save the user's value. In the others, the table's value stays. Undefined when the user cancels. */
  async resolveConflicts(table: string, conflicts: readonly Conflict[]): Promise<ReadonlySet<Conflict> | undefined> {
    const items = conflicts.map(conflict => ({ ...itemOf(conflict), conflict, picked: false }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t("'{0}' has changed since you edited it", withoutIcons(table)),
      placeHolder: vscode.l10n.t('Select the edits to save anyway. The others are discarded.'),
      canPickMany: true,
      ignoreFocusOut: true,
    });
    return chosen && new Set(chosen.map(({ conflict }) => conflict));
  },

  /** Asks before a deletion whose rows would not come back by undo. */
  async confirmUnrestorable(document: TableDocument): Promise<boolean> {
    const { name } = document.table;
    const { unrestorableCount: count } = document.editing;
    const question =
      count === 1
        ? vscode.l10n.t("Delete 1 row of '{0}' for good?", name)
        : vscode.l10n.t("Delete {1} rows of '{0}' for good?", name, count);
    const reason = vscode.l10n.t(
      'Their values are too long to be kept. They do not come back if you undo the deletion.',
    );
    return confirm(question, reason, look(document), vscode.l10n.t('Delete {0}', rowsTitle(count)));
  },

  /** Asks what to do with edits that may have been saved, when the service no longer knows. */
  async askAboutExpired(document: TableDocument): Promise<'keep' | 'discard' | 'cancel'> {
    const keep = vscode.l10n.t('Keep Changes');
    const discard = vscode.l10n.t('Discard Changes');
    const chosen = await decide(
      vscode.l10n.t("Were the changes to '{0}' saved?", document.table.name),
      vscode.l10n.t(
        'The last save got no answer, and the service no longer remembers it. Compare the table with your changes. Keep them if the table does not have them, and discard them otherwise.',
      ),
      look(document),
      [keep, discard],
    );
    return chosen === keep ? 'keep' : chosen === discard ? 'discard' : 'cancel';
  },

  showOutcome(message: string): void {
    void showInformation(message);
  },
});
export type SavePrompts = ReturnType<typeof vscodeSavePrompts>;

export const countsText = (counts: EditCounts): string => editCountTexts(counts, vscode.env.language).join('\n');

/** The number of rows of each kind in statements of a save. */
export function countsOfSteps(steps: readonly SaveStep[], isDone: boolean): string {
  const rowsOf = (kind: SaveStep['kind']): number =>
    steps.filter(step => step.kind === kind).reduce((sum, { rowIds }) => sum + rowIds.length, 0);
  const counts = { updated: rowsOf('update'), deleted: rowsOf('delete'), inserted: rowsOf('insert') };
  return editCountTexts(counts, vscode.env.language, isDone).join(', ');
}

function itemOf(conflict: Conflict): vscode.QuickPickItem {
  const row = withoutIcons(keyLabel(conflict.row.key));
  if (conflict.kind === 'missing') {
    return { label: row, description: vscode.l10n.t('The row is no longer there. Its edits are discarded.') };
  }
  const { before, now, yours } = conflictTexts(conflict);
  return {
    label: withoutIcons(`${row} · ${conflict.column}`),
    detail: withoutIcons(vscode.l10n.t('Before: {0} · In the table now: {1} · Yours: {2}', before, now, yours)),
  };
}
