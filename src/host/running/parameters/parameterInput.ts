import * as vscode from 'vscode';
import type { ParameterFields } from '../../../model/parameters/parameterFields.ts';
import {
  boundValue,
  parameterTypes,
  type ParameterType,
  type TypedValue,
} from '../../../model/parameters/parameterValue.ts';
import { rightText, typeIcons, typeName } from './parameterTypes.ts';
import { contextOf, nameOf } from './parameterWords.ts';

interface TypeButton extends vscode.QuickInputButton {
  readonly type: ParameterType;
}

/** Asks for one value. The buttons beside the title change its type; that of NULL needs no text. Undefined when the user leaves. */
export async function askForValue(
  fields: ParameterFields,
  { number, sql }: { number: number; sql: string },
): Promise<TypedValue | undefined> {
  const input = vscode.window.createInputBox();
  const { hint, value, type: firstType } = fields.at(number);
  const text = value && value.type !== 'null' ? value.text : '';
  let type = typedAs(firstType);
  let isChosen = false;
  const { promise, resolve } = Promise.withResolvers<TypedValue | undefined>();
  const check = (): void => {
    const wrong = boundValue({ type, text: input.value }) === undefined;
    input.validationMessage = wrong && input.value !== '' ? rightText(type) : undefined;
  };
  const showTitle = (): void => {
    const [{ length: count }, { hint: known }] = [fields.all, fields.at(number)];
    input.title = vscode.l10n.t('Parameter {0} of {1}: {2} ({3})', number, count, nameOf(known), typeName(type));
  };
  const become = (other: ParameterType): void => {
    type = other;
    input.buttons = parameterTypes.filter(one => one !== type).map(buttonFor);
    showTitle();
    check();
  };
  input.prompt = contextOf(sql, hint);
  input.placeholder = vscode.l10n.t('The value, as it is, without quotes');
  input.value = text;
  input.ignoreFocusOut = true;
  input.onDidChangeValue(check);
  input.onDidTriggerButton(button => {
    const { type: chosen } = button as TypeButton;
    if (chosen === 'null') return resolve({ type: 'null', text: '' });
    isChosen = true;
    become(chosen);
  });
  const listener = fields.onLearned(() => {
    const known = typedAs(fields.at(number).type);
    // What somebody has begun to type was meant as the type that the title named.
    if (known === type || isChosen || input.value !== text) showTitle();
    else become(known);
  });
  input.onDidAccept(() => {
    if (boundValue({ type, text: input.value }) === undefined) input.validationMessage = rightText(type);
    else resolve({ type, text: input.value });
  });
  input.onDidHide(() => resolve(undefined));
  become(type);
  input.show();
  try {
    return await promise;
  } finally {
    listener.dispose();
    input.dispose();
  }
}

/** NULL is a button and nothing that is typed. */
const typedAs = (type: ParameterType): ParameterType => (type === 'null' ? 'text' : type);

function buttonFor(type: ParameterType): TypeButton {
  const tooltip = type === 'null' ? vscode.l10n.t('Bind NULL') : vscode.l10n.t('Bind as {0}', typeName(type));
  return { iconPath: new vscode.ThemeIcon(typeIcons[type]), tooltip, type };
}
