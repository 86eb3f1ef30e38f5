import type { GridColumn } from '../../../src/protocol/results.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import { isBlobType } from '../../../src/wire/values.ts';
import { typeScale } from '../gridFont.ts';

const minWidth = 64;
const maxWidth = 360;
/** The greatest first width if there is free room. */
const maxFreeWidth = 900;
const cellPadding = 18;
/** A header also has room for its marks. */
const headerPadding = 48;
/** The gap between parts of a header, as in the style sheet. */
export const headerGap = 4;

/** Room for larger numbers in later rows: a cut number looks like a smaller one. */
const minDigits = 8;
const nullLength = 'NULL'.length;
/** Room for the errors of later lines in a script log, with their links. */
const errorLength = 70;

type SizedColumn = Pick<GridColumn, 'name' | 'type' | 'leadsTo'>;

export interface FirstWidthsOptions {
  readonly columns: readonly SizedColumn[];
  readonly sample: readonly (readonly ShownValue[])[];
  readonly characterWidth: number;
  readonly room: number;
  readonly showsTypes?: boolean;
  readonly chosenWidth?: (column: number) => number | undefined;
  /** A column is narrower only if values of other columns would be cut. */
  readonly leastWidth?: (column: number) => number;
}

/** Names and most values of the sample fit. Free room goes to cut values first, and then to the types in headers. */
export function firstWidths(options: FirstWidthsOptions): number[] {
  const { columns, room, characterWidth, showsTypes = false } = options;
  const wantedWidths = columns.map((column, index) => wantedWidth(column, index, options));
  const leastWidths = wantedWidths.map((_width, column) => options.leastWidth?.(column) ?? 0);
  const fitting = wantedWidths.map((width, column) => options.chosenWidth?.(column) ?? Math.min(width, maxWidth));
  const isScrolled = sumOf(fitting) > room;
  const shared = isScrolled
    ? fitting.map((width, column) => options.chosenWidth?.(column) ?? Math.max(width, leastWidths[column]!))
    : withFreeRoom(
        withFreeRoom(withFreeRoom(fitting, wantedWidths, options), leastWidths, options),
        reserved(options),
        options,
      );
  if (!showsTypes) return shared;
  let free = room - sumOf(shared);
  return shared.map((width, column) => {
    const { name, type } = columns[column]!;
    const forType = missingAt(column, headerWidth(name, type, characterWidth), width, options);
    if (forType > free) return width;
    free -= forType;
    return width + forType;
  });
}

/** Gives free room to columns whose values are cut. No column gets narrower. */
export function grownWidths(widths: readonly number[], options: FirstWidthsOptions): number[] {
  const wantedWidths = options.columns.map((column, index) => wantedWidth(column, index, options));
  return withFreeRoom(widths, wantedWidths, options);
}

/** Shares the free room among columns that are narrower than wanted. */
function withFreeRoom(
  widths: readonly number[],
  wantedWidths: readonly number[],
  options: FirstWidthsOptions,
): number[] {
  const missingWidths = wantedWidths.map((width, column) => missingAt(column, width, widths[column]!, options));
  const allMissing = sumOf(missingWidths);
  const share = allMissing === 0 ? 0 : Math.max(0, Math.min(1, (options.room - sumOf(widths)) / allMissing));
  return widths.map((width, column) => Math.floor(width + missingWidths[column]! * share));
}

/** Room for values that are likely to come. */
const reserved = ({ columns, characterWidth }: FirstWidthsOptions): number[] =>
  columns.map(({ leadsTo }) => (leadsTo === 'error' ? errorLength * characterWidth + cellPadding : 0));

function wantedWidth(
  { name, type }: SizedColumn,
  column: number,
  { sample, characterWidth }: FirstWidthsOptions,
): number {
  const lengths = sample.map(row => (row[column] ? lengthOf(row[column], type) : 0));
  const valueWidth = Math.max(0, ...lengths) * characterWidth + cellPadding;
  const width = Math.max(valueWidth, headerWidth(name, '', characterWidth));
  return Math.ceil(Math.max(minWidth, Math.min(maxFreeWidth, width)));
}

function headerWidth(name: string, type: string, characterWidth: number): number {
  const typeWidth = type === '' ? 0 : headerGap + Math.ceil(type.length * characterWidth * typeScale);
  return Math.ceil(name.length * characterWidth) + headerPadding + typeWidth;
}

/** The pixels that a column lacks; 0 for a column that the user has sized. */
const missingAt = (column: number, neededWidth: number, width: number, { chosenWidth }: FirstWidthsOptions): number =>
  chosenWidth?.(column) === undefined ? Math.max(0, neededWidth - width) : 0;

const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);

/** Any BLOB shows its size and its first bytes. */
const blobLength = 52;

function lengthOf(value: ShownValue, type: string): number {
  if (value.kind === 'null') return nullLength;
  const length = value.length ?? textOf(value).length;
  if (value.kind === 'text' && isBlobType(type)) return Math.min(length * 2 + 16, blobLength);
  return value.kind === 'integer' || value.kind === 'real' ? Math.max(length, minDigits) : length;
}

const maxFittedWidth = 1200;
const boldFactor = 1.1;

/** The width at which neither the name nor a text is cut. */
export function fittingWidth(name: string, texts: readonly string[], widthOf: (text: string) => number): number {
  const nameWidth = widthOf(name) * boldFactor + headerPadding;
  const width = texts.reduce((max, text) => Math.max(max, widthOf(text) + cellPadding), nameWidth);
  return Math.min(maxFittedWidth, Math.ceil(width));
}
