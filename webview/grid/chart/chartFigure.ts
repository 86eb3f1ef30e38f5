import { t } from '@vscode/l10n';
import { formatCount } from '../../ui/counts.ts';
import { beforePaint, element, setText } from '../../ui/element.ts';
import { takeKey } from '../../ui/keys.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { ChartModel, ModelPoint } from './chartModel.ts';
import type { Picture } from './chartPicture.ts';
import { ChartPlot, timeText } from './chartPlot.ts';

/** Nobody listens to more rows. */
const maxTableRows = 500;
const pagePlaces = 10;

/** The drawing with its legend. The pointer and keys show the exact figures of a place, and a table has the same figures. */
export class ChartFigure {
  readonly root = element('div', 'chart-figure');
  readonly #legend = element('ul', 'chart-legend');
  /** It gets the focus. */
  readonly drawing = element('div', 'chart-drawing', { role: 'img', tabindex: '0' });
  readonly #tip = element('div', 'chart-tip', { 'aria-hidden': 'true' });
  readonly #live = element('div', 'live', { 'aria-live': 'polite' });
  readonly #table = element('div', 'live');
  readonly #requestDraw = beforePaint(() => this.#draw());
  readonly #resizes = new ResizeObserver(() => this.#requestDraw());
  /** VS Code sets the colors of a new theme there. */
  readonly #themes = new MutationObserver(() => this.#requestDraw());
  #model: ChartModel | undefined;
  #plot: ChartPlot | undefined;
  #place: number | undefined;

  constructor() {
    this.drawing.addEventListener('keydown', event => this.#onKey(event));
    this.root.append(this.#legend, this.drawing, this.#tip, this.#live, this.#table);
    this.#resizes.observe(this.drawing);
    this.#themes.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  }

  get picture(): Picture | undefined {
    return this.#plot?.picture;
  }

  show(model: ChartModel, title: string): void {
    this.#model = model;
    this.drawing.setAttribute('aria-label', title);
    this.drawing.setAttribute('aria-description', t('Press the arrow keys to read the figures, Escape to go back.'));
    this.#table.replaceChildren(tableOf(model, title));
    this.#draw();
  }

  dispose(): void {
    this.#resizes.disconnect();
    this.#themes.disconnect();
    this.#plot?.dispose();
  }

  #draw(): void {
    const model = this.#model;
    if (!model || this.drawing.clientHeight === 0) return;
    const place = this.#place ?? Infinity;
    this.#plot?.dispose();
    this.#showPlace(undefined);
    this.#plot = new ChartPlot({
      parent: this.drawing,
      model,
      onPlace: shown => this.#showPlace(shown),
      // The place stays while rows arrive.
      onReady: () => place < model.xs.length && this.#goTo(place),
    });
    this.#legend.hidden = model.series.length < 2;
    const { styles } = this.#plot;
    this.#legend.replaceChildren(
      ...model.series.map(({ name }, nth) => {
        const entry = element('li');
        const sign = element('span', 'chart-sign');
        const { color, dash, fillOpacity } = styles[nth]!;
        sign.style.borderTop = `3px ${dash.length > 0 ? 'dashed' : 'solid'} ${color}`;
        sign.style.opacity = String(Math.max(fillOpacity, 0.6));
        entry.append(sign, visibleText(name));
        return entry;
      }),
    );
  }

  #goTo(place: number): void {
    this.#plot?.moveTo(place);
    this.#showPlace(place);
  }

  #showPlace(place: number | undefined): void {
    this.#place = place;
    const model = this.#model;
    this.#tip.hidden = place === undefined || !model;
    if (place === undefined || !model || !this.#plot) return;
    const lines = placeLines(model, model.xs[place]!);
    this.#tip.replaceChildren(...lines.map((line, nth) => element(nth === 0 ? 'strong' : 'span', '', line)));
    const left = this.#plot.leftOf(place);
    const room = this.root.clientWidth - this.#tip.offsetWidth;
    this.#tip.style.left = `${left + tipGap < room ? left + tipGap : Math.max(0, left - tipGap - this.#tip.offsetWidth)}px`;
    this.#tip.style.top = `${this.drawing.offsetTop + tipGap}px`;
  }

  #onKey(event: KeyboardEvent): void {
    const { xs } = this.#model ?? { xs: [] };
    const from = this.#place ?? -1;
    const target = new Map([
      ['ArrowRight', from + 1],
      ['ArrowLeft', from === -1 ? xs.length - 1 : from - 1],
      ['PageDown', from + pagePlaces],
      ['PageUp', from - pagePlaces],
      ['Home', 0],
      ['End', xs.length - 1],
    ]).get(event.key);
    if (target === undefined || xs.length === 0) return;
    takeKey(event);
    const place = Math.max(0, Math.min(target, xs.length - 1));
    this.#goTo(place);
    setText(this.#live, placeLines(this.#model!, xs[place]!).join('. '));
  }
}

const tipGap = 12;

/** The name of a place, and its exact figures. */
function placeLines(model: ChartModel, x: number): string[] {
  const figures = model.series.flatMap(({ name, points }) =>
    points.filter(point => point.x === x).map(({ text }) => (name === '' ? text : `${visibleText(name)}: ${text}`)),
  );
  return [placeName(model, x), ...figures];
}

function placeName({ axis, labels }: ChartModel, x: number): string {
  if (axis === 'category') return visibleText(labels[x] ?? '');
  return axis === 'time' ? timeText(x) : String(x);
}

function tableOf(model: ChartModel, title: string): HTMLElement {
  const table = element('table');
  const byPlace = model.series.map(({ points }) => Map.groupBy(points, ({ x }) => x));
  const shown = model.xs.slice(0, maxTableRows);
  const rest = model.xs.length - shown.length;
  table.append(
    element('caption', '', rest > 0 ? `${title}. ${t('{0} more are not listed.', formatCount(rest))}` : title),
    rowOf('th', [t('X'), ...model.series.map(({ name }) => visibleText(name) || t('Figure'))]),
    ...shown.map(x => rowOf('td', [placeName(model, x), ...byPlace.map(points => textOf(points.get(x)))])),
  );
  return table;
}

function rowOf(tag: 'th' | 'td', texts: readonly string[]): HTMLElement {
  const row = element('tr');
  row.append(...texts.map((text, nth) => element(nth === 0 ? 'th' : tag, '', text)));
  return row;
}

const textOf = (points: readonly ModelPoint[] = []): string => points.map(({ text }) => text).join(', ');
