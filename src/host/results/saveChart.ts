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
  const file = await promptForSaving({
    title: vscode.l10n.t('Save Chart'),
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
    name: fileNameOf(title ?? subject.table ?? '') || 'chart',
    extension: format,
    type: format.toUpperCase(),
  });
  await restoreFocus?.();
  if (!file) return;
  try {
    const bytes = Buffer.from(content, format === 'png' ? 'base64' : 'utf8');
    await writeFile(file, (path, mode) => writeBytes(path, bytes, { flag: 'wx', mode }), new AbortController().signal);
    void showInformation(vscode.l10n.t('Saved the chart to {0}.', basename(file.path)));
  } catch (thrown) {
    void showError(vscode.l10n.t('The chart was not saved: {0}', errorMessage(thrown)));
  }
}
