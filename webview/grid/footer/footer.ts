import { t } from '@vscode/l10n';
import { cutText } from '../../../src/base/oneLine.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import type { CellRange, Summary } from '../../../src/protocol/rowQueries.ts';
import { element, setText } from '../../ui/element.ts';
import { formatCount, rowsLabel } from '../../ui/counts.ts';
import { showText } from '../../ui/visibleText.ts';
import './footer.css';
import { Debouncer } from '../../../src/base/debouncer.ts';

/** Min and Max may be long texts. */
const maxFigureLength = 40;

/** A dragged selection is summarized when it rests. */
const selectionPauseMs = 120;
/** A selection is summarized this often while rows arrive. */
const growthIntervalMs = 1000;

interface FooterOptions {
  readonly summarize: (ranges: readonly CellRange[], signal: AbortSignal) => Promise<Summary>;
  readonly onFailed: (thrown: unknown) => void;
  /** The ranges to summarize. Empty for a single cell. */
  readonly selectedRanges: () => readonly CellRange[];
}

/** The grid's part of the status line: the place of the active cell, or the sums of the selection. */
export class Footer {
  readonly root = element('span', 'footer');
  readonly #options: FooterOptions;
  readonly #start = new Debouncer({ run: () => void this.#summarize(), delayMs: selectionPauseMs });
  readonly #place = element('span', 'place');
  readonly #figures = element('span', 'selection-figures', { role: 'group', 'aria-live': 'polite' });
  #ranges: readonly CellRange[] = [];
  #controller: AbortController | undefined;
  #hasGrown = false;

  constructor(options: FooterOptions) {
    this.#options = options;
    this.#figures.setAttribute('aria-label', t('The selected cells'));
    this.root.append(this.#place, this.#figures);
  }

  showPlace(row: number, { shownRows, browsing }: ResultView, column: string): void {
    const rowNumber = formatCount(row + 1);
    // The head line of a browsed table has the row count.
    const place = browsing
      ? t('Row {0} · {1}', rowNumber, column)
      : t('Row {0} of {1} · {2}', rowNumber, formatCount(shownRows), column);
    this.#place.textContent = shownRows === 0 ? '' : place;
  }

  /** Summarizes another selection. The old figures stay until the new ones come, unless no cells are to be summarized. */
  summarize(): void {
    this.#stop();
    this.#ranges = this.#options.selectedRanges();
    if (this.#ranges.length === 0) this.#showSummary(undefined);
    else this.#start.schedule();
  }

  /** Summarizes the same selection with more rows. A pending call continues, because its answer is still useful. */
  summarizeGrown(): void {
    this.#ranges = this.#options.selectedRanges();
    if (this.#controller) this.#hasGrown = true;
    else this.#start.schedule(growthIntervalMs);
  }

  dispose(): void {
    this.#stop();
    this.root.remove();
  }

  #stop(): void {
    this.#start.cancel();
    this.#controller?.abort();
    this.#controller = undefined;
    this.#hasGrown = false;
  }

  async #summarize(): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    const { summarize, onFailed } = this.#options;
    try {
      const summary = await summarize(this.#ranges, controller.signal);
      if (!controller.signal.aborted) this.#showSummary(summary);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      this.#showSummary(undefined);
      onFailed(thrown);
    }
    if (this.#controller !== controller) return;
    this.#controller = undefined;
    if (this.#hasGrown) this.#start.schedule(growthIntervalMs);
    this.#hasGrown = false;
  }

  #showSummary(summary: Summary | undefined): void {
    const figures = summary ? figuresOf(summary) : [];
    this.#figures.replaceChildren(...figures.flatMap((figure, index) => (index === 0 ? [figure] : [' ', figure])));
    this.#figures.title = this.#figures.textContent;
    this.#place.hidden = summary !== undefined;
  }
}

function figuresOf(summary: Summary): HTMLElement[] {
  const { cells, nulls, distinct, distinctOrMore, sum, average, min, max } = summary;
  const figures: readonly (readonly [name: string, value: string | undefined, rounded?: string | undefined])[] = [
    // A narrow line cuts the last figures.
    [t('Sum'), sum, rounded(sum)],
    [t('Average'), average, rounded(average)],
    [t('Cells'), formatCount(cells)],
    [t('Count'), formatCount(cells - nulls)],
    [t('Distinct'), `${distinctOrMore ? '≥ ' : ''}${formatCount(distinct)}`],
    [t('Min'), min],
    [t('Max'), max],
  ];
  return figures.flatMap(([name, value, shown = value]) =>
    value === undefined || shown === undefined ? [] : [createFigure(name, value, shown)],
  );
}

/** The most decimals of a figure. The tooltip has all of them. */
const maxDecimals = 4;

/** Rounds a figure with many decimals. Integers and numbers in powers of ten stay exact. */
function rounded(figure: string | undefined): string | undefined {
  const decimals = /^-?\d+\.(\d+)$/.exec(figure ?? '')?.[1]?.length ?? 0;
  if (decimals <= maxDecimals) return figure;
  const number = Number(figure);
  // A small number keeps its first digits.
  const short = Math.abs(number) < 1 ? number.toPrecision(maxDecimals) : number.toFixed(maxDecimals);
  return String(Number(short));
}

function createFigure(name: string, value: string, shownValue: string): HTMLElement {
  const figure = element('span', 'figure', `${name} `);
  const shown = element('span', 'value');
  showText(shown, cutText(shownValue, maxFigureLength));
  if (shownValue !== value) figure.title = `${name} ${value}`;
  figure.append(shown);
  return figure;
}

/** A screen reader that heard of each batch of rows would read nothing else. */
const announceIntervalMs = 5000;

/** Tells screen readers from time to time how many rows have arrived. */
export class RowCountAnnouncer {
  readonly root = element('div', 'live', { 'aria-live': 'polite' });
  readonly #announcer = new Debouncer({
    run: () => setText(this.root, rowsLabel(this.#rowCount)),
    delayMs: announceIntervalMs,
  });
  #rowCount = 0;

  show(rowCount: number, isRunning: boolean): void {
    // The header announces the end of the run.
    if (!isRunning) return this.dispose();
    if (rowCount === this.#rowCount) return;
    this.#rowCount = rowCount;
    this.#announcer.schedule();
  }

  dispose(): void {
    this.#announcer.cancel();
    this.root.textContent = '';
  }
}
