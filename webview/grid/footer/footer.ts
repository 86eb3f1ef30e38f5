import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CellRange, Summary } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { cutAt, showPieces } from '../values/cellContent.ts';
import { visiblePieces } from '../values/visibleText.ts';
import { Summarizer, type SummarizerOptions } from './summarizer.ts';
import './footer.css';

/** The least and the greatest may be long texts. */
const longestFigure = 40;

export interface FooterOptions extends Omit<SummarizerOptions, 'changed'> {
  readonly labels: GridLabels;
}

/** Below the grid: where the active cell is, and what the selected cells add up to. */
export class Footer {
  readonly root = element('footer', 'footer');
  readonly #labels: GridLabels;
  readonly #summarizer: Summarizer;
  readonly #place = element('span', 'place');
  readonly #figures = element('span', 'selection-figures');

  constructor(options: FooterOptions) {
    const { labels } = options;
    this.#labels = labels;
    this.#summarizer = new Summarizer({ ...options, changed: summary => this.#showSummary(summary) });
    this.#figures.setAttribute('aria-live', 'polite');
    this.#figures.setAttribute('aria-label', labels.selected);
    this.root.append(this.#place, this.#figures);
  }

  showPlace(row: number, rowCount: number, column: string): void {
    const [at, of] = [row + 1, rowCount].map(number => number.toLocaleString(pageLanguage()));
    this.#place.textContent = rowCount === 0 ? '' : fill(this.#labels.place, at ?? '', of ?? '', column);
  }

  /** What is selected is another: nothing, when there is nothing to sum up. */
  sumUp(ranges: readonly CellRange[]): void {
    this.#summarizer.watch(ranges);
  }

  /** More rows have come to what is selected. */
  sumUpGrown(ranges: readonly CellRange[]): void {
    this.#summarizer.grow(ranges);
  }

  dispose(): void {
    this.#summarizer.stop();
  }

  #showSummary(summary: Summary | undefined): void {
    this.#figures.replaceChildren(...(summary ? figuresOf(summary, this.#labels).map(makeFigure) : []));
  }
}

function figuresOf(summary: Summary, labels: GridLabels): (readonly [name: string, value: string])[] {
  const { cells, nulls, distinct, distinctOrMore, sum, average, min, max } = summary;
  const figures: readonly (readonly [name: string, value: string | undefined])[] = [
    [labels.cells, localized(cells)],
    [labels.count, localized(cells - nulls)],
    [labels.distinct, `${distinctOrMore ? '≥ ' : ''}${localized(distinct)}`],
    [labels.sum, sum],
    [labels.average, average],
    [labels.min, min],
    [labels.max, max],
  ];
  return figures.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

const localized = (value: number): string => value.toLocaleString(pageLanguage());

function makeFigure([name, value]: readonly [name: string, value: string]): HTMLElement {
  const figure = element('span', 'figure', `${name} `);
  const shown = element('span', 'value');
  const cut = cutAt(value, longestFigure);
  showPieces(shown, visiblePieces(cut.length < value.length ? `${cut}…` : cut));
  figure.append(shown);
  return figure;
}
