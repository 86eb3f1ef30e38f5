import type { Column, TaggedValue } from '../../../src/wire/values.ts';
import { textOf } from '../../../src/wire/values.ts';

const minWidth = 64;
const maxWidth = 360;
/** The padding and border of a cell, with room for a header's heavier letters and its marks. */
const padding = 34;

/** Room for larger numbers, which later rows are likely to have: a number that is cut looks like a smaller one. */
const minDigits = 8;
const nullLength = 'NULL'.length;

/** The first widths of the columns. Their names and most values of the sample fit. */
export function firstWidths(
  columns: readonly Column[],
  sample: readonly (readonly TaggedValue[])[],
  characterWidth: number,
): number[] {
  return columns.map(({ name }, column) => {
    const lengths = sample.map(row => (row[column] ? lengthOf(row[column]) : 0));
    const maxLength = lengths.reduce((max, length) => Math.max(max, length), name.length);
    return Math.max(minWidth, Math.min(maxWidth, Math.ceil(maxLength * characterWidth + padding)));
  });
}

function lengthOf(value: TaggedValue): number {
  if (value.kind === 'null') return nullLength;
  const { length } = textOf(value);
  return value.kind === 'integer' || value.kind === 'real' ? Math.max(length, minDigits) : length;
}

const maxFittedWidth = 1200;
/** How much wider the heavier letters of a name are. */
const boldFactor = 1.1;

/** The width at which a name and the texts below it are not cut. */
export function fittingWidth(name: string, texts: readonly string[], widthOf: (text: string) => number): number {
  const width = texts.reduce((max, text) => Math.max(max, widthOf(text)), widthOf(name) * boldFactor);
  return Math.min(maxFittedWidth, Math.ceil(width) + padding);
}
