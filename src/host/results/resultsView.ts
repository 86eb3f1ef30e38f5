import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DiskBudget } from '../../model/results/diskBudget.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';
import { resultsDiskBytes } from './resultLimits.ts';
import type { ResultSubject } from './result.ts';
import type { ResultCommand, ResultsPanel, ShowOptions } from './resultsPanel.ts';

/** The results of the window. What shows them is read with the first of them. */
export class ResultsView implements vscode.WebviewViewProvider, Disposable {
  /** What all results may keep together. */
  readonly disk = new DiskBudget(resultsDiskBytes);
  readonly #context: vscode.ExtensionContext;
  #panel: Promise<ResultsPanel> | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    (await this.#load()).attach(view);
  }

  /** Shows a run and starts it. The focus stays where it is. Settles when the run has ended. */
  async show(run: RowsRun, subject: ResultSubject, options?: ShowOptions): Promise<void> {
    return (await this.#load()).show(run, subject, options);
  }

  /** Does something with the result that was clicked on, or else with the one in front. */
  async run(command: ResultCommand, argument: unknown): Promise<void> {
    return (await this.#load()).run(command, argument);
  }

  dispose(): void {
    void this.#panel?.then(panel => panel.dispose());
  }

  #load(): Promise<ResultsPanel> {
    this.#panel ??= import('./resultsPanel.ts').then(({ ResultsPanel: Made }) => new Made(this.#context));
    return this.#panel;
  }
}
