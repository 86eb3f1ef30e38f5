import { writeFile as writeBytes } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { pictureFormats } from '../../protocol/chart.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, showInformation } from '../notifications.ts';
import { fileNameOf, promptForSaving } from '../prompts/saveDialog.ts';
import { writeFile } from './exportRows.ts';
import type { Result } from './result.ts';

/** Asks for a file, and writes or replaces it. The content of a PNG is base64. */
export async function saveChart(
  { title, subject }: Result,
  format: (typeof pictureFormats)[number],
  content: string,
  restoreFocus: (() => unknown) | undefined,
): Promise<void> {
  await savePicture({
    dialogTitle: vscode.l10n.t('Save Chart'),
    name: fileNameOf(title ?? subject.table ?? '') || 'chart',
    extension: format,
    type: format.toUpperCase(),
    content,
    restoreFocus,
    savedText: name => vscode.l10n.t('Saved the chart to {0}.', name),
    faultText: message => vscode.l10n.t('The chart was not saved: {0}', message),
  });
}

interface SavedPicture {
  readonly dialogTitle: string;
  readonly name: string;
  readonly extension: string;
  /** The name of the type of file. */
  readonly type: string;
  /** The content of a PNG is base64. */
  readonly content: string;
  readonly restoreFocus: (() => unknown) | undefined;
  readonly savedText: (name: string) => string;
  readonly faultText: (message: string) => string;
}

export async function savePicture(picture: SavedPicture): Promise<void> {
  const { dialogTitle, name, extension, type, content, restoreFocus, savedText, faultText } = picture;
  const file = await promptForSaving({
    title: dialogTitle,
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
    name,
    extension,
    type,
  });
  await restoreFocus?.();
  if (!file) return;
  try {
    const bytes = Buffer.from(content, extension === 'png' ? 'base64' : 'utf8');
    await writeFile(file, (path, mode) => writeBytes(path, bytes, { flag: 'wx', mode }), new AbortController().signal);
    void showInformation(savedText(basename(file.path)));
  } catch (thrown) {
    void showError(faultText(errorMessage(thrown)));
  }
}
