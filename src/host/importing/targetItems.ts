import * as vscode from 'vscode';
import { missingColumns, proposedKey } from '../../model/importing/mapping.ts';
import { keyOf } from '../../sql/text/names.ts';
import { withoutIcons } from '../notifications.ts';
import { type ChoiceItem, valueItem } from '../prompts/choiceList.ts';
import type { TargetChoice } from './importChoice.ts';
import { askForKey, askForMapping, askForMode } from './importQuestions.ts';
import { modeDescription, modeName } from './importTexts.ts';

/** The items for the table that takes the rows. `names` are the columns of the rows. */
export function targetItems<C extends TargetChoice>(
  choice: C,
  names: readonly string[],
  askForTable: (choice: C) => Promise<C | undefined>,
): ChoiceItem<C>[] {
  const { table, target } = choice;
  const isNew = table.columns === undefined;
  return [
    valueItem(
      'table',
      isNew ? vscode.l10n.t('New Table: {0}', table.name) : vscode.l10n.t('Table: {0}', table.name),
      askForTable,
    ),
    ...(isNew ? [] : [columnsItem(choice, names), modeItem(choice)]),
    ...(target.mode === 'upsert' || target.mode === 'update' ? [keyItem(choice)] : []),
  ];
}

function columnsItem<C extends TargetChoice>({ target, table }: C, names: readonly string[]): ChoiceItem<C> {
  const text = vscode.l10n.t('Columns: {0} of {1}', target.columns.length, names.length);
  const ignored = names.filter((_, source) => !target.columns.some(column => column.source === source));
  return {
    ...valueItem<C>('columns', text, async before => {
      const columns = await askForMapping(names, target.columns, table.columns ?? []);
      if (!columns) return undefined;
      const key = target.key.length > 0 ? target.key : proposedKey(table.columns ?? [], columns);
      return { ...before, target: { ...before.target, columns, key } };
    }),
    ...(ignored.length > 0 && { description: vscode.l10n.t('without {0}', withoutIcons(ignored.join(', '))) }),
  };
}

const modeItem = <C extends TargetChoice>({ target }: C): ChoiceItem<C> => ({
  ...valueItem<C>('mode', vscode.l10n.t('Rows That Exist: {0}', modeName(target.mode)), async before => {
    const mode = await askForMode(target);
    return mode && { ...before, target: { ...before.target, mode } };
  }),
  description: modeDescription(target.mode),
});

const keyItem = <C extends TargetChoice>({ target }: C): ChoiceItem<C> =>
  valueItem<C>(
    'key',
    vscode.l10n.t('Key: {0}', target.key.length > 0 ? target.key.join(', ') : vscode.l10n.t('none')),
    async before => {
      const key = await askForKey(target);
      return key && { ...before, target: { ...before.target, key } };
    },
  );

/** Why the rows cannot be written with these choices. */
export function targetFault({ table, target }: TargetChoice): string | undefined {
  const { columns, mode, key } = target;
  if (columns.length === 0) {
    return vscode.l10n.t('No column of the rows has a column in the table. Choose the columns.');
  }
  const missing = mode === 'update' ? [] : missingColumns(table.columns ?? [], columns);
  if (missing.length > 0) return vscode.l10n.t('The table needs values for {0}.', missing.join(', '));
  if (mode !== 'upsert' && mode !== 'update') return undefined;
  if (key.length === 0) return vscode.l10n.t('Choose the key that identifies a row.');
  const mapped = new Set(columns.map(column => keyOf(column.target)));
  const lost = key.filter(name => !mapped.has(keyOf(name)));
  if (lost.length > 0) {
    return vscode.l10n.t('The rows have no column for {0}, which belongs to the key.', lost.join(', '));
  }
  return mode === 'update' && columns.length === key.length
    ? vscode.l10n.t('There is no column to update beside the key.')
    : undefined;
}
