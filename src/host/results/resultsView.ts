import * as vscode from 'vscode';
import { DiskBudget } from '../../model/results/diskBudget.ts';
import type { Run } from '../../model/results/run.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import type { OpenResultsPanelParts } from './openResultsPanel.ts';
import { resultsDiskBytes } from './resultLimits.ts';
import type { ResultSubject } from './result.ts';
import type { ResultCommand, ResultsPanel, ShowOptions } from './resultsPanel.ts';

export type ResultsViewParts = Omit<OpenResultsPanelParts, 'disk'>;

/** The results of the window. What shows them is read with the first of them. */
export class ResultsView implements vscode.WebviewViewProvider {
  /** What all results may keep together. */
  readonly disk = new DiskBudget(() => (this.#diskBytes ??= resultsDiskBytes()));
  readonly #parts: ResultsViewParts;
  /** The setting, which is asked for with every few rows, and takes far longer to read than they do. */
  #diskBytes: number | undefined;
  readonly #settings = vscode.workspace.onDidChangeConfiguration(() => (this.#diskBytes = undefined));
  #panel: Promise<ResultsPanel> | undefined;

  constructor(parts: ResultsViewParts) {
    this.#parts = parts;
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    (await this.#load()).attach(view);
  }

  /** Shows a run and starts it. The focus stays where it is. Settles when the run has ended. */
  async show(run: Run, subject: ResultSubject, options?: ShowOptions): Promise<void> {
    // The statement is on its way before anything is there to show its rows.
    void run.start();
    return (await this.#load()).show(run, subject, options);
  }

  /** Fills an editor that was open before the window was. */
  async restore(restored: RestoredPanel): Promise<void> {
    return (await this.#load()).restore(restored);
  }

  /** Brings a run's rows to the front, and the focus to where they are. */
  async focusOn(run: Run): Promise<void> {
    return (await this.#load()).focusOn(run);
  }

  /** Does something with the result that was clicked on, or else with the one in front. */
  async run(command: ResultCommand, argument: unknown): Promise<void> {
    return (await this.#load()).run(command, argument);
  }

  async dispose(): Promise<void> {
    this.#settings.dispose();
    await (await this.#panel)?.dispose();
  }

  #load(): Promise<ResultsPanel> {
    this.#panel ??= this.#open();
    return this.#panel;
  }

  async #open(): Promise<ResultsPanel> {
    const { openResultsPanel } = await import('./openResultsPanel.ts');
    return openResultsPanel({ ...this.#parts, disk: this.disk });
  }
}
