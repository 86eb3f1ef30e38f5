import type { Uri, Webview, WebviewPanel } from 'vscode';
import type { BrowsingHost, CommandRemedy, RowRange } from '../../src/host/browsing/browsingHost.ts';
import type { ExportRowsOptions } from '../../src/host/results/exportRows.ts';
import type { Result } from '../../src/host/results/result.ts';
import type { TableStatement } from '../../src/model/browsing/tableStatements.ts';

/** A panel without a window. As in VS Code, its webview cannot be used after it was closed. */
export class TestPanel {
  title: string;
  iconPath: unknown;
  visible = true;
  active = false;
  revealCount = 0;
  /** Whether the panel left the focus where it was when it opened. */
  preservedFocus = false;
  isClosed = false;
  readonly #webview: Webview;
  readonly #closeListeners: (() => void)[] = [];

  constructor(title: string, webview: Webview = emptyWebview()) {
    this.title = title;
    this.#webview = webview;
  }

  get webview(): Webview {
    if (this.isClosed) throw new Error('Webview is disposed');
    return this.#webview;
  }

  get asPanel(): WebviewPanel {
    return this as unknown as WebviewPanel;
  }

  readonly onDidDispose = (listener: () => void): void => {
    this.#closeListeners.push(listener);
  };

  reveal(): void {
    this.revealCount++;
  }

  dispose(): void {
    this.isClosed = true;
    for (const listener of this.#closeListeners) listener();
  }
}

/** A webview that keeps its HTML and sends no messages. */
const emptyWebview = (): Webview =>
  ({
    html: '',
    options: {},
    cspSource: '',
    asWebviewUri: ({ path }: Uri) => path,
    onDidReceiveMessage: () => undefined,
    postMessage: () => Promise.resolve(true),
  }) as unknown as Webview;

/** Records what table editors show, and answers their prompts as a test wants. */
export class RecordedBrowsingHost implements BrowsingHost {
  readonly panels: TestPanel[] = [];
  readonly missingRows: { readonly row: number; readonly rowCount: number; readonly hasEnd: boolean }[] = [];
  readonly faults: unknown[] = [];
  readonly statements: TableStatement[] = [];
  readonly exports: { readonly rowCount: number; readonly columns: readonly number[] | undefined }[] = [];
  /** The answer to the prompt for a row. */
  row: number | undefined;
  /** Called when the user chooses a remedy. */
  onRemedy: (remedy: CommandRemedy) => void = () => undefined;

  createPanel(title: string, preserveFocus: boolean): WebviewPanel {
    const panel = new TestPanel(title);
    panel.preservedFocus = preserveFocus;
    this.panels.push(panel);
    return panel.asPanel;
  }

  pageSize(): number {
    return 500;
  }

  promptForRow(): Promise<number | undefined> {
    return Promise.resolve(this.row);
  }

  showMissingRow({ rowCount, hasEnd }: RowRange, row: number): void {
    this.missingRows.push({ row, rowCount, hasEnd });
  }

  offerRemedy(thrown: unknown): Promise<void> {
    this.faults.push(thrown);
    return Promise.resolve();
  }

  applyRemedy(remedy: CommandRemedy): Promise<void> {
    this.onRemedy(remedy);
    return Promise.resolve();
  }

  openStatement(statement: TableStatement): Promise<void> {
    this.statements.push(statement);
    return Promise.resolve();
  }

  exportRows({ run }: Result, { columns }: ExportRowsOptions = {}): Promise<void> {
    this.exports.push({ rowCount: run.rowCount, columns });
    return Promise.resolve();
  }
}
