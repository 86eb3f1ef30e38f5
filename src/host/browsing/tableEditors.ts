import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import { keyOf as keyOfName } from '../../sql/text/names.ts';
import { type BrowseState, decodeBrowseState } from '../../protocol/browsing.ts';
import { gridBridge } from '../../protocol/gridBridge.ts';
import { panels } from '../names.ts';
import { gridLabels } from '../results/gridLabels.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { TableEditor, type TableEditorOptions, type TableEditorParts } from './tableEditor.ts';
import { tableTitles } from './tableTitles.ts';

interface Opened {
  readonly key: string;
  readonly table: BrowsedTable;
  /** Its name may be another by now. */
  profile: Profile;
  readonly panel: vscode.WebviewPanel;
  readonly editor: Promise<TableEditor | undefined>;
}

/** The editors that browse tables: one a table of a project. */
export class TableEditors implements Disposable {
  readonly #parts: TableEditorParts;
  readonly #opened = new Set<Opened>();

  readonly #owned = new DisposableStore();

  constructor(parts: TableEditorParts) {
    this.#parts = parts;
    this.#owned.add(parts.projects.onDidChange(() => void this.#findProjects()));
  }

  /** Shows a table, in the editor that it has already or in a new one. */
  async open(profile: Profile, table: BrowsedTable): Promise<void> {
    const key = keyOf(profile.id, table.name);
    for (const opened of this.#opened) {
      if (opened.key === key) return opened.panel.reveal();
    }
    const panel = vscode.window.createWebviewPanel(panels.table, table.name, vscode.ViewColumn.Active);
    await this.#take(key, { panel, profile, table });
  }

  /** Fills an editor that was open before the window was. */
  async restore({ panel, state, closed }: RestoredPanel): Promise<void> {
    if (closed.aborted) return;
    const before = decodeBrowseState(state);
    if (!before) {
      this.#say(panel, vscode.l10n.t('What was open here is not known any more. Open the table from the tree.'));
      return;
    }
    const profile = await this.#parts.projects.find(before.profileId);
    if (closed.aborted) return;
    if (profile) await this.#fill(panel, profile, before);
    else this.#whenThere(panel, before, found => void this.#fill(panel, found, before));
  }

  /** What a command of the editor's is about. */
  async active(): Promise<TableEditor | undefined> {
    return [...this.#opened].find(({ panel }) => panel.active)?.editor;
  }

  /** The tabs stay, for VS Code to have them filled again. */
  dispose(): void {
    this.#owned.dispose();
    for (const { editor } of this.#opened) {
      editor.then(
        opened => opened?.dispose(),
        () => undefined,
      );
    }
  }

  async #take(key: string, options: TableEditorOptions): Promise<void> {
    const { panel, profile, table } = options;
    const opened = { key, panel, profile, table, editor: TableEditor.open(this.#parts, options) };
    panel.onDidDispose(() => {
      this.#opened.delete(opened);
      this.#nameTabs();
    });
    this.#opened.add(opened);
    this.#nameTabs();
    await opened.editor;
  }

  /** Tables of the same name in several projects are told apart as files of the same name are. */
  #nameTabs(): void {
    const all = [...this.#opened];
    for (const [place, title] of tableTitles(all).entries()) {
      const { panel } = all[place]!;
      if (panel.title !== title) panel.title = title;
    }
  }

  async #findProjects(): Promise<void> {
    for (const opened of this.#opened) {
      opened.profile = (await this.#parts.projects.find(opened.profile.id)) ?? opened.profile;
    }
    this.#nameTabs();
  }

  async #fill(panel: vscode.WebviewPanel, profile: Profile, before: BrowseState): Promise<void> {
    const { table: name, kind } = before;
    await this.#take(keyOf(profile.id, name), { panel, profile, table: { name, kind }, before });
  }

  /** Says that a project is not there, and goes on once it is. */
  #whenThere(panel: vscode.WebviewPanel, before: BrowseState, then: (profile: Profile) => void): void {
    const { project, table, profileId } = before;
    const sentence = vscode.l10n.t(
      'The project {0} is not among the projects, so that {1} cannot be shown. Add it again, or close this tab.',
      ...[project, table],
    );
    const waiting = new DisposableStore();
    const look = async (): Promise<void> => {
      const found = await this.#parts.projects.find(profileId);
      if (!found || waiting.isDisposed) return;
      waiting.dispose();
      then(found);
    };
    waiting.add(this.#say(panel, sentence));
    waiting.add(this.#parts.projects.onDidChange(() => void look()));
    panel.onDidDispose(() => waiting.dispose());
  }

  /** A page with nothing but a sentence, which keeps what it knows of its table. */
  #say(panel: vscode.WebviewPanel, sentence: string): Disposable {
    const labels = { ...gridLabels(), noResult: sentence };
    const { extensionUri } = this.#parts;
    return openPage(panel.webview, {
      extensionUri,
      bridge: gridBridge,
      title: panel.title,
      labels,
      methods: { ready: () => undefined },
    });
  }
}

const keyOf = (profileId: string, table: string): string => JSON.stringify([profileId, keyOfName(table)]);
