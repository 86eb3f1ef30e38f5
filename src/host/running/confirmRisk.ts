import * as vscode from 'vscode';
import { choose } from '../notifications.ts';
import type { RiskQuestion } from './riskQuestion.ts';

/** A protected project also asks for the name of what is lost. */
export async function confirmRisk({ message, detail, button, typedName }: RiskQuestion): Promise<boolean> {
  if (!(await confirmChange(message, detail, button))) return false;
  if (typedName === undefined) return true;
  const typed = await vscode.window.showInputBox({
    title: button,
    prompt: vscode.l10n.t("The project is protected. Type '{0}' to confirm.", typedName),
    placeHolder: typedName,
    ignoreFocusOut: true,
    validateInput: value =>
      value === typedName || value === '' ? undefined : vscode.l10n.t("This is not '{0}'.", typedName),
  });
  return typed === typedName;
}

/** VS Code focuses the first button of a dialog, so that is Cancel. Escape presses Close. */
export async function confirmChange(question: string, detail: string, button: string): Promise<boolean> {
  const cancel: vscode.MessageItem = { title: vscode.l10n.t('Cancel') };
  const change: vscode.MessageItem = { title: button };
  const close: vscode.MessageItem = { title: vscode.l10n.t('Close'), isCloseAffordance: true };
  return (await choose(question, detail, [cancel, change, close])) === change;
}
