import * as vscode from 'vscode';
import { cutText } from '../../../base/oneLine.ts';
import type { ParameterField, ParameterFields } from '../../../model/parameters/parameterFields.ts';
import type { TypedValue } from '../../../model/parameters/parameterValues.ts';
import { withoutIcons } from '../../notifications.ts';
import { updateWhenIdle } from '../../quickPickUpdates.ts';
import type { ParameterForm } from '../runPrompts.ts';
import { promptForValue } from './parameterInput.ts';
import { parameterContext, parameterName, typeIcons, typeLabel } from './parameterLabels.ts';

const maxValueLength = 61;

interface FieldItem extends vscode.QuickPickItem {
  /** The parameter that the item edits; undefined for Run. */
  readonly number: number | undefined;
}

/**
 * Lists the parameters of a statement: Enter on one edits it, Enter on Run binds them all. Resolves to undefined when the user
 * cancels.
 */
export async function promptForValues(form: ParameterForm): Promise<readonly TypedValue[] | undefined> {
  const { fields, sql } = form;
  for (;;) {
    const item = await pickItem(form);
    if (!item) return undefined;
    const number = item.number ?? firstMissing(fields);
    if (number === undefined) return fields.values ?? [];
    const value = await promptForValue(fields, { number, sql });
    if (value) fields.set(number, value);
  }
}

const firstMissing = ({ all }: ParameterFields): number | undefined => all.find(({ value }) => !value)?.number;

async function pickItem(form: ParameterForm): Promise<FieldItem | undefined> {
  const { fields, sql } = form;
  const pick = vscode.window.createQuickPick<FieldItem>();
  const showItems = (activeNumber: number | undefined): void => {
    pick.items = [...fields.all.map(field => fieldItem(field, sql)), runItem(fields)];
    pick.activeItems = pick.items.filter(({ number }) => number === activeNumber);
  };
  pick.title = titleOf(form);
  pick.placeholder = vscode.l10n.t('Enter on a parameter changes it, Run binds them all, Escape runs nothing');
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  showItems(firstMissing(fields));
  const { promise, resolve } = Promise.withResolvers<FieldItem | undefined>();
  // Keep the active item: the user may have moved to another one.
  const listener = fields.onHintsChanged(updateWhenIdle(pick, () => showItems(pick.activeItems[0]?.number)));
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

function titleOf({ profile, number, totalCount }: ParameterForm): string {
  return totalCount === 1
    ? vscode.l10n.t('Parameters of the statement in {0}', profile.name)
    : vscode.l10n.t('Parameters of statement {0} of {1} in {2}', number, totalCount, profile.name);
}

function runItem({ all }: ParameterFields): FieldItem {
  const missingCount = all.filter(({ value }) => !value).length;
  return {
    label: `$(play) ${vscode.l10n.t('Run')}`,
    description: missingCount === 0 ? '' : missingMessage(missingCount),
    alwaysShow: true,
    number: undefined,
  };
}

const missingMessage = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 value is missing') : vscode.l10n.t('{0} values are missing', count);

function fieldItem({ number, hint, value, type }: ParameterField, sql: string): FieldItem {
  const valueText = value ? valueLabel(value) : vscode.l10n.t('no value yet');
  return {
    label: `${number}. ${withoutIcons(parameterName(hint))}`,
    description: `$(${typeIcons[type]}) ${withoutIcons(valueText)} · ${typeLabel(type)}`,
    detail: withoutIcons(parameterContext(sql, hint)),
    number,
  };
}

function valueLabel({ type, text }: TypedValue): string {
  if (type === 'null') return 'NULL';
  const shortText = cutText(text, maxValueLength);
  return type === 'text' ? `'${shortText}'` : shortText;
}
