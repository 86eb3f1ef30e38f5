import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { type GeneratedRows, maxGeneratedRows, type RowLimit } from '../../model/generating/generateRows.ts';
import { badRowItems, type ChoiceItem, promptForChoices, separator, valueItem } from '../prompts/choiceList.ts';
import { withoutIcons } from '../notifications.ts';
import { askForText, askForValue } from '../results/optionPrompts.ts';
import { type ColumnChoiceParts, columnItems, type ColumnChoices } from './columnChoices.ts';
import { numberText, rowsText } from '../numbers.ts';

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
