import * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import { type ExportFormat, exportFormats } from '../../protocol/rowQueries.ts';
import type { Result } from './result.ts';

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly headers: boolean;
  readonly guardFormulas: boolean;
}

interface FormatWords {
  readonly name: string;
  readonly extension: string;
  readonly description: string;
}

export function exportFormatOf(format: ExportFormat): FormatWords {
  const { t } = vscode.l10n;
  const words: Readonly<Record<ExportFormat, FormatWords>> = {
    csv: { name: 'CSV', extension: 'csv', description: t('values separated by commas') },
    tsv: { name: 'TSV', extension: 'tsv', description: t('values separated by tabs') },
    json: { name: 'JSON', extension: 'json', description: t('one list of objects') },
    ndjson: { name: 'NDJSON', extension: 'ndjson', description: t('an object a line') },
    markdown: { name: 'Markdown', extension: 'md', description: t('a table') },
    insert: { name: 'SQL INSERT', extension: 'sql', description: t('statements that insert the rows') },
    sqlite: { name: 'SQLite', extension: 'db', description: t('a database with one table') },
  };
  return words[format];
}

/** Asks for the format and what it leaves open; undefined when the user would rather not. */
export async function exportQuestions({ subject, run }: Result): Promise<ExportOptions | undefined> {
  const items = exportFormats.map(format => {
    const { name, description } = exportFormatOf(format);
    return { label: name, description, format };
  });
  const title = vscode.l10n.t('Export {0}', whatOf(run));
  const placeHolder = subject.statement.replaceAll(/\s+/g, ' ').slice(0, 200);
  // They stay while the focus is elsewhere, so that what has it afterwards is what asked.
  const ignoreFocusOut = true;
  const format = (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut }))?.format;
  if (format === undefined) return undefined;
  if (format !== 'csv' && format !== 'tsv') return { format, headers: true, guardFormulas: false };
  const headers = { label: vscode.l10n.t('Names of the columns in the first line'), picked: true };
  const guard = {
    label: vscode.l10n.t('Keep spreadsheets from taking texts for formulas'),
    detail: vscode.l10n.t("Puts ' before texts that begin with =, +, - or @. Numbers stay as they are."),
  };
  const picks = [headers, guard];
  const chosen = await vscode.window.showQuickPick(picks, { title, canPickMany: true, ignoreFocusOut });
  return chosen && { format, headers: chosen.includes(headers), guardFormulas: chosen.includes(guard) };
}

/** How many rows, and of how many: nobody shall take a part for the whole. */
function whatOf({ state, rowCount, queries: { shownRows } }: Run): string {
  const rows =
    shownRows === rowCount
      ? vscode.l10n.t('{0} rows', inWords(shownRows))
      : vscode.l10n.t('{0} of {1} rows, as the filters leave them', inWords(shownRows), inWords(rowCount));
  return state === 'done' ? rows : vscode.l10n.t('{0}, which are not all that the statement gives', rows);
}

const inWords = (count: number): string => count.toLocaleString(vscode.env.language);
