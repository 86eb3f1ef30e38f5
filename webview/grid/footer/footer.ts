import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CellRange, Summary } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { beginningOf, showText } from '../../ui/visibleText.ts';
import { Summarizer, type SummarizerOptions } from './summarizer.ts';
import './footer.css';

/** The first and last values may be long texts. */
const maxFigureLength = 40;

export interface FooterOptions extends Omit<SummarizerOptions, 'onChanged'> {
  readonly labels: GridLabels;
  /** The selected ranges to summarize; none for a single cell. */
  readonly selectedRanges: () => readonly CellRange[];
}

/** The line below the grid: the place of the active cell and the figures of the selection. */
export class Footer {
  readonly root = element('footer', 'footer');
  readonly #options: FooterOptions;
  readonly #summarizer: Summarizer;
  readonly #place = element('span', 'place');
  readonly #figures = element('span', 'selection-figures');

  constructor(options: FooterOptions) {
    const { labels } = options;
    this.#options = options;
    this.#summarizer = new Summarizer({ ...options, onChanged: summary => this.#showSummary(summary) });
    this.#figures.setAttribute('aria-live', 'polite');
    this.#figures.setAttribute('aria-label', labels.selected);
    this.root.append(this.#place, this.#figures);
  }

  showPlace(row: number, rowCount: number, column: string): void {
    const { labels } = this.#options;
    this.#place.textContent = rowCount === 0 ? '' : fill(labels.place, format(row + 1), format(rowCount), column);
  }

  /** Summarizes another selection. */
  summarize(): void {
    this.#summarizer.select(this.#options.selectedRanges());
  }

  /** Summarizes the same selection, which has more rows than before. */
  summarizeGrown(): void {
    this.#summarizer.grow(this.#options.selectedRanges());
  }

  dispose(): void {
    this.#summarizer.stop();
  }

  #showSummary(summary: Summary | undefined): void {
    this.#figures.replaceChildren(...(summary ? figuresOf(summary, this.#options.labels) : []));
  }
}

function figuresOf(summary: Summary, labels: GridLabels): HTMLElement[] {
  const { cells, nulls, distinct, distinctOrMore, sum, average, min, max } = summary;
  const figures: readonly (readonly [name: string, value: string | undefined])[] = [
    [labels.cells, format(cells)],
    [labels.count, format(cells - nulls)],
    [labels.distinct, `${distinctOrMore ? '≥ ' : ''}${format(distinct)}`],
    [labels.sum, sum],
    [labels.average, average],
    [labels.min, min],
    [labels.max, max],
  ];
  return figures.flatMap(([name, value]) => (value === undefined ? [] : [createFigure(name, value)]));
}

const format = (count: number): string => count.toLocaleString(pageLanguage());

function createFigure(name: string, value: string): HTMLElement {
  const figure = element('span', 'figure', `${name} `);
  const shown = element('span', 'value');
  const beginning = beginningOf(value, maxFigureLength);
  showText(shown, beginning.length < value.length ? `${beginning}…` : beginning);
  figure.append(shown);
  return figure;
}
