import * as vscode from 'vscode';
import { keyOf } from '../../sql/text/names.ts';
import type { CatalogColumn } from '../../model/catalog/catalog.ts';
import {
  importFormats,
  type ImportMode,
  importModes,
  type ImportTarget,
  type MappedColumn,
  type SourceOptions,
  type TextEncoding,
  textEncodings,
} from '../../model/importing/importOptions.ts';
import { importableColumns } from '../../model/importing/mapping.ts';
import { tablesOf } from '../../model/importing/readers/sqliteReader.ts';
import { withoutIcons } from '../notifications.ts';
import { radioLabel } from '../prompts/choiceList.ts';
import { typedDelimiter } from '../results/exportOptions.ts';
import { askForText, askForValue, chooseDelimiter, nullTextName, nullTexts } from '../results/optionPrompts.ts';
import { encodingNames, formatNames, modeDescription, modeName } from './importTexts.ts';

/** The values that most people want. The user can type others. */
const delimiters: readonly string[] = [',', ';', '\t', '|'];
const quotes: readonly string[] = ['"', "'", ''];

/** A format may bring other options along. */
export async function askForFormat(
  { format }: SourceOptions,
  path: string,
): Promise<Partial<SourceOptions> | undefined> {
  const chosen = await askForValue({
    title: vscode.l10n.t('Format'),
    value: format,
    items: importFormats.map(value => ({ value, label: formatNames[value] })),
  });
  if (chosen === undefined) return undefined;
  if (chosen !== 'sqlite') return { format: chosen, ...(chosen === 'tsv' && { delimiter: '\t' }) };
  const [table] = await tablesOf(path);
  return { format: chosen, table: table ?? '' };
}

export const askForEncoding = ({ encoding }: SourceOptions): Promise<TextEncoding | undefined> =>
  askForValue({
    title: vscode.l10n.t('Encoding'),
    value: encoding,
    items: textEncodings.map(value => ({ value, label: encodingNames[value] })),
  });

export const askForFileDelimiter = ({ delimiter }: SourceOptions): Promise<string | undefined> =>
  chooseDelimiter(delimiter, delimiters, delimiterFault);

export const askForQuote = ({ quote }: SourceOptions): Promise<string | undefined> =>
  askForValue({
    title: vscode.l10n.t('Quote Character'),
    value: quote,
    items: quotes.map(value => ({ value, label: quoteName(value) })),
  });

export function askForFileNullText({ nullText }: SourceOptions): Promise<string | null | undefined> {
  const title = vscode.l10n.t('NULL Text');
  const prompt = vscode.l10n.t('Stands for NULL');
  return askForValue({
    title,
    value: nullText,
    items: [null, ...nullTexts].map(value => ({ value, label: nullTextName(value) })),
    type: () => askForText({ title, value: nullText ?? '', prompt, faultOf: () => undefined }),
  });
}

export const askForSourceTable = async ({ table }: SourceOptions, path: string): Promise<string | undefined> =>
  askForValue({
    title: vscode.l10n.t('Table of the File'),
    value: table,
    items: (await tablesOf(path)).map(value => ({ value, label: withoutIcons(value) })),
  });

export async function askForMode({ mode }: ImportTarget): Promise<ImportMode | undefined> {
  return askForValue({
    title: vscode.l10n.t('Rows That Exist'),
    value: mode,
    items: importModes.map(value => ({ value, label: modeName(value), description: modeDescription(value) })),
  });
}

/** The table that takes the rows: an existing one, or the name of a new one. */
export async function askForTable(tables: readonly string[], tableName: string): Promise<string | undefined> {
  const title = vscode.l10n.t('Table');
  return askForValue({
    title,
    value: tableName,
    items: tables.map(value => ({ value, label: withoutIcons(value) })),
    type: () =>
      askForText({
        title,
        value: tableName,
        prompt: vscode.l10n.t('The name of a new table'),
        faultOf: name => (name.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
      }),
  });
}

export async function askForKey({ columns, key }: ImportTarget): Promise<readonly string[] | undefined> {
  const items = columns.map(({ target }) => ({
    label: withoutIcons(target),
    name: target,
    picked: key.some(name => keyOf(name) === keyOf(target)),
  }));
  const title = vscode.l10n.t('Key Columns');
  const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
  return chosen?.map(({ name }) => name);
}

interface MappingItem extends vscode.QuickPickItem {
  readonly source: number | undefined;
}

/** Lets the user choose the column of the table for each column of the file. */
export async function askForMapping(
  names: readonly string[],
  mapped: readonly MappedColumn[],
  columns: readonly CatalogColumn[],
): Promise<readonly MappedColumn[] | undefined> {
  let mappedColumns = mapped;
  for (;;) {
    const items: MappingItem[] = [
      { label: `$(check) ${vscode.l10n.t('Use These Columns')}`, source: undefined },
      ...names.map((name, source) => {
        const target = mappedColumns.find(column => column.source === source)?.target;
        const description = target === undefined ? vscode.l10n.t('not imported') : `→ ${withoutIcons(target)}`;
        return { label: withoutIcons(name), description, source };
      }),
    ];
    const title = vscode.l10n.t('Columns');
    const chosen = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
    if (!chosen) return undefined;
    if (chosen.source === undefined) return mappedColumns;
    mappedColumns = await askForColumn(chosen.source, names[chosen.source]!, mappedColumns, columns);
  }
}

async function askForColumn(
  source: number,
  name: string,
  mappedColumns: readonly MappedColumn[],
  columns: readonly CatalogColumn[],
): Promise<readonly MappedColumn[]> {
  const before = mappedColumns.find(column => column.source === source)?.target;
  const others = mappedColumns.filter(column => column.source !== source);
  const items = [
    { label: radioLabel(vscode.l10n.t('Do Not Import'), before === undefined), column: undefined },
    ...importableColumns(columns).map(column => ({
      label: radioLabel(withoutIcons(column.name), column.name === before),
      description: column.type,
      column,
    })),
  ];
  const title = vscode.l10n.t("Column for '{0}'", withoutIcons(name));
  const chosen = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (!chosen) return mappedColumns;
  const { column } = chosen;
  if (!column) return others;
  // A column of the table takes the values of one column only.
  const remaining = others.filter(({ target }) => target !== column.name);
  return [...remaining, { source, target: column.name, type: column.type }].toSorted(
    (one, other) => one.source - other.source,
  );
}

export const quoteName = (quote: string): string => (quote === '' ? vscode.l10n.t('none') : quote);

function delimiterFault(typed: string): string | undefined {
  const delimiter = typedDelimiter(typed);
  return /^[\t\x20-\x7e]$/.test(delimiter) && !/["']/.test(delimiter)
    ? undefined
    : vscode.l10n.t('Enter one character of ASCII that is not a quote.');
}
