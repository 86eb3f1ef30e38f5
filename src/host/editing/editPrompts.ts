import * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import type { ClipboardCell } from '../../model/editing/clipboardCells.ts';
import type { TypedText } from '../../model/editing/typedTexts.ts';
import { oneLine } from '../../base/oneLine.ts';
import { choose, withoutIcons } from '../notifications.ts';

export interface PastedBlock {
  readonly block: readonly (readonly ClipboardCell[])[];
  readonly columns: readonly string[];
  /** The first row, counted from 0, and how many rows there are from it on. */
  readonly row: number;
  readonly rowCount: number;
  /** The rows and columns of the block that the table has no room for. */
  readonly missingRows: number;
  readonly missingColumns: number;
}

/** `emptyIsText` pastes empty cells as empty texts, not as NULL. */
type PasteChoice = 'paste' | 'emptyIsText' | 'cancel';

/** A value is sent in one piece. */
const maxFileBytes = 16 * 1024 * 1024;
const previewRows = 10;
const previewLength = 80;

export type EditPrompts = ReturnType<typeof vscodeEditPrompts>;

export function vscodeEditPrompts(project: Pick<Project, 'query'>) {
  return {
    confirmPaste,
    confirmTakeBack,
    pickFile,
    /** The key of the chosen row. Without columns, the key is the primary key. */
    pickReference: async (table: string, columns: readonly string[]) =>
      (await import('./pickReference.ts')).pickReference(project, table, columns),
  };
}

/** The user cannot take the text back in its cell, since its row is not shown. */
async function confirmTakeBack({ column, text }: Pick<TypedText, 'column' | 'text'>): Promise<boolean> {
  const takeBack = vscode.l10n.t('Revert Text');
  const message = vscode.l10n.t(
    "The text '{0}' in '{1}' is not a value of the column.",
    oneLine(text, previewLength),
    column,
  );
  const detail = vscode.l10n.t(
    'Its row is not among the shown rows. Clear the filters to see it, or take the text back.',
  );
  return (await choose(withoutIcons(message), detail, [takeBack])) === takeBack;
}

async function confirmPaste(pasted: PastedBlock): Promise<PasteChoice> {
  const { block, columns, row, rowCount, missingRows, missingColumns } = pasted;
  const shown = block.slice(0, rowCount).map(cells => cells.slice(0, columns.length));
  const hasEmpty = shown.some(cells => cells.includes(null));
  if (shown.length * columns.length <= 1 && missingRows + missingColumns === 0 && !hasEmpty) return 'paste';
  const paste = hasEmpty ? vscode.l10n.t('Paste Empty Cells as NULL') : vscode.l10n.t('Paste');
  const emptyIsText = vscode.l10n.t('Paste Empty Cells as Empty Texts');
  const lines = shown.slice(0, previewRows).map((cells, index) => {
    return `${row + index + 1}: ${oneLine(cells.map(shownCell).join(' | '), previewLength)}`;
  });
  const more = shown.length - lines.length;
  const detail = [
    columns.join(' | '),
    ...lines,
    ...(more > 0 ? [vscode.l10n.t('… and {0} more', more)] : []),
    ...(hasEmpty ? [vscode.l10n.t('Columns of numbers take empty cells as NULL in any case.')] : []),
    ...(missingRows > 0
      ? [vscode.l10n.t('Rows that do not fit and are left out: {0}. Add rows first.', missingRows)]
      : []),
    ...(missingColumns > 0 ? [vscode.l10n.t('Columns that do not fit and are left out: {0}.', missingColumns)] : []),
  ].join('\n');
  const chosen = await choose(
    vscode.l10n.t('Paste the copied block? Its size is {0} × {1}.', shown.length, columns.length),
    detail,
    hasEmpty ? [paste, emptyIsText] : [paste],
  );
  return chosen === paste ? 'paste' : chosen === emptyIsText ? 'emptyIsText' : 'cancel';
}

/** Empty texts have quotes, so that they differ from NULL. */
const shownCell = (cell: ClipboardCell): string => (cell === null ? 'NULL' : cell || "''");

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
