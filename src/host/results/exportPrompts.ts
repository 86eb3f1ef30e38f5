import * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import { type ExportFormat, exportFormats, isFiltered } from '../../protocol/rowQueries.ts';
import { withoutIcons } from '../notifications.ts';
import { askItem, type ChoiceItem, promptForChoices, radioItem, separator, switchItem } from '../prompts/choiceList.ts';
import { fileNamesOf, promptForFolder, promptForSaving } from '../prompts/saveDialog.ts';
import type { ExportOptions } from './exportOptions.ts';
import {
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

export interface ExportChoice extends ExportOptions {
  readonly scope: ExportScope;
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
    { ...initial, scope: 'shown' },
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

function itemsOf(choice: ExportChoice, run: Run | undefined, selectedRows: number | undefined): ExportItem[] {
  const scopes = run ? scopesOf(run, selectedRows) : [];
  const options = optionsOf[choice.format].map(option => optionItems[option](choice));
  const exportItem: ExportItem = {
    key: 'export',
    label: `$(save) ${vscode.l10n.t('Export as {0}…', formatTexts(choice.format).name)}`,
    ...(run && { description: scopeText(choice.scope, run, selectedRows) }),
    alwaysShow: true,
  };
  const scopeItem = (scope: ExportScope, shownRun: Run): ExportItem => ({
    ...radioItem('scope', scope, scopeName(scope, shownRun), choice),
    description: scopeText(scope, shownRun, selectedRows),
  });
  const formatItem = (format: ExportFormat): ExportItem => {
    const { name, description } = formatTexts(format);
    return { ...radioItem('format', format, name, choice), description };
  };
  return [
    exportItem,
    ...(run && scopes.length > 1
      ? [separator<ExportChoice>(vscode.l10n.t('Rows')), ...scopes.map(scope => scopeItem(scope, run))]
      : []),
    ...(options.length > 0 ? [separator<ExportChoice>(vscode.l10n.t('Options')), ...options] : []),
    separator(vscode.l10n.t('Format')),
    ...exportFormats.map(formatItem),
  ];
}

const optionItems: Readonly<Record<FormatOption, (choice: ExportChoice) => ExportItem>> = {
  headers: choice => switchItem('headers', vscode.l10n.t('Header Row'), choice),
  guardFormulas: choice => ({
    ...switchItem('guardFormulas', vscode.l10n.t('Escape formulas for spreadsheets'), choice),
    description: vscode.l10n.t("puts ' before texts that begin with =, +, - or @"),
  }),
  sqlSheet: choice => switchItem('sqlSheet', vscode.l10n.t('Sheet with the SQL'), choice),
  delimiter: ({ delimiter }) =>
    askItem('delimiter', vscode.l10n.t('Delimiter: {0}', delimiterName(delimiter)), askForExportDelimiter),
  nullText: ({ nullText }) =>
    askItem('nullText', vscode.l10n.t('NULL Text: {0}', nullTextName(nullText)), askForExportNullText),
  blobs: ({ blobs }) => askItem('blobs', vscode.l10n.t('BLOBs: {0}', blobs), askForBlobs),
  rowsPerInsert: choice =>
    askItem('rowsPerInsert', vscode.l10n.t('Rows per INSERT: {0}', numberText(choice.rowsPerInsert)), askForRows),
};

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
