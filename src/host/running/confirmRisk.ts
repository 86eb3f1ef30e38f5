import * as vscode from 'vscode';
import { confirm, type Look } from '../questions.ts';
import type { RiskQuestion } from './riskQuestion.ts';

/** A protected project also asks for the name of what is lost. */
export async function confirmRisk({ question, detail, deed, typedName }: RiskQuestion, look: Look): Promise<boolean> {
  if (!(await confirm(question, detail, look, deed))) return false;
  if (typedName === undefined) return true;
  const typed = await vscode.window.showInputBox({
    title: deed,
    prompt: vscode.l10n.t("The project is protected. Type '{0}' to confirm.", typedName),
    placeHolder: typedName,
    ignoreFocusOut: true,
    validateInput: value =>
      value === typedName || value === '' ? undefined : vscode.l10n.t("This is not '{0}'.", typedName),
  });
  return typed === typedName;
}
