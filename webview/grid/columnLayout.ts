import { arrayOf, asCount, type Infer, object } from '../../src/base/decode.ts';
import { partitionPoint } from '../../src/base/partitionPoint.ts';

export const decodeLayout = object({
  /** All columns, including hidden ones. */
  order: arrayOf(asCount),
  hidden: arrayOf(asCount),
  widths: arrayOf(asCount),
  frozen: asCount,
  /** The columns that the user has sized. */
  sized: arrayOf(asCount),
});
type RememberedLayout = Infer<typeof decodeLayout>;

export const minColumnWidth = 40;
/** The least share of the view for columns that scroll. */
const minScrolledShare = 0.3;

/**
 * The places of columns. `column` is a number in the result, and `position` counts shown columns from the left. The first
 * `frozen` positions stay in place when the others scroll.
 */
export class ColumnLayout {
  #order: number[];
  #hidden = new Set<number>();
  #widths: number[];
  #sizedColumns = new Set<number>();
  /** Widths from the result before. A column gets no narrower unless the user wants it. */
  #formerWidths: readonly number[] = [];
  #frozen = 0;
  #shownColumns: readonly number[] = [];
  /** The left edge of each position, and at the end the width of all columns. */
  #edges: readonly number[] = [0];
  #positions = new Map<number, number>();

  constructor(widths: readonly number[]) {
    this.#order = widths.map((_width, column) => column);
    this.#widths = [...widths];
    this.#place();
  }

  get shown(): readonly number[] {
    return this.#shownColumns;
  }

  /** All columns, including hidden ones. */
  get order(): readonly number[] {
    return this.#order;
  }

  get hidden(): readonly number[] {
    return this.#order.filter(column => this.#hidden.has(column));
  }

  get frozen(): number {
    return this.#frozen;
  }

  get width(): number {
    return this.#edges.at(-1) ?? 0;
  }

  columnAt(position: number): number {
    return this.#shownColumns[position] ?? 0;
  }

  positionOf(column: number): number | undefined {
    return this.#positions.get(column);
  }

  left(position: number): number {
    return this.#edges[position] ?? this.width;
  }

  widthAt(position: number): number {
    return this.left(position + 1) - this.left(position);
  }

  frozenWithin(viewWidth: number): number {
    let count = this.#frozen;
    while (count > 0 && this.left(count) > viewWidth * (1 - minScrolledShare)) count--;
    return count;
  }

