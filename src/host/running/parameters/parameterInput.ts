import * as vscode from 'vscode';
import {
  boundValue,
  parameterTypes,
  type ParameterType,
  type TypedValue,
} from '../../../model/parameters/parameterValue.ts';
import { contextOf, type Field, nameOf } from './parameterField.ts';
import { rightText, typeIcons, typeName } from './parameterTypes.ts';

interface TypeButton extends vscode.QuickInputButton {
  readonly type: ParameterType;
}

/** Asks for one value. The buttons beside the title change its type; that of NULL needs no text. Undefined when the user leaves. */
export async function askForValue(
  { number, hint, value }: Field,
  { count, sql, type: firstType }: { count: number; sql: string; type: ParameterType },
): Promise<TypedValue | undefined> {
  const input = vscode.window.createInputBox();
  let type = firstType === 'null' ? 'text' : firstType;
  const { promise, resolve } = Promise.withResolvers<TypedValue | undefined>();
  const check = (): void => {
    const wrong = boundValue({ type, text: input.value }) === undefined;
    input.validationMessage = wrong && input.value !== '' ? rightText(type) : undefined;
  };
  const show = (): void => {
    input.title = vscode.l10n.t('Parameter {0} of {1}: {2} ({3})', number, count, nameOf(hint), typeName(type));
    input.buttons = parameterTypes.filter(other => other !== type).map(buttonFor);
    check();
  };
  input.prompt = contextOf(sql, hint);
  input.placeholder = vscode.l10n.t('The value, as it is, without quotes');
  input.value = value && value.type !== 'null' ? value.text : '';
  input.ignoreFocusOut = true;
  input.onDidChangeValue(check);
  input.onDidTriggerButton(button => {
    const { type: chosen } = button as TypeButton;
    if (chosen === 'null') return resolve({ type: 'null', text: '' });
    type = chosen;
    show();
  });
  input.onDidAccept(() => {
    if (boundValue({ type, text: input.value }) === undefined) input.validationMessage = rightText(type);
    else resolve({ type, text: input.value });
  });
  input.onDidHide(() => resolve(undefined));
  show();
  input.show();
  try {
    return await promise;
  } finally {
    input.dispose();
  }
}

function buttonFor(type: ParameterType): TypeButton {
  const tooltip = type === 'null' ? vscode.l10n.t('Bind NULL') : vscode.l10n.t('Bind as {0}', typeName(type));
  return { iconPath: new vscode.ThemeIcon(typeIcons[type]), tooltip, type };
}
