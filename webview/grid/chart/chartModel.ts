import type { ChartAxis, ChartData } from '../../../src/protocol/chart.ts';
import type { ChartChoice } from './chartChoice.ts';

export interface ModelPoint {
  readonly x: number;
  /** Where a bar begins: at 0, or at the end of the bar below. */
  readonly from: number;
  readonly to: number;
  /** The exact figure. */
  readonly text: string;
}

interface ModelSeries {
  readonly name: string;
  readonly points: readonly ModelPoint[];
}

/** The contents of a chart as they are drawn and read out. */
export interface ChartModel {
  readonly choice: ChartChoice;
  readonly axis: ChartAxis;
  /** The names of the places 0, 1, 2… of categories. */
  readonly labels: readonly string[];
  readonly series: readonly ModelSeries[];
  /** All places in their order, each once. */
  readonly xs: readonly number[];
}

export function chartModel(choice: ChartChoice, axis: ChartAxis, data: ChartData): ChartModel {
  const ends = new Map<string, number>();
  const pointOf = (x: number, text: string): ModelPoint => {
    const figure = Number(text);
    if (choice.type !== 'stackedBar') return { x, from: 0, to: figure, text };
    // Negative bars are stacked downwards.
    const stack = `${x} ${figure < 0}`;
    const from = ends.get(stack) ?? 0;
    ends.set(stack, from + figure);
    return { x, from, to: from + figure, text };
  };
  const series = data.series.map(({ name, xs, ys }) => ({
    name: nameOf(name),
    points: ys.flatMap((text, nth) => {
      // A logarithmic scale has no place for them.
      const isDrawn = text !== null && (!choice.isLog || Number(text) > 0);
      return isDrawn ? [pointOf(xs?.[nth] ?? nth, text)] : [];
    }),
  }));
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted(
    (one, other) => one - other,
  );
  return { choice, axis, labels: (data.labels ?? []).map(nameOf), series, xs };
}

const nameOf = (name: string | null | undefined): string => (name === null ? 'NULL' : (name ?? ''));

export const hasBars = ({ choice: { type } }: ChartModel): boolean =>
  type === 'bar' || type === 'stackedBar' || type === 'histogram';

/** Puts the numbers of a model on a picture. `unit` is the size of a pixel. */
export interface Projection {
  readonly x: (place: number) => number;
  readonly y: (figure: number) => number;
  readonly unit: number;
}

/** The data of SVG paths. */
export interface Shape {
  readonly stroke: string;
  readonly fill: string;
}

const barShare = 0.8;
/** Lines with more points show no markers. */
const maxMarked = 60;
const markerRadius = 2.5;

export function shapeOf(model: ChartModel, nth: number, projection: Projection): Shape {
  const { points } = model.series[nth]!;
  if (hasBars(model)) return barsOf(model, nth, projection);
  const places = points.map(({ x, to }) => [projection.x(x), projection.y(to)] as const);
  const marker = markers[variantOf(nth, markers.length)]!(markerRadius * projection.unit);
  const marked = (): string => places.map(([x, y]) => `M${round(x)} ${round(y)}${marker}`).join('');
  if (model.choice.type === 'scatter') return { stroke: '', fill: marked() };
  const parts = partsOf(points, model.axis).map(([first, end]) => places.slice(first, end));
  const stroke = parts.map(part => `M${part.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`).join('');
  if (model.choice.type === 'line') return { stroke, fill: places.length > maxMarked ? '' : marked() };
  const base = round(projection.y(0));
  const fill = parts.map(part => {
    const line = part.map(([x, y]) => `L${round(x)} ${round(y)}`).join('');
    return `M${round(part[0]![0])} ${base}${line}L${round(part.at(-1)![0])} ${base}Z`;
  });
  return { stroke, fill: fill.join('') };
}

/** Bars of one place are beside each other, unless they are stacked. A thin bar has at least a pixel. */
function barsOf({ series, choice }: ChartModel, nth: number, { x: xOf, y: yOf, unit }: Projection): Shape {
  const beside = choice.type === 'bar' ? series.length : 1;
  const share = choice.type === 'histogram' ? 1 : barShare;
  const width = share / beside;
  const bars = series[nth]!.points.map(({ x, from, to }) => {
    const left = xOf(x - share / 2 + (beside > 1 ? nth * width : 0));
    const right = Math.max(left + unit, xOf(x - share / 2 + (beside > 1 ? (nth + 1) * width : share)));
    return `M${round(left)} ${round(yOf(from))}H${round(right)}V${round(yOf(to))}H${round(left)}Z`;
  });
  return { stroke: bars.join(''), fill: bars.join('') };
}

/** A category without a figure interrupts the line. */
function partsOf(points: readonly ModelPoint[], axis: ChartAxis): (readonly [first: number, end: number])[] {
  const isGap = (nth: number): boolean => axis === 'category' && points[nth]!.x - points[nth - 1]!.x > 1;
  const starts = [...points.keys()].filter(nth => nth === 0 || isGap(nth));
  return starts.map((start, nth) => [start, starts[nth + 1] ?? points.length]);
}

/** Series of the same color, which are as far apart as there are variants, get different ones. */
export const variantOf = (nth: number, count: number): number => (nth + Math.floor(nth / count)) % count;

/** A circle, a square, a diamond and a triangle around a point: series can be told apart without their colors. */
const markers: readonly ((radius: number) => string)[] = [
  r => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  r => `m${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  r => `m0 ${-1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}z`,
  r => `m0 ${-1.3 * r}l${1.3 * r} ${2.3 * r}h${-2.6 * r}z`,
];

const round = (pixels: number): number => Math.round(pixels * 10) / 10;
