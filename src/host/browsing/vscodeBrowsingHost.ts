import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { TableStatement } from '../../model/browsing/tableStatements.ts';
import type { Profile } from '../../model/profiles.ts';
import { exactNumbers, jsonParameters } from '../../wire/values.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commands, panels, settings } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { offerRemedy } from '../remedies.ts';
import type { ExportRows } from '../results/exportRows.ts';
import { promptForRow } from '../results/promptForRow.ts';
import type { BrowsingHost, CommandRemedy, RowRange } from './browsingHost.ts';
import type { TableEditorParts } from './tableEditor.ts';
import { TableEditors } from './tableEditors.ts';

const defaultPageSize = 500;
/** The service accepts no higher limit. */
const maxPageSize = 10_000;
const messageMs = 5000;

export interface CreateTableEditorsParts extends Omit<TableEditorParts, 'host'> {
  readonly documents: DocumentProjects;
  readonly exportRows: ExportRows;
}

export function createTableEditors({ documents, exportRows, ...parts }: CreateTableEditorsParts): TableEditors {
  return new TableEditors({ ...parts, host: new VscodeBrowsingHost(documents, exportRows) });
}

/** VS Code's own panels, inputs and settings for table editors. */
class VscodeBrowsingHost implements BrowsingHost {
  readonly #documents: DocumentProjects;
  readonly exportRows: ExportRows;
  readonly offerRemedy = offerRemedy;

  constructor(documents: DocumentProjects, exportRows: ExportRows) {
    this.#documents = documents;
    this.exportRows = exportRows;
  }

  createPanel(title: string, preserveFocus: boolean): vscode.WebviewPanel {
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    return vscode.window.createWebviewPanel(panels.table, title, place);
  }

  pageSize(): number {
    const setting = asCount(vscode.workspace.getConfiguration().get(settings.browsePageSize));
    return Math.min(setting || defaultPageSize, maxPageSize);
  }

  promptForRow({ table, hasEnd, rowCount }: RowRange): Promise<number | undefined> {
    return promptForRow({ title: vscode.l10n.t('Go to Row of {0}', table.name), hasEnd, rowCount });
  }

  showMissingRow({ table, hasEnd, rowCount }: RowRange, row: number): void {
    const message = hasEnd
      ? vscode.l10n.t("'{0}' ends at row {1}.", table.name, formatNumber(rowCount))
      : vscode.l10n.t("'{0}' has no row {1}. The number of rows is not known.", table.name, formatNumber(row + 1));
    vscode.window.setStatusBarMessage(withoutIcons(message), messageMs);
  }

  async applyRemedy(remedy: CommandRemedy, { id }: Profile): Promise<void> {
    await vscode.commands.executeCommand(commands[remedy], id);
  }

  async openStatement(statement: TableStatement, profile: Profile): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content: scriptOf(statement) });
    await this.#documents.assign(document.uri, profile);
    await vscode.window.showTextDocument(document);
  }
}

const formatNumber = (number: number): string => number.toLocaleString(vscode.env.language);

function scriptOf({ sql, params }: TableStatement): string {
  const paramsLine = params.length > 0 ? `-- @params ${JSON.stringify(jsonParameters(params), exactNumbers)}\n` : '';
  return `${paramsLine}${sql};\n`;
}
