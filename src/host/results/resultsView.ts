import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { type Lazy, lazy } from '../../base/lazy.ts';
import { DiskBudget } from '../../model/results/diskBudget.ts';
import type { Run } from '../../model/results/run.ts';
import type { SpooledRunParts } from '../../model/results/statementRun.ts';
import type { ShowOptions } from './openResults.ts';
import { resultsDiskBytes } from './resultLimits.ts';
import type { ResultSubject } from './result.ts';
import type { ResultsPanel, ResultsPanelParts } from './resultsPanel.ts';
import type { ScratchFolder } from './scratchFolder.ts';

interface ResultsViewParts extends Omit<ResultsPanelParts, 'disk'> {
  readonly scratch: ScratchFolder;
}

/** The results of the window. The panel and its code are loaded with the first result. */
export class ResultsView implements vscode.WebviewViewProvider {
  readonly #parts: ResultsViewParts;
  readonly #disk = new DiskBudget(() => (this.#diskBytes ??= resultsDiskBytes()));
  /** The setting is cached: it is needed with every row batch, and takes longer to read than the batch. */
  #diskBytes: number | undefined;
  readonly #settings = vscode.workspace.onDidChangeConfiguration(() => (this.#diskBytes = undefined));
  readonly panel: Lazy<ResultsPanel>;

  constructor(parts: ResultsViewParts) {
    this.#parts = parts;
    this.panel = lazy(async () => {
      const { openResultsPanel } = await import('./resultsPanel.ts');
      return openResultsPanel({ ...parts, disk: this.#disk });
    });
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    (await this.panel()).attach(view);
  }

  /** The parts of a run whose rows the window keeps. */
  async runParts(): Promise<SpooledRunParts> {
    const { scratch, rowsThread } = this.#parts;
    return { folder: await scratch.path(), disk: this.#disk, thread: await rowsThread(), clock: monotonicClock };
  }

  /** Shows a run and starts it. The focus stays where it is. Settles when the run has ended. */
  async show(run: Run, subject: ResultSubject, options?: ShowOptions): Promise<void> {
    // Send the statement before the panel is loaded.
    void run.start();
    const { results } = await this.panel();
    await results.show(run, subject, options);
  }

  async dispose(): Promise<void> {
    this.#settings.dispose();
    await (await this.panel.loaded)?.dispose();
  }
}
