import * as vscode from 'vscode';

/**
 * A text as VS Code shows it where it would make links of `[…](…)`, even such that run commands: names and sentences come
 * from services and from other people's settings. An invisible word joiner keeps the two brackets apart.
 */
export const withoutLinks = (text: string): string => text.replaceAll('](', ']\u2060(');

/** A text as it may stand in the status bar and in lists, where VS Code would make an icon of `$(…)`, in the same way. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$\u2060(');

type Shown = Promise<string | undefined>;

/** Says something with buttons beside it, and gives the one that was chosen. */
export const showInformation = async (message: string, ...buttons: string[]): Shown =>
  vscode.window.showInformationMessage(withoutLinks(message), ...buttons);

export const showWarning = async (message: string, ...buttons: string[]): Shown =>
  vscode.window.showWarningMessage(withoutLinks(message), ...buttons);

export const showError = async (message: string, ...buttons: string[]): Shown =>
  vscode.window.showErrorMessage(withoutLinks(message), ...buttons);

/** Asks in a dialog whether to do what its one button says. */
export async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  const chosen = await vscode.window.showWarningMessage(withoutLinks(question), { modal: true, detail }, button);
  return chosen === button;
}
