import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import type { CsvDelimiter } from '../../model/results/rowQueries.ts';
import { type ExportFormat, exportFormats } from '../../protocol/rowQueries.ts';
import { confirm, withoutIcons } from '../notifications.ts';
import type { Result } from './result.ts';

/** The rows to export: those that pass the filters, all, or those that are selected. */
export type ExportScope = 'selection' | 'shown' | 'all';

export interface ExportOptions {
  readonly scope: ExportScope;
  readonly format: ExportFormat;
  readonly headers: boolean;
  readonly guardFormulas: boolean;
  readonly delimiter: CsvDelimiter;
  readonly nullText: string;
  readonly rowsPerInsert: number;
}

interface FormatTexts {
  readonly name: string;
  readonly extension: string;
  readonly description: string;
}

interface DialogItem extends vscode.QuickPickItem {
  /** Finds the item again when its label has changed. */
  readonly key: string;
  /** Applies the option that Enter on the item chooses. Undefined for the item that exports. */
  readonly change?: (options: ExportOptions) => ExportOptions;
}

const delimiters: readonly CsvDelimiter[] = [',', ';', '|'];
const nullTexts: readonly string[] = ['', 'NULL', String.raw`\N`];
const rowsPerInsert: readonly number[] = [1, 100, 1000];

const defaults = {
  format: 'csv',
  headers: true,
  guardFormulas: false,
  delimiter: ',',
  nullText: '',
  rowsPerInsert: 1,
} as const;

/**
 * Shows the whole export in one list: its format, its rows, and the options that the format has. Enter changes an option; on the
 * first item it exports. Undefined when the user cancels.
 */
export async function promptForOptions(
  { subject, run }: Result,
  selectedRows: number | undefined,
): Promise<ExportOptions | undefined> {
  const scopes = scopesOf(run, selectedRows);
  let options: ExportOptions = { ...defaults, scope: 'shown' };
  const pick = vscode.window.createQuickPick<DialogItem>();
  const show = (): void => {
    const activeKey = pick.activeItems[0]?.key;
    pick.items = itemsOf(options, { run, scopes, selectedRows });
    const active = pick.items.find(({ key }) => key === activeKey) ?? pick.items[0];
    if (active) pick.activeItems = [active];
  };
  pick.title = vscode.l10n.t('Export {0}', withoutIcons(subject.table ?? subject.title ?? subject.profile.name));
  pick.placeholder = vscode.l10n.t('Enter changes an option, or exports with the first item');
  pick.keepScrollPosition = true;
  // The prompt stays when the focus moves, so that restoring the focus cannot close it.
  pick.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<ExportOptions | undefined>();
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (!item) return;
    if (!item.change) return resolve(options);
    options = item.change(options);
    pick.value = '';
    show();
  });
  pick.onDidHide(() => resolve(undefined));
  show();
  pick.show();
  try {
    return await promise;
  } finally {
    pick.dispose();
  }
}

interface DialogContext {
  readonly run: Run;
  readonly scopes: readonly ExportScope[];
  readonly selectedRows: number | undefined;
}

/** All rows are a scope of their own only if filters hide some. */
function scopesOf({ queries }: Run, selectedRows: number | undefined): ExportScope[] {
  const isFiltered = queries.arrangement.filters.length > 0;
  return ['shown', ...(isFiltered ? (['all'] as const) : []), ...(selectedRows ? (['selection'] as const) : [])];
}

function itemsOf(options: ExportOptions, context: DialogContext): DialogItem[] {
  const { run, scopes, selectedRows } = context;
  const { format } = options;
  const { name } = formatTexts(format);
  const items: DialogItem[] = [
    {
      key: 'export',
      label: `$(save) ${vscode.l10n.t('Export as {0}…', name)}`,
      description: scopeText(options.scope, run, selectedRows),
      alwaysShow: true,
    },
  ];
  if (scopes.length > 1) {
    items.push(separator(vscode.l10n.t('Rows')));
    for (const scope of scopes) {
      items.push({
        key: scope,
        label: choiceLabel(scopeName(scope, run), scope === options.scope),
        description: scopeText(scope, run, selectedRows),
        change: before => ({ ...before, scope }),
      });
    }
  }
  items.push(...optionItems(options), separator(vscode.l10n.t('Format')));
  for (const other of exportFormats) {
    const texts = formatTexts(other);
    items.push({
      key: other,
      label: choiceLabel(texts.name, other === format),
      description: texts.description,
      change: before => ({ ...before, format: other }),
    });
  }
  return items;
}

