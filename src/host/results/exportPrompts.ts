import * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import { type ExportFormat, exportFormats } from '../../protocol/rowQueries.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Result } from './result.ts';

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly headers: boolean;
  readonly guardFormulas: boolean;
}

interface FormatTexts {
  readonly name: string;
  readonly extension: string;
  readonly description: string;
}

const maxStatementLength = 200;

/** Asks for the format and its options. Undefined when the user cancels. */
export async function promptForOptions({ subject, run }: Result): Promise<ExportOptions | undefined> {
  const title = vscode.l10n.t('Export {0}', rowsText(run));
  const items = exportFormats.map(format => {
    const { name, description } = formatTexts(format);
    return { label: name, description, format };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: statementLabel(subject.statement, maxStatementLength),
    // The prompt stays when the focus moves, so that restoring the focus cannot close it.
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  const { format } = chosen;
  const isDelimited = format === 'csv' || format === 'tsv';
  return isDelimited ? promptForDelimitedOptions(format, title) : { format, headers: true, guardFormulas: false };
}

async function promptForDelimitedOptions(format: 'csv' | 'tsv', title: string): Promise<ExportOptions | undefined> {
  const headers: vscode.QuickPickItem = {
    label: vscode.l10n.t('Names of the columns in the first line'),
    picked: true,
  };
  const guardFormulas: vscode.QuickPickItem = {
    label: vscode.l10n.t('Keep spreadsheets from taking texts for formulas'),
    detail: vscode.l10n.t("Puts ' before texts that begin with =, +, - or @. Numbers stay as they are."),
  };
  const chosen = await vscode.window.showQuickPick([headers, guardFormulas], {
    title,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen && { format, headers: chosen.includes(headers), guardFormulas: chosen.includes(guardFormulas) };
}

/** Asks for the file. Undefined when the user cancels. */
export async function promptForFile({ subject }: Result, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const { extension, name } = formatTexts(format);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const title = subject.title ?? subject.profile.name;
  const fileName = title.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'rows';
  return vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${fileName}.${extension}`) }),
    filters: { [name]: [extension] },
    title: vscode.l10n.t('Export Rows'),
  });
}

function formatTexts(format: ExportFormat): FormatTexts {
  const { t } = vscode.l10n;
  const texts: Readonly<Record<ExportFormat, FormatTexts>> = {
    csv: { name: 'CSV', extension: 'csv', description: t('values separated by commas') },
    tsv: { name: 'TSV', extension: 'tsv', description: t('values separated by tabs') },
    json: { name: 'JSON', extension: 'json', description: t('one list of objects') },
    ndjson: { name: 'NDJSON', extension: 'ndjson', description: t('an object a line') },
    markdown: { name: 'Markdown', extension: 'md', description: t('a table') },
    insert: { name: 'SQL INSERT', extension: 'sql', description: t('statements that insert the rows') },
    sqlite: { name: 'SQLite', extension: 'db', description: t('a database with one table') },
  };
  return texts[format];
}

/** Says how many rows are exported, and whether there are more, so that users know what they get. */
function rowsText({ state, rowCount, queries: { shownRows } }: Run): string {
  const rows =
    shownRows === rowCount
      ? vscode.l10n.t('{0} rows', localized(shownRows))
      : vscode.l10n.t('{0} of {1} rows, as the filters leave them', localized(shownRows), localized(rowCount));
  return state === 'done' ? rows : vscode.l10n.t('{0}, which are not all that the statement gives', rows);
}

const localized = (count: number): string => count.toLocaleString(vscode.env.language);
