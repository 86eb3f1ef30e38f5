import * as vscode from 'vscode';

/** An invisible word joiner breaks `[…](…)`: VS Code makes links of it that can run commands, and texts come from services. */
export const withoutLinks = (text: string): string => text.replaceAll('](', ']\u2060(');

/** Text for the status bar and for lists, where VS Code makes icons of `$(…)`. */
export { withoutIcons } from '../base/icons.ts';

/** The chosen button; undefined if the user closes the message. */
export type ChosenButton = Promise<string | undefined>;

export const showInformation = async (message: string, ...buttons: string[]): ChosenButton =>
  vscode.window.showInformationMessage(withoutLinks(message), ...buttons);

export const showWarning = async (message: string, ...buttons: string[]): ChosenButton =>
  vscode.window.showWarningMessage(withoutLinks(message), ...buttons);

export const showError = async (message: string, ...buttons: string[]): ChosenButton =>
  vscode.window.showErrorMessage(withoutLinks(message), ...buttons);
