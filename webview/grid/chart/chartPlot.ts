import uPlot from 'uplot';
import { cutText } from '../../../src/base/oneLine.ts';
import { pageLanguage } from '../../ui/host.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { type ChartModel, hasBars, type Projection, shapeOf, variantOf } from './chartModel.ts';
import { gridOpacity, type Picture, type SeriesStyle } from './chartPicture.ts';

/** People with any color blindness can tell these apart in the themes of VS Code. Further series are dashed. */
const colors = ['--vscode-charts-blue', '--vscode-sqlProjects-orange', '--vscode-charts-green', '--vscode-foreground'];
const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const letterPixels = 7;
const minLabelSpace = 30;
const maxLabelSpace = 140;

interface ChartPlotOptions {
  readonly parent: HTMLElement;
  readonly model: ChartModel;
  /** Called with the number of the place under the pointer. */
  readonly onPlace: (place: number | undefined) => void;
  readonly onReady: () => unknown;
}

/** The drawn chart: uPlot has its scales, axes and cursor. */
export class ChartPlot {
  readonly styles: readonly SeriesStyle[];
  readonly #model: ChartModel;
  readonly #plot: uPlot;
  readonly #ticks = [
    { splits: [] as readonly number[], texts: [] as readonly string[] },
    { splits: [] as readonly number[], texts: [] as readonly string[] },
  ];

  constructor({ parent, model, onPlace, onReady }: ChartPlotOptions) {
    this.#model = model;
    this.styles = model.series.map((_, nth) => seriesStyle(model, nth, parent));
    const { font, fontSize, foreground, gridColor } = themeOf(parent);
    const axis = (side: 0 | 1, textsOf: (splits: (number | null)[], step: number) => string[]): uPlot.Axis => ({
      stroke: foreground,
      font: `${fontSize}px ${font}`,
      grid: { stroke: gridColor, width: 1 },
      ticks: { stroke: gridColor, width: 1 },
      values: (_plot, splits, _axis, _space, step) => {
        const texts = textsOf(splits, step);
        this.#ticks[side] = { splits, texts };
        return texts;
      },
    });
    const ys = model.series.flatMap(({ points }) => points.map(({ to }) => to));
    const options: uPlot.Options = {
      width: Math.max(parent.clientWidth, 100),
      height: Math.max(parent.clientHeight, 80),
      ms: 1,
      tzDate: time => uPlot.tzDate(new Date(time), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      scales: {
        x: { time: model.axis === 'time', range: xRange(model) },
        y: { distr: model.choice.isLog ? 3 : 1, range: yRange(model, ys) },
      },
      axes: [
        { ...axis(0, (splits, step) => xTexts(model, splits as number[], step)), ...xSteps(model), size: 34 },
        {
          // A logarithmic scale has lines without numbers, which come as null.
          ...axis(1, splits => splits.map(value => (value === null ? '' : numberText(value)))),
          size: (_plot, texts) => 20 + letterPixels * Math.max(3, ...(texts ?? []).map(text => text.length)),
        },
      ],
      series: [{}, ...model.series.map((_, nth) => this.#seriesOptions(nth))],
      hooks: { ready: [() => void onReady()], setCursor: [({ cursor }) => onPlace(cursor.idx ?? undefined)] },
    };
    const rows = new Map(model.xs.map((x, row) => [x, row]));
    const data = model.series.map(({ points }) => {
      const values = model.xs.map((): number | null => null);
      for (const { x, to } of points) values[rows.get(x)!] = to;
      return values;
    });
    this.#plot = new uPlot(options, [[...model.xs], ...data], parent);
  }

  /** Moves the cursor to a place. */
  moveTo(place: number): void {
    const left = this.#plot.valToPos(this.#model.xs[place]!, 'x');
    this.#plot.setCursor({ left, top: 0 });
  }

  /** In pixels from the left edge. */
  leftOf(place: number): number {
    return this.#plot.over.offsetLeft + this.#plot.valToPos(this.#model.xs[place]!, 'x');
  }

  get picture(): Picture {
    const { root, over, width, height } = this.#plot;
    const plot = { left: over.offsetLeft, top: over.offsetTop, width: over.clientWidth, height: over.clientHeight };
    const projection = this.#projection(false);
    const ticks = (side: 0 | 1, placeOf: (value: number) => number) => {
      const { splits, texts } = this.#ticks[side]!;
      return splits.flatMap((value, nth) => (texts[nth] ? [{ at: placeOf(value), text: texts[nth] }] : []));
    };
    return {
      width,
      height,
      plot,
      canvas: this.#plot.ctx.canvas,
      ...themeOf(root),
      xTicks: ticks(0, value => plot.left + projection.x(value)),
      yTicks: ticks(1, value => plot.top + projection.y(value)),
      series: this.#model.series.map(({ name }, nth) => ({
        name,
        ...this.styles[nth]!,
        ...shapeOf(this.#model, nth, projection),
      })),
    };
  }

  dispose(): void {
    this.#plot.destroy();
  }

  #projection(isCanvas: boolean): Projection {
    const plot = this.#plot;
    const least = plot.scales['y']?.min ?? 0;
    return {
      x: value => plot.valToPos(value, 'x', isCanvas),
      // A bar on a logarithmic scale begins at its end.
      y: value => plot.valToPos(Math.max(value, least), 'y', isCanvas),
      unit: isCanvas ? devicePixelRatio : 1,
    };
  }

  #seriesOptions(nth: number): uPlot.Series {
    const { color, dash, strokeWidth, fillOpacity } = this.styles[nth]!;
    return {
      stroke: color,
      width: strokeWidth,
      dash: [...dash],
      fill: `color-mix(in srgb, ${color} ${fillOpacity * 100}%, transparent)`,
      points: { show: false },
      paths: () => {
        const { stroke, fill } = shapeOf(this.#model, nth, this.#projection(true));
        return { stroke: new Path2D(stroke), fill: new Path2D(fill) };
      },
    };
  }
}

