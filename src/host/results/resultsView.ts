import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.ts';
import { DiskBudget } from '../../model/results/diskBudget.ts';
import type { Run } from '../../model/results/run.ts';
import type { TypedValue } from '../../protocol/parameterForm.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import type { ShowOptions } from './openResults.ts';
import type { OpenResultsPanelParts } from './openResultsPanel.ts';
import { resultsDiskBytes } from './resultLimits.ts';
import type { ResultSubject } from './result.ts';
import type { ResultRecord } from './resultRecord.ts';
import type { PanelForm } from './panelForm.ts';
import type { ResultTab } from './resultTab.ts';
import type { ResultCommand, ResultsPanel } from './resultsPanel.ts';

type ResultsViewParts = Omit<OpenResultsPanelParts, 'disk'>;

/** The results of the window. The panel and its code are loaded with the first result. */
export class ResultsView implements vscode.WebviewViewProvider {
  readonly disk = new DiskBudget(() => (this.#diskBytes ??= resultsDiskBytes()));
  /** The setting is cached: it is needed with every row batch, and takes longer to read than the batch. */
  #diskBytes: number | undefined;
  readonly #settings = vscode.workspace.onDidChangeConfiguration(() => (this.#diskBytes = undefined));
  readonly #panel;

  constructor(parts: ResultsViewParts) {
    this.#panel = lazy<ResultsPanel>(async () => {
      const { openResultsPanel } = await import('./openResultsPanel.ts');
      return openResultsPanel({ ...parts, disk: this.disk });
    });
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    (await this.#panel()).attach(view);
  }

  /** Shows a run and starts it. The focus stays where it is. Settles when the run has ended. */
  async show(run: Run, subject: ResultSubject, options?: ShowOptions): Promise<void> {
    // Send the statement before the panel is loaded.
    void run.start();
    const { results } = await this.#panel();
    await results.show(run, subject, options);
  }

  /** The open results. */
  async all(): Promise<readonly ResultTab[]> {
    const { results } = await this.#panel();
    return results.all;
  }

  /** The result that the user looked at last. */
  async current(): Promise<ResultTab | undefined> {
    const { results } = await this.#panel();
    return results.lastFocusedEditor ?? results.activeTab;
  }

  async showKept(kept: ResultRecord): Promise<void> {
    await (await this.#panel()).results.showKept(kept);
  }

  async restore(restored: RestoredPanel): Promise<void> {
    const { results } = await this.#panel();
    await results.restoreEditor(restored);
  }

  /** Undefined when the user cancels. */
  async promptForValues(form: PanelForm): Promise<readonly TypedValue[] | undefined> {
    return (await this.#panel()).promptForValues(form);
  }

  async focusOn(run: Run): Promise<void> {
    const { results } = await this.#panel();
    await results.focusOn(run);
  }

  /** Runs a command on the result that a menu names, or else on the one that the user looked at last. */
  async run(command: ResultCommand, argument: unknown): Promise<void> {
    await (await this.#panel()).run(command, argument);
  }

  async dispose(): Promise<void> {
    this.#settings.dispose();
    await (await this.#panel.loaded)?.dispose();
  }
}
