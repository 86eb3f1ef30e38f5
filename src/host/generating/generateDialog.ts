import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { type GeneratedRows, maxGeneratedRows, type RowLimit } from '../../model/generating/generateRows.ts';
import { misuse } from '../../base/errors.ts';
import { type ColumnChoice, listedTexts, valuesInTable } from '../../model/generating/columnChoice.ts';
import type { GeneratedTable } from '../../model/generating/generatedTable.ts';
import { choosableColumns } from '../../model/generating/slots.ts';
import type { Profile } from '../../model/profiles.ts';
import { keyOf } from '../../sql/text/names.ts';
import { badRowItems, type ChoiceItem, promptForChoices, separator, valueItem } from '../prompts/choiceList.ts';
import { withoutIcons } from '../notifications.ts';
import { askForText, askForValue } from '../results/optionPrompts.ts';
import { numberText, rowsText } from '../numbers.ts';
import { promptForTable } from '../commands/tableCommands.ts';
import type { Catalogs } from '../connections/projects.ts';
import type { Clients } from '../connections/clients.ts';
import { withProgress } from '../progress.ts';

export interface GenerateChoice {
  readonly columns: ColumnChoices;
  readonly count: number;
  readonly seed: number;
  readonly stopsAtRejection: boolean;
  readonly preview: GeneratedRows;
}

interface GenerateDialogParts extends ColumnChoiceParts {
  readonly withPreview: (choice: Omit<GenerateChoice, 'preview'>) => Promise<GenerateChoice>;
}

const counts: readonly number[] = [10, 100, 1000, 10_000, 100_000];

/** Enter changes an option, or generates the rows on the first item. Undefined when the user cancels. */
export const promptForGeneration = async (
  initial: GenerateChoice,
  parts: GenerateDialogParts,
): Promise<GenerateChoice | undefined> =>
  promptForChoices(initial, {
    title: vscode.l10n.t(
      'Generate Rows for {0} in {1}',
      withoutIcons(parts.table.name),
      withoutIcons(parts.profile.name),
    ),
    placeholder: vscode.l10n.t('Enter changes an option, or generates the rows with the first item'),
    itemsOf: choice => itemsOf(choice, parts),
    faultOf: ({ preview }) => (preview.rowCount === 0 && preview.limit ? limitText(preview.limit) : undefined),
  });

function itemsOf(choice: GenerateChoice, parts: GenerateDialogParts): ChoiceItem<GenerateChoice>[] {
  const { count, seed, preview } = choice;
  return [
    {
      key: 'generate',
      label: `$(${preview.limit ? 'warning' : 'wand'}) ${vscode.l10n.t('Generate {0}…', rowsText(count))}`,
      description: noteOf(choice, parts),
      alwaysShow: true,
    },
    separator(vscode.l10n.t('Rows')),
    valueItem('count', vscode.l10n.t('Number of Rows: {0}', numberText(count)), async before => {
      const chosen = await askForCount(before.count);
      return chosen === undefined ? undefined : parts.withPreview({ ...before, count: chosen });
    }),
    {
      ...valueItem<GenerateChoice>('seed', vscode.l10n.t('Seed: {0}', String(seed)), async before => {
        const chosen = await askForSeed(before.seed);
        return chosen === undefined ? undefined : parts.withPreview({ ...before, seed: chosen });
      }),
      description: vscode.l10n.t('the same seed gives the same rows'),
    },
    separator(vscode.l10n.t('Columns')),
    ...columnItems(choice, parts, (before, columns) => parts.withPreview({ ...before, columns })),
    separator(vscode.l10n.t('Rejected Rows')),
    ...badRowItems(choice),
  ];
}

function noteOf({ preview }: GenerateChoice, { table }: GenerateDialogParts): string {
  if (preview.limit) return limitText(preview.limit);
  if (preview.definitionFault !== undefined) {
    return vscode.l10n.t('not tried against the checks of the table: {0}', withoutIcons(preview.definitionFault));
  }
  return vscode.l10n.t("into '{0}'", withoutIcons(table.name));
}

async function askForCount(count: number): Promise<number | undefined> {
  const title = vscode.l10n.t('Number of Rows');
  const typed = await askForValue({
    title,
    value: String(count),
    items: counts.map(value => ({ value: String(value), label: numberText(value) })),
    type: () => askForText({ title, value: String(count), faultOf: countFault }),
  });
  return typed === undefined ? undefined : Number(typed);
}

async function askForSeed(seed: number): Promise<number | undefined> {
  const title = vscode.l10n.t('Seed');
  const prompt = vscode.l10n.t('The same seed gives the same rows if the table is the same.');
  const typed = await askForText({ title, value: String(seed), prompt, faultOf: seedFault });
  return typed === undefined ? undefined : Number(typed);
}

function countFault(text: string): string | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && count > 0 && count <= maxGeneratedRows
    ? undefined
    : vscode.l10n.t('Enter a number from 1 to {0}.', numberText(maxGeneratedRows));
}

const seedFault = (text: string): string | undefined =>
  /^\d{1,9}$/.test(text) ? undefined : vscode.l10n.t('Enter a number with at most nine digits.');

/** Says why there are fewer rows than requested. */
export function limitText(limit: RowLimit): string {
  switch (limit.kind) {
    case 'keysExhausted':
      return vscode.l10n.t('All values that a key of the table allows are taken.');
    case 'keyTaken':
      return vscode.l10n.t('No free key was found for the next row.');
    case 'refused':
      return vscode.l10n.t('No generated row passes: {0}', withoutIcons(limit.message));
    case 'noReference':
      return vscode.l10n.t('No row of the referenced tables fits.');
    case 'tooLarge':
      return vscode.l10n.t('The rows have more than one gigabyte.');
    case 'tooSlow':
      return vscode.l10n.t('The checks of the table take too long.');
    default:
      return assertNever(limit);
  }
}

type Chosen = ColumnChoice & {
  readonly label: string;
  /** The values as they were typed. */
  readonly line?: string;
};

/** The choices for columns, by the keys of their names. Columns without one get values that fit their names and types. */
type ColumnChoices = ReadonlyMap<string, Chosen>;

interface ColumnChoiceParts {
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
function columnItems<C extends { readonly columns: ColumnChoices }>(
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
