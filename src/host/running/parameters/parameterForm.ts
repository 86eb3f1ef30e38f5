import * as vscode from 'vscode';
import { type Field, ParameterFields } from '../../../model/parameters/parameterFields.ts';
import type { ParameterMemory } from '../../../model/parameters/parameterMemory.ts';
import { boundValue, type TypedValue } from '../../../model/parameters/parameterValue.ts';
import type { ColumnsOf } from '../../../sql/parameters/parameterHints.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import { withoutIcons } from '../../notifications.ts';
import { updateWhenIdle } from '../../quickPickUpdates.ts';
import { askForValue } from './parameterInput.ts';
import { typeIcons, typeName } from './parameterTypes.ts';
import { contextOf, nameOf } from './parameterWords.ts';

export interface ParameterForm {
  readonly sql: string;
  readonly memory: ParameterMemory;
  readonly title: string;
  /** Tells which columns there are, whenever more of them are known. */
  readonly learnColumns: (learn: (columns: ColumnsOf) => void) => void;
}

interface FieldItem extends vscode.QuickPickItem {
  /** The parameter that it changes; undefined for what runs the statement. */
  readonly number: number | undefined;
}

/**
 * All parameters of a statement in one list: Enter on one changes it, Enter on Run binds them. The last values of the statement
 * stand there from the start, and what columns tell of them as soon as it is known. Undefined when the user leaves.
 */
export async function askForValues(form: ParameterForm): Promise<readonly SqlParameter[] | undefined> {
  const { sql, memory, learnColumns } = form;
  const fields = new ParameterFields(sql, memory.recall(sql));
  learnColumns(columns => fields.learn(columns));
  for (;;) {
    const chosen = await choose(form, fields);
    if (!chosen) return undefined;
    const number = chosen.number ?? missingIn(fields);
    if (number === undefined) break;
    const value = await askForValue(fields, { number, sql });
    // Without a value it is as it was: leaving the question leads back to the list.
    if (value) fields.set(number, value);
  }
  const values = fields.values ?? [];
  await memory.remember(sql, values);
  return values.map(value => boundValue(value) ?? null);
}

const missingIn = ({ all }: ParameterFields): number | undefined => all.find(({ value }) => !value)?.number;

async function choose({ sql, title }: ParameterForm, fields: ParameterFields): Promise<FieldItem | undefined> {
  const pick = vscode.window.createQuickPick<FieldItem>();
  const show = (active: number | undefined): void => {
    pick.items = [...fields.all.map(field => itemOf(field, sql)), runItem(fields)];
    pick.activeItems = pick.items.filter(({ number }) => number === active);
  };
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Enter on a parameter changes it, Run binds them all, Escape runs nothing');
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  show(missingIn(fields));
  const { promise, resolve } = Promise.withResolvers<FieldItem | undefined>();
  // Whoever has gone to another one meanwhile stays there.
  const listener = fields.onLearned(updateWhenIdle(pick, () => show(pick.activeItems[0]?.number)));
  pick.onDidAccept(() => pick.selectedItems[0] && resolve(pick.selectedItems[0]));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  try {
    return await promise;
  } finally {
    listener.dispose();
    pick.dispose();
  }
}

function runItem({ all }: ParameterFields): FieldItem {
  const left = all.filter(({ value }) => !value).length;
  return {
    label: `$(play) ${vscode.l10n.t('Run')}`,
    description: left === 0 ? '' : missingWords(left),
    alwaysShow: true,
    number: undefined,
  };
}

const missingWords = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 value is missing') : vscode.l10n.t('{0} values are missing', count);

function itemOf({ number, hint, value, type }: Field, sql: string): FieldItem {
  const shown = value ? shownValue(value) : vscode.l10n.t('no value yet');
  return {
    label: `${number}. ${withoutIcons(nameOf(hint))}`,
    description: `$(${typeIcons[type]}) ${withoutIcons(shown)} · ${typeName(type)}`,
    detail: withoutIcons(contextOf(sql, hint)),
    number,
  };
}

const longestShown = 60;

function shownValue({ type, text }: TypedValue): string {
  if (type === 'null') return 'NULL';
  const short = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return type === 'text' ? `'${short}'` : short;
}
