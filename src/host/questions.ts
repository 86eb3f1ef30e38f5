import * as vscode from 'vscode';
import type { Profile } from '../model/profiles.ts';
import { commandId } from './names.ts';
import { type ChosenButton, showError, withoutLinks } from './notifications.ts';

/** The first buttons of questions. VS Code focuses that button, so it changes nothing: it shows what the question is about. */
const lookTitles = () => ({
  edits: vscode.l10n.t('Review'),
  error: vscode.l10n.t('Show Error'),
  file: vscode.l10n.t('Show File'),
  history: vscode.l10n.t('Show History'),
  project: vscode.l10n.t('Show Project'),
  result: vscode.l10n.t('Show Result'),
  rows: vscode.l10n.t('Show Rows'),
  sql: vscode.l10n.t('Show SQL'),
  statement: vscode.l10n.t('Show Statement'),
  table: vscode.l10n.t('Show Table'),
});

export interface Look {
  readonly shows: keyof ReturnType<typeof lookTitles>;
  readonly run: () => unknown;
}

export const tableLook = (profile: Profile, name: string): Look => ({
  shows: 'table',
  run: () => vscode.commands.executeCommand(commandId('browseTable'), { kind: 'table', profile, name }),
});

/** The page of projects says what a project's address, protection and key are. */
export const projectLook = ({ id }: Pick<Profile, 'id'>): Look => ({
  shows: 'project',
  run: () => vscode.commands.executeCommand(commandId('editProject'), id),
});

export const fileLook = (file: vscode.Uri): Look => ({
  shows: 'file',
  run: () => vscode.commands.executeCommand('vscode.open', file),
});

/**
 * Asks in a dialog. The look comes first, then the deed, which says what will be done, with its number if that is known. Escape is
 * VS Code's own Cancel unless it has a button. True if the user chooses the deed.
 */
export async function confirm(question: string, detail: string, look: Look, deed: string, escape?: string) {
  return (await showDialog(question, detail, look, [deed], escape)) === deed;
}

/** Asks about work that waits for the answer. After the look, the question stays as a message. */
export async function decide(
  ...[question, detail, look, choices, escape]: Parameters<typeof showDialog>
): ChosenButton {
  const chosen = await showDialog(question, detail, look, choices, escape);
  if (chosen !== lookTitles()[look.shows]) return chosen;
  // VS Code keeps an error with buttons until one of them is chosen.
  return showError(question, ...choices, ...(escape === undefined ? [] : [escape]));
}

async function showDialog(
  question: string,
  detail: string,
  look: Look,
  choices: readonly string[],
  escape?: string,
): Promise<string | undefined> {
  const items = [lookTitles()[look.shows], ...choices].map((title): vscode.MessageItem => ({ title }));
  if (escape !== undefined) items.push({ title: escape, isCloseAffordance: true });
  const chosen = await vscode.window.showWarningMessage(withoutLinks(question), { modal: true, detail }, ...items);
  if (chosen === items[0]) await look.run();
  return chosen?.title;
}

/** Asks in a dialog with buttons of which the first loses nothing. Escape is VS Code's own Cancel. */
export const choose = async (question: string, detail: string, buttons: readonly string[]): ChosenButton =>
  vscode.window.showWarningMessage(withoutLinks(question), { modal: true, detail }, ...buttons);
