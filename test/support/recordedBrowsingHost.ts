import type { Uri, Webview, WebviewPanel } from 'vscode';
import type { BrowsingHost, CommandRemedy, RowRange } from '../../src/host/browsing/browsingHost.ts';
import type { FilteredTable } from '../../src/host/browsing/referencedRow.ts';
import type { Referencing, ReferencingRows } from '../../src/host/browsing/referencingRows.ts';
import type { EditPrompts, SavePrompts } from '../../src/host/editing/editPrompts.ts';
import type { ExportRowsOptions } from '../../src/host/results/exportRows.ts';
import type { Result } from '../../src/host/results/result.ts';
import type { TableNode } from '../../src/host/tree/treeNodes.ts';
import type { Conflict } from '../../src/model/editing/conflicts.ts';
import type { BoundSql } from '../../src/model/boundSql.ts';

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
  /** The document of an editor. */
  uri: Uri | undefined;
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
  readonly statements: BoundSql[] = [];
  readonly exports: { readonly rowCount: number; readonly columns: readonly number[] | undefined }[] = [];
  /** The answer to the prompt for a row. */
  row: number | undefined;
  /** The rows among which the user chose, of which this host takes the first. */
  readonly referencing: ReferencingRows[] = [];
  /** Whether any foreign key refers to the table that was asked about last. */
  hasReferencingKeys: boolean | undefined;
  /** The numbers of rows that the user was asked about before they were deleted for good, and the answer. */
  readonly unrestorable: number[] = [];
  deletesForGood = false;
  /** The outcomes of saves without an answer. */
  readonly outcomes: string[] = [];
  /** How often a preview was kept. */
  keptEditorCount = 0;
  /** Fills the panel of a URI. */
  onOpen: (uri: Uri, panel: TestPanel) => Promise<void> = () => Promise.resolve();
  /** Called when the user saves. */
  onSave: () => Promise<void> = () => Promise.resolve();
  /** Called when the user undoes an edit in the page. */
  onUndo: (isRedo: boolean) => Promise<void> = () => Promise.resolve();
  /** The conflicts in which the user keeps their value. */
  resolve: (
    conflicts: readonly Conflict[],
  ) => ReadonlySet<Conflict> | undefined | Promise<ReadonlySet<Conflict> | undefined> = () => undefined;
  prompts: EditPrompts = {
    confirmNewRows: () => Promise.resolve(false),
    confirmTakeBack: () => Promise.resolve(true),
    pickFile: () => Promise.resolve(undefined),
    pickReference: () => Promise.resolve(undefined),
  };
  /** Called when the user chooses a remedy. */
  onRemedy: (remedy: CommandRemedy) => void = () => undefined;

  /** Opens a panel for a URI that has none, as VS Code does, and has it filled. */
  async openEditor(uri: Uri, isPreview: boolean): Promise<void> {
    const present = this.panels.find(panel => panel.uri?.toString() === uri.toString() && !panel.isClosed);
    if (present) {
      present.revealCount++;
      return;
    }
    const panel = new TestPanel('');
    panel.uri = uri;
    panel.preservedFocus = isPreview;
    this.panels.push(panel);
    await this.onOpen(uri, panel);
  }

  readonly savePrompts: SavePrompts = {
    confirmSave: () => Promise.resolve(true),
    confirmUnrestorable: ({ editing }) => {
      this.unrestorable.push(editing.unrestorableCount);
      return Promise.resolve(this.deletesForGood);
    },
    resolveConflicts: async (_table, conflicts) => this.resolve(conflicts),
    askAboutExpired: () => Promise.resolve('cancel'),
    showOutcome: message => this.outcomes.push(message),
  };

  warnOfUnknownOutcome(): void {}

  chooseReferencing(_table: string, { references, hasKeys }: Referencing): Promise<FilteredTable | undefined> {
    this.hasReferencingKeys = hasKeys;
    this.referencing.push(...references);
    return Promise.resolve(references[0]?.rows);
  }

  keepEditor(): Promise<void> {
    this.keptEditorCount++;
    return Promise.resolve();
  }

  editPrompts(): EditPrompts {
    return this.prompts;
  }

  save(): Promise<void> {
    return this.onSave();
  }

  undo(isRedo: boolean): Promise<void> {
    return this.onUndo(isRedo);
  }

  mayWrite(): boolean {
    return true;
  }

  /** The tables that the user has chosen to import rows into. */
  readonly importTargets: string[] = [];

  importRows({ name }: TableNode): Promise<void> {
    this.importTargets.push(name);
    return Promise.resolve();
  }

  review(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  confirmDiscard(): Promise<boolean> {
    return Promise.resolve(true);
  }

  clearMark(): Promise<void> {
    return Promise.resolve();
  }

  markSaved(): Promise<void> {
    return Promise.resolve();
  }

  isMarkedOnly(): boolean {
    return false;
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

  openStatement(statement: BoundSql): Promise<void> {
    this.statements.push(statement);
    return Promise.resolve();
  }

  exportRows({ run }: Result, { columns }: ExportRowsOptions = {}): Promise<void> {
    this.exports.push({ rowCount: run.rowCount, columns });
    return Promise.resolve();
  }
}