  /** Beyond the edges, the nearest position. */
  positionAtPixel(pixel: number): number {
    const last = this.#shownColumns.length - 1;
    return Math.max(0, Math.min(last, partitionPoint(this.#edges, edge => edge > pixel) - 1));
  }

  /** The first position between two pixels, and the one after the last. */
  visible(from: number, to: number): readonly [first: number, end: number] {
    if (this.#shownColumns.length === 0 || to <= from || from >= this.width)
      return [this.#shownColumns.length, this.#shownColumns.length];
    const last = this.positionAtPixel(to);
    return [this.positionAtPixel(from), this.left(last) < to ? last + 1 : last];
  }

  chosenWidth(column: number): number | undefined {
    return this.#sizedColumns.has(column) ? this.#widths[column] : undefined;
  }

  /** The width in the result before, or 0. */
  formerWidth(column: number): number {
    return this.#formerWidths[column] ?? 0;
  }

  /** Adds columns after the others until there are `count`. */
  add(count: number): void {
    const added = Array.from({ length: count - this.#order.length }, (_, nth) => this.#order.length + nth);
    if (added.length === 0) return;
    this.#order = [...this.#order, ...added];
    this.#widths.push(...added.map(() => minColumnWidth));
    this.#place();
  }

  /** Sets the widths of the shown columns. Returns whether any changed. */
  fit(widths: readonly number[]): boolean {
    if (this.#shownColumns.every((column, position) => this.#widths[column] === widths[position])) return false;
    for (const [position, column] of this.#shownColumns.entries())
      this.#widths[column] = widths[position] ?? minColumnWidth;
    this.#place();
    return true;
  }

  resize(column: number, width: number): void {
    this.#sizedColumns.add(column);
    this.#widths[column] = Math.max(minColumnWidth, Math.round(width));
    this.#place();
  }

  /** The columns in between move by one. */
  move(column: number, position: number): void {
    const target = this.#shownColumns[Math.max(0, Math.min(position, this.#shownColumns.length - 1))];
    if (target === undefined || target === column) return;
    const movesRight = this.#order.indexOf(target) > this.#order.indexOf(column);
    this.#order = this.#order.filter(other => other !== column);
    this.#order.splice(this.#order.indexOf(target) + (movesRight ? 1 : 0), 0, column);
    this.#place();
  }

  /** The last column stays: its menu is the way to show the others again. */
  hide(column: number): void {
    const position = this.#positions.get(column);
    if (position === undefined || this.#shownColumns.length === 1) return;
    this.#hidden.add(column);
    if (position < this.#frozen) this.#frozen--;
    this.#place();
  }

  /** Hides the other columns, unless none would stay. A column shown between frozen ones is frozen. */
  showOnly(columns: readonly number[]): void {
    const shown = new Set(columns);
    if (!this.#order.some(column => shown.has(column))) return;
    const lastFrozen = this.#shownColumns[this.#frozen - 1];
    const frozen = lastFrozen === undefined ? [] : this.#order.slice(0, this.#order.indexOf(lastFrozen) + 1);
    this.#hidden = new Set(this.#order.filter(column => !shown.has(column)));
    this.#frozen = frozen.filter(column => shown.has(column)).length;
    this.#place();
  }

  freeze(count: number): void {
    this.#frozen = Math.max(0, Math.min(count, this.#shownColumns.length));
  }

  remembered(): RememberedLayout {
    return {
      order: this.#order,
      hidden: this.hidden,
      widths: this.#widths,
      frozen: this.#frozen,
      sized: [...this.#sizedColumns],
    };
  }

  /** Does nothing if the layout has other columns. */
  restore({ order, hidden, widths, frozen, sized }: RememberedLayout): void {
    const count = this.#order.length;
    const all = new Set(order);
    const fits = order.length === count && all.size === count && widths.length === count && hidden.length < count;
    if (!fits || [...order, ...hidden].some(column => column >= count)) return;
    this.#order = [...order];
    this.#hidden = new Set(hidden);
    this.#widths = widths.map(width => Math.max(minColumnWidth, width));
    this.#sizedColumns = new Set(sized);
    this.#place();
    this.freeze(frozen);
  }

  /** Restores the layout of columns with the same names. New columns come after them. */
  restoreByName(remembered: RememberedLayout, before: readonly string[], after: readonly string[]): void {
    const moved = new Map<number, number>();
    for (const [column, name] of before.entries()) {
      const target = after.indexOf(name);
      if (target !== -1 && ![...moved.values()].includes(target)) moved.set(column, target);
    }
    const move = (columns: readonly number[]): number[] => columns.flatMap(column => moved.get(column) ?? []);
    const order = move(remembered.order);
    const hidden = move(remembered.hidden);
    const shownBefore = remembered.order.filter(column => !remembered.hidden.includes(column));
    const widths = this.#widths.map((width, column) => {
      const source = [...moved].find(([, target]) => target === column)?.[0];
      return source === undefined ? width : (remembered.widths[source] ?? width);
    });
    const added = this.#order.filter(column => !order.includes(column));
    this.restore({
      order: [...order, ...added],
      hidden,
      widths,
      frozen: move(shownBefore.slice(0, remembered.frozen)).length,
      sized: move(remembered.sized),
    });
    this.#formerWidths = widths.map((width, column) => (added.includes(column) ? 0 : width));
  }

  /** The number of hidden columns directly before a position, or after the last one. */
  hiddenBefore(position: number): number {
    if (this.#hidden.size === 0) return 0;
    const end =
      position < this.#shownColumns.length ? this.#order.indexOf(this.columnAt(position)) : this.#order.length;
    const start = position === 0 ? -1 : this.#order.indexOf(this.columnAt(position - 1));
    return end - start - 1;
  }

  #place(): void {
    this.#shownColumns = this.#order.filter(column => !this.#hidden.has(column));
    const edges = [0];
    for (const column of this.#shownColumns) edges.push((edges.at(-1) ?? 0) + (this.#widths[column] ?? minColumnWidth));
    this.#edges = edges;
    this.#positions = new Map(this.#shownColumns.map((column, position) => [column, position]));
  }
}
