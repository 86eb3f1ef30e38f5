import type { Column, TaggedValue } from '../../../src/wire/values.ts';
import { textOf } from '../../../src/wire/values.ts';

const narrowest = 64;
const widest = 360;
/** A cell's own padding and border, and room for a header's heavier letters and what it is marked with. */
const padding = 34;

/** Numbers grow as rows go on, and one that is cut is taken for a smaller one. */
const likelyDigits = 8;

/** Widths to begin with. They follow the names and the first rows, so that most values fit. */
export function firstWidths(
  columns: readonly Column[],
  sample: readonly (readonly TaggedValue[])[],
  characterWidth: number,
): number[] {
  return columns.map(({ name }, column) => {
    const longest = sample.reduce((most, row) => Math.max(most, row[column] ? lengthOf(row[column]) : 0), name.length);
    return Math.max(narrowest, Math.min(widest, Math.ceil(longest * characterWidth + padding)));
  });
}

function lengthOf(value: TaggedValue): number {
  if (value.kind === 'null') return 4;
  const { length } = textOf(value);
  return value.kind === 'integer' || value.kind === 'real' ? Math.max(length, likelyDigits) : length;
}

const mostFitted = 1200;

/** The width at which a name and the texts below it can be read as a whole. */
export function fittingWidth(name: string, texts: readonly string[], widthOf: (text: string) => number): number {
  // Letters of the name are heavier.
  const longest = texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(name) * 1.1);
  return Math.min(mostFitted, Math.ceil(longest) + padding);
}