function seriesStyle(model: ChartModel, nth: number, parent: HTMLElement): SeriesStyle {
  const isHighContrast = document.body.className.includes('vscode-high-contrast');
  const round = Math.floor(nth / colors.length);
  const color =
    getComputedStyle(parent)
      .getPropertyValue(colors[nth % colors.length]!)
      .trim() || 'CanvasText';
  const isArea = model.choice.type === 'area';
  // Bars of a second round are outlined. In high contrast, the lines of all series differ.
  const fillOpacity = isArea ? 0.25 : hasBars(model) && (round > 0 || (isHighContrast && nth % 2 === 1)) ? 0.3 : 1;
  const dash = dashes[isHighContrast ? variantOf(nth, dashes.length) : round % dashes.length]!;
  return { color, dash, strokeWidth: hasBars(model) ? 1 : 2, fillOpacity };
}

function themeOf(parent: HTMLElement) {
  const style = getComputedStyle(parent);
  return {
    background: style.getPropertyValue('--vscode-editor-background').trim() || 'Canvas',
    foreground: style.color,
    gridColor: `color-mix(in srgb, ${style.color} ${gridOpacity * 100}%, transparent)`,
    font: style.fontFamily,
    fontSize: Number.parseFloat(style.fontSize),
  };
}

function xRange({ axis, labels, xs }: ChartModel): [number, number] {
  if (axis === 'category') return [-0.5, Math.max(labels.length, 1) - 0.5];
  const [first = 0] = xs;
  const last = xs.at(-1) ?? 1;
  // The markers at both ends are drawn whole.
  const margin = first === last ? 1 : (last - first) * 0.01;
  return [first - margin, last + margin];
}

/** Bars and areas begin at 0. */
function yRange(model: ChartModel, ys: readonly number[]): [number, number] {
  const least = ys.reduce((one, other) => Math.min(one, other), Infinity);
  const greatest = ys.reduce((one, other) => Math.max(one, other), -Infinity);
  if (ys.length === 0) return model.choice.isLog ? [1, 10] : [0, 1];
  if (model.choice.isLog) {
    const [from, to] = uPlot.rangeLog(least, greatest, 10, true);
    return [from ?? least, to ?? greatest];
  }
  const hasBase = hasBars(model) || model.choice.type === 'area';
  const range = hasBase ? [Math.min(0, least), Math.max(0, greatest)] : [least, greatest];
  const [from, to] = uPlot.rangeNum(range[0]!, range[1]!, 0.1, true);
  return [from ?? least, to ?? greatest];
}

/** Categories have no places between them. */
function xSteps({ axis, labels }: ChartModel): uPlot.Axis {
  if (axis !== 'category') return { space: 80 };
  const longest = Math.max(...labels.map(label => label.length), 0) * letterPixels + 16;
  return {
    incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    space: Math.min(maxLabelSpace, Math.max(minLabelSpace, longest)),
  };
}

function xTexts({ axis, labels }: ChartModel, splits: readonly number[], step: number): string[] {
  if (axis === 'number') return splits.map(numberText);
  if (axis === 'time') return splits.map(time => timeText(time, step));
  return splits.map(place => cutText(visibleText(labels[place] ?? ''), maxLabelSpace / letterPixels));
}

const dayMs = 24 * 60 * 60 * 1000;

/** As SQLite writes times, without what the step between two of them does not change. */
export function timeText(time: number, step = 1): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split('T');
  if (step >= 360 * dayMs) return date.slice(0, -6);
  if (step >= 28 * dayMs) return date.slice(0, -3);
  if (step >= dayMs) return date;
  return clock.startsWith('00:00:00.000') ? date : clock.slice(0, step >= 60_000 ? 5 : step >= 1000 ? 8 : 12);
}

const numberText = (value: number): string =>
  value.toLocaleString(pageLanguage(), {
    maximumSignificantDigits: 6,
    notation: Math.abs(value) >= 1e6 ? 'compact' : 'standard',
  });
