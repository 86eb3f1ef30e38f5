import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { type ColumnChoice, listedTexts, valuesInTable } from '../../model/generating/columnChoice.ts';
import type { GeneratedTable } from '../../model/generating/generatedTable.ts';
import { choosableColumns } from '../../model/generating/slots.ts';
import type { Profile } from '../../model/profiles.ts';
import { keyOf } from '../../sql/text/names.ts';
import { promptForTable } from '../commands/tableCommands.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import { withoutIcons } from '../notifications.ts';
import { numberText } from '../numbers.ts';
import { withProgress } from '../progress.ts';
import { type ChoiceItem, valueItem } from '../prompts/choiceList.ts';
import { askForText, askForValue } from '../results/optionPrompts.ts';

type Chosen = ColumnChoice & {
  readonly label: string;
  /** The values as they were typed. */
  readonly line?: string;
};

/** The choices for columns, by the keys of their names. Columns without one get values that fit their names and types. */
export type ColumnChoices = ReadonlyMap<string, Chosen>;

export interface ColumnChoiceParts {
  readonly table: GeneratedTable;
  readonly profile: Profile;
  readonly catalogs: Catalogs;
  readonly clients: Clients;
}

/** The kinds of values, by the names of columns that have such values. */
const kindLabels = (): Readonly<Record<string, string>> => ({
  name: vscode.l10n.t('name of a person'),
  email: vscode.l10n.t('e-mail address'),
  company: vscode.l10n.t('company'),
  product: vscode.l10n.t('product'),
  city: vscode.l10n.t('city'),
  country: vscode.l10n.t('country'),
  phone: vscode.l10n.t('phone number'),
  description: vscode.l10n.t('sentence'),
  date: vscode.l10n.t('date'),
  datetime: vscode.l10n.t('date and time'),
});

/** An item for each column that refers to no other table. */
export function columnItems<C extends { readonly columns: ColumnChoices }>(
  { columns }: C,
  parts: ColumnChoiceParts,
  withColumns: (before: C, columns: ColumnChoices) => Promise<C>,
): ChoiceItem<C>[] {
  return choosableColumns(parts.table).map(({ name }) => {
    const key = keyOf(name);
    const label = columns.get(key)?.label ?? vscode.l10n.t('automatic');
    return valueItem<C>(`column ${key}`, `${name}: ${label}`, async before => {
      const chosen = await askForColumn(name, before.columns, parts);
      if (!chosen) return undefined;
      const others = [...before.columns].filter(([other]) => other !== key);
      return withColumns(before, new Map(chosen === 'automatic' ? others : [...others, [key, chosen]]));
    });
  });
}

async function askForColumn(
  column: string,
  columns: ColumnChoices,
  parts: ColumnChoiceParts,
): Promise<Chosen | 'automatic' | undefined> {
  const title = vscode.l10n.t('Values of {0}', withoutIcons(column));
  const before = columns.get(keyOf(column));
  const value = await askForValue({
    title,
    value: before ? valueOf(before) : 'automatic',
    items: [
      { value: 'automatic', label: vscode.l10n.t('automatic') },
      { value: 'list', label: vscode.l10n.t('one of a list…') },
      { value: 'table', label: vscode.l10n.t('from another table…') },
      ...Object.entries(kindLabels()).map(([kind, label]) => ({ value: kind, label })),
    ],
  });
  if (value === undefined || value === 'automatic') return value;
  if (value === 'list') return askForList(title, before?.line);
  if (value === 'table') return askForTable(title, parts);
  return { kind: 'named', name: value, label: kindLabels()[value] ?? value };
}

const valueOf = (chosen: Chosen): string => {
  if (chosen.kind === 'named') return chosen.name;
  return chosen.line === undefined ? 'table' : 'list';
};

async function askForList(title: string, before = ''): Promise<Chosen | undefined> {
  const prompt = vscode.l10n.t('The values, separated by commas');
  const line = await askForText({ title, value: before, prompt, faultOf: listFault });
  return line === undefined ? undefined : { ...listOf(listedTexts(line), vscode.l10n.t('one of a list')), line };
}

const listFault = (text: string): string | undefined =>
  listedTexts(text).length > 0 ? undefined : vscode.l10n.t('Enter at least one value.');

async function askForTable(
  title: string,
  { profile, catalogs, clients }: ColumnChoiceParts,
): Promise<Chosen | undefined> {
  const table = await promptForTable(catalogs, profile, { title });
  if (!table) return undefined;
  const names = (await catalogs.for(profile).columns(table.name)).map(({ name }) => name);
  const items = names.map(name => ({ label: withoutIcons(name), name }));
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (!picked) return undefined;
  const project = (await clients.for(profile)).project(profile.projectId);
  const place = { table: table.name, column: picked.name };
  const values = await withProgress(title, signal => valuesInTable(project, place, signal));
  const source = `${table.name}.${picked.name}`;
  if (values.length === 0) throw misuse('no_values', vscode.l10n.t("'{0}' has no values to choose from.", source));
  return listOf(values, source);
}

const listOf = (values: Extract<Chosen, { kind: 'list' }>['values'], source: string): Chosen => ({
  kind: 'list',
  values,
  label: vscode.l10n.t('{0} ({1})', source, numberText(values.length)),
});
