import type { Column, TaggedValue } from '../../src/wire/values.ts';
import { textOf } from '../../src/wire/values.ts';

const narrowest = 64;
const widest = 360;
/** A cell's own padding and border, and room for a header's heavier letters. */
const padding = 26;

/** Where columns stand. Widths follow the names and the first rows, so that most values fit. */
export class ColumnLayout {
  /** The left edge of each column, and behind the last one the width of all. */
  readonly edges: readonly number[];

  constructor(columns: readonly Column[], sample: readonly (readonly TaggedValue[])[], characterWidth: number) {
    const edges = [0];
    columns.forEach(({ name }, i) => {
      const longest = sample.reduce((most, row) => Math.max(most, row[i] ? textOf(row[i]).length : 0), name.length);
      const width = Math.max(narrowest, Math.min(widest, longest * characterWidth + padding));
      edges.push((edges[i] ?? 0) + width);
    });
    this.edges = edges;
  }

  get width(): number {
    return this.edges.at(-1) ?? 0;
  }

  left(column: number): number {
    return this.edges[column] ?? 0;
  }

  widthOf(column: number): number {
    return this.left(column + 1) - this.left(column);
  }

  /** The columns that are seen between two pixels: from the first to before the second. */
  visible(from: number, to: number): readonly [number, number] {
    const count = this.edges.length - 1;
    let first = 0;
    while (first < count && this.left(first + 1) <= from) first++;
    let end = first;
    while (end < count && this.left(end) < to) end++;
    return [first, end];
  }
}