/** The options that a format has. */
function optionItems({
  format,
  headers,
  guardFormulas,
  delimiter,
  nullText,
  rowsPerInsert: rows,
}: ExportOptions): DialogItem[] {
  const items: DialogItem[] = [];
  if (format === 'csv' || format === 'tsv') {
    items.push({
      key: 'headers',
      label: checkLabel(vscode.l10n.t('Header Row'), headers),
      change: before => ({ ...before, headers: !before.headers }),
    });
  }
  if (format === 'csv') {
    items.push({
      key: 'delimiter',
      label: valueLabel(vscode.l10n.t('Delimiter: {0}', delimiterName(delimiter))),
      change: before => ({ ...before, delimiter: nextOf(delimiters, before.delimiter) }),
    });
  }
  if (format === 'csv' || format === 'tsv') {
    items.push(
      {
        key: 'nullText',
        label: valueLabel(vscode.l10n.t('NULL Text: {0}', nullText === '' ? vscode.l10n.t('empty') : nullText)),
        change: before => ({ ...before, nullText: nextOf(nullTexts, before.nullText) }),
      },
      {
        key: 'guardFormulas',
        label: checkLabel(vscode.l10n.t('Escape formulas for spreadsheets'), guardFormulas),
        description: vscode.l10n.t("puts ' before texts that begin with =, +, - or @"),
        change: before => ({ ...before, guardFormulas: !before.guardFormulas }),
      },
    );
  }
  if (format === 'insert') {
    items.push({
      key: 'rowsPerInsert',
      label: valueLabel(vscode.l10n.t('Rows per INSERT: {0}', localized(rows))),
      change: before => ({ ...before, rowsPerInsert: nextOf(rowsPerInsert, before.rowsPerInsert) }),
    });
  }
  return items.length > 0 ? [separator(vscode.l10n.t('Options')), ...items] : [];
}

const separator = (label: string): DialogItem => ({
  key: `separator of ${label}`,
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

const choiceLabel = (text: string, isChosen: boolean): string =>
  `$(${isChosen ? 'circle-filled' : 'circle-outline'}) ${text}`;

const checkLabel = (text: string, isChosen: boolean): string => `$(${isChosen ? 'check' : 'dash'}) ${text}`;

const valueLabel = (text: string): string => `$(sync) ${text}`;

function nextOf<T>(values: readonly T[], value: T): T {
  return values[(values.indexOf(value) + 1) % values.length]!;
}

function delimiterName(delimiter: CsvDelimiter): string {
  switch (delimiter) {
    case ',':
      return vscode.l10n.t('comma');
    case ';':
      return vscode.l10n.t('semicolon');
    case '|':
      return vscode.l10n.t('vertical bar');
  }
}

function scopeName(scope: ExportScope, { queries }: Run): string {
  if (scope === 'selection') return vscode.l10n.t('Selected Rows');
  return scope === 'all' || queries.arrangement.filters.length === 0
    ? vscode.l10n.t('All Rows')
    : vscode.l10n.t('Filtered Rows');
}

/** Says how many rows are exported, and whether there are more, so that users know what they get. */
function scopeText(scope: ExportScope, { state, rowCount, queries }: Run, selectedRows: number | undefined): string {
  if (scope === 'selection') return rowsText(selectedRows ?? 0);
  const rows = rowsText(scope === 'all' ? rowCount : queries.shownRows);
  return state === 'done' ? rows : vscode.l10n.t('{0} (incomplete result)', rows);
}

const rowsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', localized(count));

/** Asks for the file. Undefined when the user cancels. */
export async function promptForFile({ subject }: Result, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const { extension, name } = formatTexts(format);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const title = subject.table ?? subject.title ?? subject.profile.name;
  const fileName = title.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'rows';
  const file = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${fileName}.${extension}`) }),
    // With all files among the filters, VS Code leaves the ending that the user types.
    filters: { [name]: [extension], [vscode.l10n.t('All Files')]: ['*'] },
    title: vscode.l10n.t('Export Rows'),
  });
  return file && withEnding(file, extension);
}

/** Adds the ending of the format to a name without any. VS Code asked only whether the name without it may be replaced. */
async function withEnding(file: vscode.Uri, extension: string): Promise<vscode.Uri | undefined> {
  const name = basename(file.path);
  if (name.includes('.')) return file;
  const complete = vscode.Uri.joinPath(file, '..', `${name}.${extension}`);
  const exists = await vscode.workspace.fs.stat(complete).then(
    () => true,
    () => false,
  );
  if (!exists) return complete;
  const question = vscode.l10n.t("'{0}' already exists. Replace it?", basename(complete.path));
  return (await confirm(question, complete.fsPath, vscode.l10n.t('Replace'))) ? complete : undefined;
}

function formatTexts(format: ExportFormat): FormatTexts {
  const { t } = vscode.l10n;
  const texts: Readonly<Record<ExportFormat, FormatTexts>> = {
    csv: { name: 'CSV', extension: 'csv', description: t('values with a delimiter between them') },
    tsv: { name: 'TSV', extension: 'tsv', description: t('values with tabs between them') },
    json: { name: 'JSON', extension: 'json', description: t('one list of objects') },
    ndjson: { name: 'NDJSON', extension: 'ndjson', description: t('one object per line') },
    markdown: { name: 'Markdown', extension: 'md', description: t('a table') },
    insert: { name: 'SQL INSERT', extension: 'sql', description: t('statements that insert the rows') },
    sqlite: { name: 'SQLite', extension: 'db', description: t('a database with one table') },
  };
  return texts[format];
}

const localized = (count: number): string => count.toLocaleString(vscode.env.language);
