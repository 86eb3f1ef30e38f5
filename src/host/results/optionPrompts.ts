import * as vscode from 'vscode';
import { blobSpellings, type BlobSpelling } from '../../protocol/rowQueries.ts';
import {
  delimiterFault,
  type ExportOptions,
  nullTextFault,
  rowsPerInsertFault,
  typedDelimiter,
} from './exportOptions.ts';
import { numberText } from '../numbers.ts';
import { radioLabel } from '../prompts/choiceList.ts';

/** The values that most people want. The user can type others. */
const delimiters: readonly string[] = [',', ';', '|'];
export const nullTexts: readonly string[] = ['', 'NULL', String.raw`\N`];
const rowsPerInsert: readonly number[] = [1, 100, 1000];

/** Asks for the value of an option. Undefined when the user cancels. */
type AskForOption<K extends keyof ExportOptions> = (options: ExportOptions) => Promise<ExportOptions[K] | undefined>;

export const askForExportDelimiter: AskForOption<'delimiter'> = ({ delimiter, nullText }) =>
  chooseDelimiter(delimiter, delimiters, typed => delimiterFault(typed, nullText));

/** Undefined when the user cancels. */
export async function chooseDelimiter(
  delimiter: string,
  choices: readonly string[],
  faultOf: (typed: string) => string | undefined,
): Promise<string | undefined> {
  const title = vscode.l10n.t('Delimiter');
  const chosen = await askForValue({
    title,
    value: delimiter,
    items: choices.map(value => ({ value, label: delimiterName(value) })),
    type: () =>
      askForText({
        title,
        value: delimiter === '\t' ? String.raw`\t` : delimiter,
        prompt: vscode.l10n.t('One character, or {0} for a tab', String.raw`\t`),
        faultOf,
      }),
  });
  return chosen === undefined ? undefined : typedDelimiter(chosen);
}

export const askForExportNullText: AskForOption<'nullText'> = ({ delimiter, nullText }) => {
  const title = vscode.l10n.t('NULL Text');
  return askForValue({
    title,
    value: nullText,
    items: nullTexts.map(value => ({ value, label: nullTextName(value) })),
    type: () =>
      askForText({
        title,
        value: nullText,
        prompt: vscode.l10n.t('Stands for NULL'),
        faultOf: text => nullTextFault(text, delimiter),
      }),
  });
};

export const askForRows: AskForOption<'rowsPerInsert'> = async ({ rowsPerInsert: rows }) => {
  const title = vscode.l10n.t('Rows per INSERT');
  return askForValue({
    title,
    value: rows,
    items: rowsPerInsert.map(count => ({ value: count, label: numberText(count) })),
    type: async () => {
      const typed = await askForText({ title, value: String(rows), faultOf: rowsPerInsertFault });
      return typed === undefined ? undefined : Number(typed);
    },
  });
};

export const askForBlobs: AskForOption<'blobs'> = ({ blobs }) => {
  const examples: Readonly<Record<BlobSpelling, string>> = { hex: '0x00FF', base64: 'AP8=' };
  return askForValue({
    title: vscode.l10n.t('BLOBs'),
    value: blobs,
    items: blobSpellings.map(value => ({ value, label: value, description: examples[value] })),
  });
};

const delimiterNames: ReadonlyMap<string, () => string> = new Map([
  [',', () => vscode.l10n.t('comma')],
  [';', () => vscode.l10n.t('semicolon')],
  ['|', () => vscode.l10n.t('vertical bar')],
  ['\t', () => vscode.l10n.t('tab')],
  [' ', () => vscode.l10n.t('space')],
]);

export const delimiterName = (delimiter: string): string => delimiterNames.get(delimiter)?.() ?? delimiter;

export function nullTextName(text: string | null): string {
  if (text === null) return vscode.l10n.t('none');
  return text === '' ? vscode.l10n.t('empty') : text;
}

interface ValueItem<T> {
  readonly value: T;
  readonly label: string;
  readonly description?: string;
}

interface ValueQuestion<T> {
  readonly title: string;
  readonly value: T;
  readonly items: readonly ValueItem<T>[];
  /** Lets the user type another value. */
  readonly type?: () => Promise<T | undefined>;
}

/** Undefined when the user cancels. */
export async function askForValue<T extends string | number | null>({
  title,
  value,
  items,
  type,
}: ValueQuestion<T>): Promise<T | undefined> {
  const isListed = items.some(item => item.value === value);
  const choices = [
    ...items.map(item => ({ ...item, label: radioLabel(item.label, item.value === value) })),
    ...(type ? [{ value: undefined, label: radioLabel(vscode.l10n.t('Other…'), !isListed) }] : []),
  ];
  // The prompts stay when the focus moves, so that restoring the focus cannot close them.
  const chosen = await vscode.window.showQuickPick(choices, { title, ignoreFocusOut: true });
  if (!chosen) return undefined;
  return chosen.value === undefined ? type?.() : chosen.value;
}

interface TextQuestion extends Pick<vscode.InputBoxOptions, 'title' | 'value' | 'prompt'> {
  readonly faultOf: (text: string) => string | undefined;
}

export const askForText = async ({ faultOf, ...options }: TextQuestion): Promise<string | undefined> =>
  vscode.window.showInputBox({ ...options, ignoreFocusOut: true, validateInput: text => faultOf(text) });
