import * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import type { TypedText } from '../../model/editing/typedTexts.ts';
import { oneLine } from '../../base/oneLine.ts';
import { withoutIcons } from '../notifications.ts';
import { numberText } from '../numbers.ts';
import { choose, confirm, type Look } from '../questions.ts';

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
