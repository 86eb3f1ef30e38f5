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
import { TableEditor, type TableEditorOptions, type TableEditorParts } from './tableEditor.ts';
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

/** The editors that browse tables, one for each table of a project. */
export class TableEditors implements Disposable {
  readonly #parts: TableEditorParts;
  readonly #openTables = new Set<OpenTable>();
  readonly #owned = new DisposableStore();

  constructor(parts: TableEditorParts) {
    this.#parts = parts;
    this.#owned.add(parts.projects.onDidChange(() => void this.#updateProfiles()));
  }

  /** Shows a table in its editor, or in a new one. */
  async open(profile: Profile, table: BrowsedTable): Promise<void> {
    const key = tableKey(profile.id, table.name);
    for (const openTable of this.#openTables) {
      if (openTable.key === key) return openTable.panel.reveal();
    }
    const panel = this.#parts.host.createPanel(table.name);
    await this.#openIn({ panel, profile, table });
  }

  /** Fills a panel that was open before the window was reloaded. */
  async restore({ panel, state, closed }: RestoredPanel): Promise<void> {
    if (closed.aborted) return;
    const restoredState = decodeBrowseState(state);
    if (!restoredState) {
      this.#showMessage(
        panel,
        vscode.l10n.t('What was open here is not known any more. Open the table from the tree.'),
      );
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
      editor: TableEditor.open(this.#parts, options),
      profile,
    };
    panel.onDidDispose(() => {
      this.#openTables.delete(openTable);
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
      'The project {0} is not among the projects, so that {1} cannot be shown. Add it again, or close this tab.',
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
