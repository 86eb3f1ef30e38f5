import * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import { type ExportFormat, exportFormats, isFiltered } from '../../protocol/rowQueries.ts';
import { withoutIcons } from '../notifications.ts';
import {
  checkItem,
  type ChoiceItem,
  promptForChoices,
  radioLabel,
  separator,
  valueItem,
} from '../prompts/choiceList.ts';
import { fileNamesOf, promptForFolder, promptForSaving } from '../prompts/saveDialog.ts';
import type { ExportOptions } from './exportOptions.ts';
import {
  type AskForOption,
  askForBlobs,
  askForExportDelimiter,
  askForExportNullText,
  askForRows,
  delimiterName,
  nullTextName,
} from './optionPrompts.ts';
import { numberText, rowsText } from '../numbers.ts';

/** Rows that pass the filters are `shown`. */
type ExportScope = 'selection' | 'shown' | 'all';

export interface ExportChoice {
  readonly scope: ExportScope;
  readonly options: ExportOptions;
}

type FormatOption = Exclude<keyof ExportOptions, 'format'>;

const optionsOf: Readonly<Record<ExportFormat, readonly FormatOption[]>> = {
  csv: ['headers', 'delimiter', 'nullText', 'blobs', 'guardFormulas'],
  tsv: ['headers', 'nullText', 'blobs', 'guardFormulas'],
  xlsx: ['headers', 'sqlSheet'],
  parquet: [],
  json: [],
  ndjson: [],
  markdown: ['blobs'],
  insert: ['rowsPerInsert'],
  sqlite: [],
};

type ExportItem = ChoiceItem<ExportChoice>;

/** Enter changes an option, or exports on the first item. Without a run, the rows are yet to come. Undefined when the user cancels. */
export async function promptForOptions(
  title: string,
  initial: ExportOptions,
  run?: Run,
  selectedRows?: number,
): Promise<ExportChoice | undefined> {
  let shownState = run?.state;
  return promptForChoices<ExportChoice>(
    { scope: 'shown', options: initial },
    {
      title: vscode.l10n.t('Export {0}', withoutIcons(title)),
      placeholder: vscode.l10n.t('Enter changes an option, or exports with the first item'),
      itemsOf: choice => {
        shownState = run?.state;
        return itemsOf(choice, run, selectedRows);
      },
      // The list says whether the result is complete, so show the list again when the state changes.
      ...(run && { watch: show => run.onChange(() => run.state !== shownState && show()) }),
    },
  );
}

/** Without filters, the shown rows are all rows. */
function scopesOf({ queries }: Run, selectedRows: number | undefined): ExportScope[] {
  return [
    'shown',
    ...(isFiltered(queries.arrangement) ? (['all'] as const) : []),
    ...(selectedRows ? (['selection'] as const) : []),
  ];
}

function itemsOf(
  { scope, options }: ExportChoice,
  run: Run | undefined,
  selectedRows: number | undefined,
): ExportItem[] {
  const scopes = run ? scopesOf(run, selectedRows) : [];
  const { format } = options;
  const { name } = formatTexts(format);
  const items: ExportItem[] = [
    {
      key: 'export',
      label: `$(save) ${vscode.l10n.t('Export as {0}…', name)}`,
      ...(run && { description: scopeText(scope, run, selectedRows) }),
      alwaysShow: true,
    },
  ];
  if (run && scopes.length > 1) {
    items.push(separator(vscode.l10n.t('Rows')));
    for (const other of scopes) {
      items.push({
        key: other,
        label: radioLabel(scopeName(other, run), other === scope),
        description: scopeText(other, run, selectedRows),
        change: async before => ({ ...before, scope: other }),
      });
    }
  }
  const formatItems = optionsOf[format].map(option => optionItems[option](options));
  if (formatItems.length > 0) items.push(separator(vscode.l10n.t('Options')), ...formatItems);
  items.push(separator(vscode.l10n.t('Format')));
  for (const other of exportFormats) {
    const texts = formatTexts(other);
    items.push({
      key: other,
      label: radioLabel(texts.name, other === format),
      description: texts.description,
      change: async before => ({ ...before, options: { ...before.options, format: other } }),
    });
  }
  return items;
}

