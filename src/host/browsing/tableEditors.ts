import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import { type BrowseState, decodeBrowseState } from '../../protocol/browsing.ts';
import { gridBridge } from '../../protocol/gridBridge.ts';
import { keyOf as keyOfName } from '../../sql/text/names.ts';
import { gridLabels } from '../results/gridLabels.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { equalTo, TableEditor, type TableEditorOptions, type TableEditorParts } from './tableEditor.ts';
import type { FilteredTable } from './referencedRow.ts';
import { tableTitles } from './tableTitles.ts';

interface OpenTable {
  readonly key: string;
  readonly table: BrowsedTable;
  readonly panel: vscode.WebviewPanel;
  /** Undefined if the panel was closed before the editor was there. */
  readonly editor: Promise<TableEditor | undefined>;
  /** Replaced when the project changes. */
  profile: Profile;
}

export interface OpenTableOptions {
  /** Whether the next preview may take the place of this one. */
  readonly isPreview?: boolean;
}

/** The editors that browse tables, one for each table of a project. */
export class TableEditors implements Disposable {
  readonly #parts: TableEditorParts;
  readonly #openTables = new Set<OpenTable>();
  readonly #owned = new DisposableStore();
  #preview: OpenTable | undefined;

  constructor(parts: TableEditorParts) {
    this.#parts = parts;
    this.#owned.add(parts.projects.onDidChange(() => void this.#updateProfiles()));
  }

  /**
   * Shows a table in its editor, or in a new one. A preview leaves the focus where it is, and the next one replaces it
   * unless its rows were sorted or filtered.
   */
  async open(profile: Profile, table: BrowsedTable, { isPreview = false }: OpenTableOptions = {}): Promise<void> {
    const key = tableKey(profile.id, table.name);
    const present = [...this.#openTables].find(openTable => openTable.key === key);
    if (present) {
      if (!isPreview && this.#preview === present) this.#preview = undefined;
      present.panel.reveal(undefined, isPreview);
      return;
    }
    const former = isPreview ? this.#preview : undefined;
    const panel = this.#parts.host.createPanel(table.name, isPreview);
    const opening = this.#openIn({ panel, profile, table });
    if (isPreview) this.#preview = [...this.#openTables].at(-1);
    if (former && !(await former.editor)?.isArranged) former.panel.dispose();
    await opening;
  }

  /** Shows the rows of a table with a value in a column, in its editor or in a new one. */
  async openFiltered(profile: Profile, rows: FilteredTable): Promise<void> {
    const { table, column, text } = rows;
    const key = tableKey(profile.id, table.name);
    const present = [...this.#openTables].find(openTable => openTable.key === key);
    if (present) {
      present.panel.reveal();
      await (await present.editor)?.filter(rows);
      return;
    }
    const panel = this.#parts.host.createPanel(table.name, false);
    const restoredState: BrowseState = {
      profileId: profile.id,
      project: profile.name,
      table: table.name,
      kind: table.kind,
      runId: randomUUID(),
      columns: [column],
      arrangement: equalTo(text),
      row: 0,
    };
    await this.#openIn({ panel, profile, table, restoredState });
  }

  /** Fills a panel that was open before the window was reloaded. */
  async restore({ panel, state, closed }: RestoredPanel): Promise<void> {
    if (closed.aborted) return;
    const restoredState = decodeBrowseState(state);
    if (!restoredState) {
      this.#showMessage(panel, vscode.l10n.t('This tab could not be restored. Open the table from the tree.'));
      return;
    }
    const profile = await this.#parts.projects.find(restoredState.profileId);
    if (closed.aborted) return;
    if (profile) await this.#fill(panel, profile, restoredState);
    else this.#waitForProject(panel, restoredState);
  }

  /** The editor that the user is in, for commands. */
  async active(): Promise<TableEditor | undefined> {
    return [...this.#openTables].find(({ panel }) => panel.active)?.editor;
  }

  /** Leaves the tabs open, so that VS Code restores them. */
  dispose(): void {
    this.#owned.dispose();
    for (const { editor } of this.#openTables) {
      editor.then(
        opened => opened?.dispose(),
        () => undefined,
      );
    }
  }

  async #openIn(options: TableEditorOptions): Promise<void> {
    const { panel, profile, table } = options;
    const openTable: OpenTable = {
      key: tableKey(profile.id, table.name),
      table,
      panel,
      editor: TableEditor.open(this.#parts, {
        ...options,
        openFiltered: (owner, rows) => this.openFiltered(owner, rows),
      }),
      profile,
    };
    panel.onDidDispose(() => {
      this.#openTables.delete(openTable);
      if (this.#preview === openTable) this.#preview = undefined;
      this.#updateTitles();
    });
    this.#openTables.add(openTable);
    this.#updateTitles();
    await openTable.editor;
  }

  #updateTitles(): void {
    const openTables = [...this.#openTables];
    const titles = tableTitles(openTables);
    for (const [index, { panel }] of openTables.entries()) {
      const title = titles[index]!;
      if (panel.title !== title) panel.title = title;
    }
  }

  async #updateProfiles(): Promise<void> {
    for (const openTable of this.#openTables) {
      openTable.profile = (await this.#parts.projects.find(openTable.profile.id)) ?? openTable.profile;
    }
    this.#updateTitles();
  }

  async #fill(panel: vscode.WebviewPanel, profile: Profile, restoredState: BrowseState): Promise<void> {
    const { table: name, kind } = restoredState;
    await this.#openIn({ panel, profile, table: { name, kind }, restoredState });
  }

  /** Says that the project is missing, and fills the panel when it is back. */
  #waitForProject(panel: vscode.WebviewPanel, restoredState: BrowseState): void {
    const message = vscode.l10n.t(
      "The project '{0}' no longer exists, so '{1}' cannot be shown. Add the project again, or close this tab.",
      restoredState.project,
      restoredState.table,
    );
    const waiting = new DisposableStore();
    const fillIfBack = async (): Promise<void> => {
      const profile = await this.#parts.projects.find(restoredState.profileId);
      if (!profile || waiting.isDisposed) return;
      waiting.dispose();
      await this.#fill(panel, profile, restoredState);
    };
    waiting.add(this.#showMessage(panel, message));
    waiting.add(this.#parts.projects.onDidChange(() => void fillIfBack()));
    panel.onDidDispose(() => waiting.dispose());
  }

  /** Shows nothing but a message. The page keeps its state for the next reload. */
  #showMessage(panel: vscode.WebviewPanel, message: string): Disposable {
    return openPage(panel.webview, {
      extensionUri: this.#parts.extensionUri,
      bridge: gridBridge,
      title: panel.title,
      labels: { ...gridLabels(), noResult: message },
      methods: { ready: () => undefined },
    });
  }
}

const tableKey = (profileId: string, table: string): string => JSON.stringify([profileId, keyOfName(table)]);
