import { type Column, isBlobType, type ShownValue, textOf } from '../../../src/wire/values.ts';

const minWidth = 64;
const maxWidth = 360;
/** A column is no wider at first, even if there is room. */
const maxFreeWidth = 900;
/** The padding and border of a cell. */
const cellPadding = 18;
/** A header has room for its marks as well. */
const headerPadding = 48;

/** Room for larger numbers, which later rows are likely to have: a number that is cut looks like a smaller one. */
const minDigits = 8;
const nullLength = 'NULL'.length;

export interface FirstWidthsOptions {
  readonly columns: readonly Column[];
  /** The first rows. */
  readonly sample: readonly (readonly ShownValue[])[];
  readonly characterWidth: number;
  /** The width for all columns, which they share if some would be cut. */
  readonly room: number;
}

/** The first widths of the columns. Their names and most values of the sample fit. */
export function firstWidths({ columns, sample, characterWidth, room }: FirstWidthsOptions): number[] {
  const wanted = columns.map(({ name, type }, column) => {
    const lengths = sample.map(row => (row[column] ? lengthOf(row[column], type) : 0));
    const valueWidth = Math.max(0, ...lengths) * characterWidth + cellPadding;
    const nameWidth = name.length * characterWidth + headerPadding;
    return Math.ceil(Math.max(minWidth, Math.min(maxFreeWidth, Math.max(valueWidth, nameWidth))));
  });
  const widths = wanted.map(width => Math.min(width, maxWidth));
  const free = room - widths.reduce((sum, width) => sum + width, 0);
  const missing = wanted.reduce((sum, width, column) => sum + width - widths[column]!, 0);
  if (free <= 0 || missing === 0) return widths;
  const share = Math.min(1, free / missing);
  return widths.map((width, column) => Math.floor(width + (wanted[column]! - width) * share));
}

/** A BLOB shows its size and first bytes, however long it is. */
const blobLength = 52;

function lengthOf(value: ShownValue, type: string): number {
  if (value.kind === 'null') return nullLength;
  const length = value.length ?? textOf(value).length;
  if (value.kind === 'text' && isBlobType(type)) return Math.min(length * 2 + 16, blobLength);
  return value.kind === 'integer' || value.kind === 'real' ? Math.max(length, minDigits) : length;
}

const maxFittedWidth = 1200;
/** How much wider the heavier letters of a name are. */
const boldFactor = 1.1;

/** The width at which a name and the texts below it are not cut. */
export function fittingWidth(name: string, texts: readonly string[], widthOf: (text: string) => number): number {
  const nameWidth = widthOf(name) * boldFactor + headerPadding;
  const width = texts.reduce((max, text) => Math.max(max, widthOf(text) + cellPadding), nameWidth);
  return Math.min(maxFittedWidth, Math.ceil(width));
}