const optionItems: Readonly<Record<FormatOption, (options: ExportOptions) => ExportItem>> = {
  headers: options => switchItem('headers', vscode.l10n.t('Header Row'), options),
  guardFormulas: options => ({
    ...switchItem('guardFormulas', vscode.l10n.t('Escape formulas for spreadsheets'), options),
    description: vscode.l10n.t("puts ' before texts that begin with =, +, - or @"),
  }),
  sqlSheet: options => switchItem('sqlSheet', vscode.l10n.t('Sheet with the SQL'), options),
  delimiter: ({ delimiter }) =>
    askItem('delimiter', vscode.l10n.t('Delimiter: {0}', delimiterName(delimiter)), askForExportDelimiter),
  nullText: ({ nullText }) =>
    askItem('nullText', vscode.l10n.t('NULL Text: {0}', nullTextName(nullText)), askForExportNullText),
  blobs: ({ blobs }) => askItem('blobs', vscode.l10n.t('BLOBs: {0}', blobs), askForBlobs),
  rowsPerInsert: options =>
    askItem('rowsPerInsert', vscode.l10n.t('Rows per INSERT: {0}', numberText(options.rowsPerInsert)), askForRows),
};

const switchItem = (
  option: 'headers' | 'guardFormulas' | 'sqlSheet',
  text: string,
  options: ExportOptions,
): ExportItem =>
  checkItem(option, text, {
    isChecked: options[option],
    change: async before => ({ ...before, options: { ...before.options, [option]: !before.options[option] } }),
  });

const askItem = <K extends FormatOption>(option: K, text: string, ask: AskForOption<K>): ExportItem =>
  valueItem(option, text, async before => {
    const value = await ask(before.options);
    return value === undefined ? before : { ...before, options: { ...before.options, [option]: value } };
  });

function scopeName(scope: ExportScope, { queries }: Run): string {
  if (scope === 'selection') return vscode.l10n.t('Selected Rows');
  return scope === 'all' || !isFiltered(queries.arrangement)
    ? vscode.l10n.t('All Rows')
    : vscode.l10n.t('Filtered Rows');
}

/** Says if the result is incomplete, so that users know what they get. */
function scopeText(scope: ExportScope, { state, rowCount, queries }: Run, selectedRows: number | undefined): string {
  if (scope === 'selection') return rowsText(selectedRows ?? 0);
  const rows = rowsText(scope === 'all' ? rowCount : queries.shownRows);
  return state === 'done' ? rows : vscode.l10n.t('{0} (incomplete result)', rows);
}

/** Asks for the file, or for the folder of several files. Undefined when the user cancels. */
export async function promptForFiles(
  titles: readonly string[],
  format: ExportFormat,
): Promise<readonly vscode.Uri[] | undefined> {
  const { extension, name: type } = formatTexts(format);
  const names = fileNamesOf(titles);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (names.length > 1)
    return promptForFolder(
      names.map(name => `${name}.${extension}`),
      folder,
    );
  const title = vscode.l10n.t('Export Rows');
  const file = await promptForSaving({ title, folder, name: names[0]!, extension, type });
  return file && [file];
}

function formatTexts(format: ExportFormat) {
  const { t } = vscode.l10n;
  const texts = {
    csv: { name: 'CSV', extension: 'csv', description: t('values with a delimiter between them') },
    tsv: { name: 'TSV', extension: 'tsv', description: t('values with tabs between them') },
    xlsx: { name: 'Excel', extension: 'xlsx', description: t('a workbook') },
    parquet: { name: 'Parquet', extension: 'parquet', description: t('columns with types, for data tools') },
    json: { name: 'JSON', extension: 'json', description: t('one list of objects') },
    ndjson: { name: 'NDJSON', extension: 'ndjson', description: t('one object per line') },
    markdown: { name: 'Markdown', extension: 'md', description: t('a table') },
    insert: { name: 'SQL INSERT', extension: 'sql', description: t('statements that insert the rows') },
    sqlite: { name: 'SQLite', extension: 'db', description: t('a database with one table') },
  };
  return texts[format];
}
