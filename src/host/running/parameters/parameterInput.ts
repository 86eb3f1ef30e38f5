import * as vscode from 'vscode';
import type { ParameterFields } from '../../../model/parameters/parameterFields.ts';
import {
  boundValue,
  parameterTypes,
  type ParameterType,
  type TypedValue,
} from '../../../model/parameters/parameterValues.ts';
import { parameterContext, parameterName, typeHelp, typeIcons, typeLabel } from './parameterLabels.ts';

interface TypeButton extends vscode.QuickInputButton {
  readonly type: ParameterType;
}

/** Asks for one value. Buttons beside the title set its type or bind NULL. Resolves to undefined when the user cancels. */
export async function promptForValue(
  fields: ParameterFields,
  { number, sql }: { readonly number: number; readonly sql: string },
): Promise<TypedValue | undefined> {
  const input = vscode.window.createInputBox();
  const { hint, value, type: initialType } = fields.at(number);
  const initialText = value && value.type !== 'null' ? value.text : '';
  let type = inputType(initialType);
  let isTypeChosen = false;
  const { promise, resolve } = Promise.withResolvers<TypedValue | undefined>();
  const validate = (): void => {
    const isInvalid = boundValue({ type, text: input.value }) === undefined;
    input.validationMessage = isInvalid && input.value !== '' ? typeHelp(type) : undefined;
  };
  const showTitle = (): void => {
    const name = parameterName(fields.at(number).hint);
    const count = fields.all.length;
    input.title = vscode.l10n.t('Parameter {0} of {1}: {2} ({3})', number, count, name, typeLabel(type));
  };
  const setType = (newType: ParameterType): void => {
    type = newType;
    input.buttons = parameterTypes.filter(other => other !== type).map(typeButton);
    showTitle();
    validate();
  };
  input.prompt = parameterContext(sql, hint);
  input.placeholder = vscode.l10n.t('The value, as it is, without quotes');
  input.value = initialText;
  input.ignoreFocusOut = true;
  input.onDidChangeValue(validate);
  input.onDidTriggerButton(button => {
    const { type: chosenType } = button as TypeButton;
    if (chosenType === 'null') return resolve({ type: 'null', text: '' });
    isTypeChosen = true;
    setType(chosenType);
  });
  const listener = fields.onHintsChanged(() => {
    const columnType = inputType(fields.at(number).type);
    // Do not change the type under what the user has begun to type.
    if (columnType === type || isTypeChosen || input.value !== initialText) showTitle();
    else setType(columnType);
  });
  input.onDidAccept(() => {
    if (boundValue({ type, text: input.value }) === undefined) input.validationMessage = typeHelp(type);
    else resolve({ type, text: input.value });
  });
  input.onDidHide(() => resolve(undefined));
  setType(type);
  input.show();
  try {
    return await promise;
  } finally {
    listener.dispose();
    input.dispose();
  }
}

/** NULL has a button and no text. */
const inputType = (type: ParameterType): ParameterType => (type === 'null' ? 'text' : type);

function typeButton(type: ParameterType): TypeButton {
  return {
    iconPath: new vscode.ThemeIcon(typeIcons[type]),
    tooltip: type === 'null' ? vscode.l10n.t('Bind NULL') : vscode.l10n.t('Bind as {0}', typeLabel(type)),
    type,
  };
}
