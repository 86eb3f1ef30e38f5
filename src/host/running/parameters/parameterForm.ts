import * as vscode from 'vscode';
import type { ParameterMemory } from '../../../model/parameters/parameterMemory.ts';
import { boundValue, typeForColumn, type TypedValue } from '../../../model/parameters/parameterValue.ts';
import { type ColumnsOf, parameterHints } from '../../../sql/parameterHints.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import { withoutIcons } from '../../notifications.ts';
import { contextOf, type Field, nameOf } from './parameterField.ts';
import { askForValue } from './parameterInput.ts';
import { typeIcons, typeName } from './parameterTypes.ts';

export interface ParameterForm {
  readonly sql: string;
  readonly memory: ParameterMemory;
  readonly title: string;
  readonly columns: Promise<ColumnsOf>;
}

interface FieldItem extends vscode.QuickPickItem {
  /** The parameter that it changes; undefined for what runs the statement. */
  readonly field: Field | undefined;
}

/**
 * All parameters of a statement in one list: Enter on one changes it, Enter on Run binds them. The last values of the statement
 * stand there from the start. Undefined when the user leaves.
 */
export async function askForValues(form: ParameterForm): Promise<readonly SqlParameter[] | undefined> {
  const { sql, memory, columns } = form;
  const remembered = memory.recall(sql);
  const hints = parameterHints(sql, await columns);
  const fields: Field[] = hints.map((hint, index) => ({ number: index + 1, hint, value: remembered[index] }));
  for (;;) {
    const missing = fields.find(({ value }) => !value);
    const chosen = await choose(form, fields, missing);
    if (!chosen) return undefined;
    const field = chosen.field ?? missing;
    if (!field) break;
    const value = await askForValue(field, { count: fields.length, sql, type: typeOf(field) });
    // Without a value it is as it was: leaving the question leads back to the list.
    if (value) fields[field.number - 1] = { ...field, value };
  }
  const values = fields.flatMap(({ value }) => (value ? [value] : []));
  await memory.remember(sql, values);
  return values.map(value => boundValue(value) ?? null);
}

const typeOf = ({ hint, value }: Field): TypedValue['type'] => value?.type ?? typeForColumn(hint.type);

async function choose(
  { sql, title }: ParameterForm,
  fields: readonly Field[],
  missing: Field | undefined,
): Promise<FieldItem | undefined> {
  const pick = vscode.window.createQuickPick<FieldItem>();
  const items = fields.map(field => itemOf(field, sql));
  const left = fields.filter(({ value }) => !value).length;
  const run: FieldItem = {
    label: `$(play) ${vscode.l10n.t('Run')}`,
    description: left === 0 ? '' : vscode.l10n.t('{0} values are missing', left),
    alwaysShow: true,
    field: undefined,
  };
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Enter on a parameter changes it, Run binds them all, Escape runs nothing');
  pick.items = [...items, run];
  pick.activeItems = [missing ? items[missing.number - 1]! : run];
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<FieldItem | undefined>();
  pick.onDidAccept(() => resolve(pick.selectedItems[0]));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  try {
    return await promise;
  } finally {
    pick.dispose();
  }
}

function itemOf(field: Field, sql: string): FieldItem {
  const { number, hint, value } = field;
  const type = typeOf(field);
  const shown = value ? shownValue(value) : vscode.l10n.t('no value yet');
  return {
    label: `${number}. ${withoutIcons(nameOf(hint))}`,
    description: `$(${typeIcons[type]}) ${withoutIcons(shown)} · ${typeName(type)}`,
    detail: withoutIcons(contextOf(sql, hint)),
    field,
  };
}

const longestShown = 60;

function shownValue({ type, text }: TypedValue): string {
  if (type === 'null') return 'NULL';
  const short = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return type === 'text' ? `'${short}'` : short;
}
