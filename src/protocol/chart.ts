import {
  arrayOf,
  asCount,
  asNumber,
  asString,
  type Infer,
  isTrue,
  nullable,
  object,
  oneOf,
  optional,
  refine,
  variant,
} from '../base/decode.ts';
import { maxSeries } from './chartPlaces.ts';
import { decodeGroupFigure, decodeGroupKey } from './groups.ts';

export const chartTypes = ['line', 'bar', 'stackedBar', 'area', 'scatter', 'histogram'] as const;
export type ChartType = (typeof chartTypes)[number];

/** No screen shows more bars. */
const maxLabels = 1000;
const maxPoints = 100_000;

/** A category has a place of its own for each value. Points have theirs by a number, or by a text that is a time. */
const chartAxes = ['category', 'number', 'time'] as const;
export type ChartAxis = (typeof chartAxes)[number];

const decodePlaces = { series: optional(asCount), axis: oneOf(chartAxes) };

/** The rows in the order shown. Columns are named by their number in the result. */
export const decodeChartQuery = variant('kind', {
  /** A figure of the rows with the same x and the same series. */
  groups: object({
    ...decodePlaces,
    x: decodeGroupKey,
    figure: decodeGroupFigure,
    /** The categories with the greatest figures, in their order. */
    maxLabels: refine(asCount, count => count <= maxLabels),
    /** Puts the categories with the greatest figures first. */
    isRanked: isTrue,
  }),
  /** Each row is a point. */
  points: object({ ...decodePlaces, x: asCount, y: asCount, isScatter: isTrue }),
  histogram: object({ x: asCount }),
});
export type ChartQuery = Infer<typeof decodeChartQuery>;

/** The figures are JSON numbers, since integers are exact. Null if there is none. */
const decodeFigures = arrayOf(nullable(asString), maxPoints);

const decodeSeries = object({
  /** Null for NULL. Missing if there is only one. */
  name: optional(nullable(asString)),
  /** The places of points, in their order. Missing if the figures are those of the labels. */
  xs: optional(arrayOf(asNumber, maxPoints)),
  ys: decodeFigures,
});
export type ChartSeries = Infer<typeof decodeSeries>;

export const decodeChartData = object({
  labels: optional(arrayOf(nullable(asString), maxLabels)),
  series: arrayOf(decodeSeries, maxSeries),
  /** How many there are with those that are left out. */
  allLabels: asCount,
  allSeries: asCount,
});
export type ChartData = Infer<typeof decodeChartData>;

/** More than the picture of a screen has. */
const maxPictureLength = 50_000_000;

export const decodePicture = refine(asString, text => text.length <= maxPictureLength);
export const pictureFormats = ['png', 'svg'] as const;
