import type { ChartAxis, ChartQuery, ChartType } from '../../../src/protocol/chart.ts';
import { epochOf } from '../../../src/protocol/chartPlaces.ts';
import type { FigureKind, Period } from '../../../src/protocol/groups.ts';
import type { GridColumn } from '../../../src/protocol/results.ts';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { isNumberType } from '../../../src/wire/values.ts';

/** The contents of a chart. Columns are named by their number. */
export interface ChartChoice {
  readonly type: ChartType;
  readonly x: number;
  readonly period?: Period | undefined;
  /** Undefined if each row is a point. */
  readonly figure?: FigureKind | undefined;
  /** The column of the figure or of the points. Only rows are counted without one. */
  readonly y?: number | undefined;
  readonly series?: number | undefined;
  readonly isLog?: boolean | undefined;
}

export type ColumnKind = 'number' | 'time' | 'other';

export interface ChartColumn extends Pick<GridColumn, 'name'> {
  readonly kind: ColumnKind;
  /** A key identifies rows. Nobody wants the sum of keys. */
  readonly isKey: boolean;
  /** Some rows of the sample have the same value. */
  readonly repeats: boolean;
  /** There are few rows, or rows with the same value. */
  readonly isCategory: boolean;
  readonly ascends: boolean;
}

/** More categories are no picture. */
const maxRankedLabels = 40;
const maxOrderedLabels = 400;

/** Columns as the first rows show them, since not all have a type. */
export function chartColumns(
  columns: readonly GridColumn[],
  rows: readonly (readonly TaggedValue[])[],
): readonly ChartColumn[] {
  return columns.map(({ name, type, isKey = false, references }, column) => {
    const values = rows.map(row => row[column]).filter(value => value !== undefined && value.kind !== 'null');
    const texts = values.map(value => ('text' in value ? value.text : ''));
    const repeats = new Set(texts).size < texts.length;
    return {
      name,
      kind: kindOf(type, values),
      isKey: isKey || references !== undefined || /(?:^|_)id$|[a-z]I[dD]$/i.test(name),
      repeats,
      isCategory: repeats || rows.length <= maxRankedLabels,
      ascends: texts.every((text, nth) => nth === 0 || Number(texts[nth - 1]) < Number(text)),
    };
  });
}

function kindOf(type: string, values: readonly TaggedValue[]): ColumnKind {
  if (values.length === 0) return isNumberType(type) ? 'number' : /DATE|TIME/i.test(type) ? 'time' : 'other';
  if (values.every(({ kind }) => kind === 'integer' || kind === 'real')) return 'number';
  return values.every(value => value.kind === 'text' && !Number.isNaN(epochOf(value.text))) ? 'time' : 'other';
}

/** The first picture. Undefined without columns. */
export function guessChoice(columns: readonly ChartColumn[]): ChartChoice | undefined {
  const find = (test: (column: ChartColumn) => boolean): number | undefined => {
    const index = columns.findIndex(test);
    return index === -1 ? undefined : index;
  };
  const time = find(({ kind }) => kind === 'time');
  const text = find(({ kind, isKey, isCategory }) => kind === 'other' && !isKey && isCategory);
  const measures = [...columns.keys()].filter(index => columns[index]!.kind === 'number' && !columns[index]!.isKey);
  const y = measures.at(-1);
  if (time !== undefined && y !== undefined) {
    const hasSeries = text !== undefined && columns[text]!.repeats;
    if (!columns[time]!.repeats) return { type: 'line', x: time, y };
    return { type: 'line', x: time, y, figure: 'sum', series: hasSeries ? text : undefined };
  }
  if (time !== undefined) return { type: 'line', x: time, period: 'month', figure: 'rows' };
  if (text !== undefined)
    return { type: 'bar', x: text, ...(y === undefined ? { figure: 'rows' } : { figure: 'sum', y }) };
  const [x] = measures;
  if (x === undefined || y === undefined) return columns.length > 0 ? { type: 'bar', x: 0, figure: 'rows' } : undefined;
  if (x === y) return { type: 'histogram', x };
  return { type: columns[x]!.ascends ? 'line' : 'scatter', x, y };
}

/** The nearest choice that can be drawn. */
export function fittingChoice(choice: ChartChoice, columns: readonly ChartColumn[]): ChartChoice {
  const { type, x } = choice;
  const isNumber = (column: number | undefined): boolean => columns[column ?? -1]?.kind === 'number';
  const number = columns.findIndex(({ kind }) => kind === 'number');
  if (type === 'histogram') {
    if (number === -1) return fittingChoice({ ...choice, type: 'bar' }, columns);
    return { type, x: isNumber(x) ? x : number, isLog: choice.isLog };
  }
  const period = columns[x]?.kind === 'time' ? choice.period : undefined;
  const isBars = type === 'bar' || type === 'stackedBar';
  const canBePoints = !isBars && period === undefined && columns[x]?.kind !== 'other' && number !== -1;
  const figure = choice.figure ?? (canBePoints ? undefined : isNumber(choice.y) ? 'sum' : 'rows');
  if (figure === 'rows') return { ...choice, period, figure, y: undefined };
  const needsNumber = figure === undefined || figure === 'sum' || figure === 'average';
  if (needsNumber && number === -1) return { ...choice, period, figure: 'rows', y: undefined };
  const y = choice.y === undefined || (needsNumber && !isNumber(choice.y)) ? Math.max(number, 0) : choice.y;
  return { ...choice, period, figure, y };
}

export function axisOf({ type, x, period }: ChartChoice, columns: readonly ChartColumn[]): ChartAxis {
  const kind = columns[x]?.kind;
  if (type === 'bar' || type === 'stackedBar' || type === 'histogram' || kind === 'other') return 'category';
  return kind === 'time' || period !== undefined ? 'time' : 'number';
}

export function queryOf(choice: ChartChoice, columns: readonly ChartColumn[]): ChartQuery {
  const { type, x, period, figure, y, series } = choice;
  if (type === 'histogram') return { kind: 'histogram', x };
  const places = { axis: axisOf(choice, columns), x, ...(series !== undefined && { series }) };
  if (figure === undefined) return { kind: 'points', ...places, y: y ?? x, isScatter: type === 'scatter' };
  const isRanked = columns[x]?.kind === 'other';
  return {
    kind: 'groups',
    ...places,
    x: { column: x, ...(period && { period }) },
    figure: { kind: figure, ...(y !== undefined && { column: y }) },
    isRanked,
    maxLabels: isRanked ? maxRankedLabels : maxOrderedLabels,
  };
}
