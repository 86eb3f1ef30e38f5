import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { panels } from '../names.ts';
import { editorIcon } from '../projectAppearance.ts';
import type { ExportRows } from './exportRows.ts';
import type { StatementOrigin } from './result.ts';
import { act, actionsOf, type TabActions } from './resultActions.ts';
import type { ResultEditorEvents } from './openResults.ts';
import { ResultPage } from './resultPage.ts';
import type { ResultTab } from './resultTab.ts';

interface ResultEditorParts {
  readonly extensionUri: vscode.Uri;
  readonly tabActions: TabActions;
  readonly exportRows: ExportRows;
  readonly events: ResultEditorEvents;
  /** The panel that VS Code restored; a new one unless set. */
  readonly restoredPanel?: vscode.WebviewPanel | undefined;
}

export class ResultEditor {
  readonly #panel: vscode.WebviewPanel;
  readonly #page: ResultPage<ResultTab>;
  #result: ResultTab;

  constructor(result: ResultTab, { extensionUri, tabActions, exportRows, events, restoredPanel }: ResultEditorParts) {
    this.#result = result;
    this.#panel =
      restoredPanel ??
      vscode.window.createWebviewPanel(panels.result, titleOf(result), columnBeside(result.subject.origin));
    this.#updateIcon();
    this.#page = new ResultPage<ResultTab>({
      extensionUri,
      webview: this.#panel.webview,
      title: result.title,
      message: vscode.l10n.t('Restoring…'),
      isVisible: () => this.#panel.visible,
      onFocus: events.onFocus,
      exportRows,
      actions: {
        of: shown => actionsOf(shown, 'editor'),
        act: (action, shown) => act(action, shown, { tabActions, exportRows }),
      },
      methods: {},
    });
    void this.#page.show(result);
    this.#panel.onDidDispose(() => {
      this.#page.dispose();
      events.onClose();
    });
  }

  get result(): ResultTab {
    return this.#result;
  }

  show(result: ResultTab): Promise<void> {
    this.#result = result;
    this.updateTitle();
    this.#updateIcon();
    return this.#page.show(result);
  }

  updateTitle(): void {
    this.#panel.title = titleOf(this.#result);
  }

  focus(): void {
    this.#panel.reveal();
  }

  showChart(): void {
    this.#page.showChart();
  }

  close(): void {
    this.#panel.dispose();
  }

  #updateIcon(): void {
    this.#panel.iconPath = editorIcon(this.#result.subject.profile, 'table');
  }
}

const titleOf = (result: ResultTab): string => result.titleAt(systemClock.now(), vscode.env.language);

/** The column right of the editor with the statement, so that both are in view. */
function columnBeside(origin: StatementOrigin | undefined): vscode.ViewColumn {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === origin?.uri);
  const column = editor?.viewColumn;
  return column === undefined ? vscode.ViewColumn.Beside : Math.min(column + 1, vscode.ViewColumn.Nine);
}
