import type { Arrangement } from '../../src/protocol/rowQueries.ts';
import type { GridColumn } from '../../src/protocol/results.ts';
import { element } from '../ui/element.ts';
import type { Arranger } from './arrange/arranger.ts';
import type { FilterRow } from './arrange/filterRow.ts';
import type { AutomaticWidths } from './columns/automaticWidths.ts';
import type { HostCalls } from './hostCalls.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { ChangedCells } from './comparison/changedCells.ts';
import { createHeaderRow } from './columns/headerRow.ts';
import type { GridFont } from './gridFont.ts';
import { GridGeometry } from './gridGeometry.ts';
import { GridScroll, type ScrollPlace } from './gridScroll.ts';
import { activeCellId } from './rows/gridRow.ts';
import type { GridRow, RowCache } from './rows/rowCache.ts';
import type { ProfileRow } from './profile/profileRow.ts';
import { RowLayer, rowsToMount } from './rows/rowLayer.ts';
import type { Viewport } from './rows/viewport.ts';
import type { Cell, Selection } from './selection/selection.ts';
import type { TaggedValue } from '../../src/protocol/shownValues.ts';
import { type Column, isNumberType } from '../../src/wire/values.ts';

/** Rows are also painted this far beyond the view, so that a slow frame shows no gap. */
const overscanRows = 6;

/** The parts of a grid that its commands work on. */
export interface GridParts {
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly widths: AutomaticWidths;
  readonly selection: Selection;
  readonly arranger: Arranger;
  readonly cache: RowCache;
  /** Set for a comparison. */
  readonly changes: ChangedCells | undefined;
  readonly calls: HostCalls;
  readonly font: GridFont;
  readonly onFailed: (thrown: unknown) => void;
  readonly restoreFocus: () => void;
}

interface GridViewOptions extends Pick<GridParts, 'layout' | 'selection' | 'cache' | 'changes' | 'font'> {
  readonly columns: readonly GridColumn[];
  /** The first rows show which columns have numbers while types are not known. */
  readonly sample: readonly GridRow[];
  readonly filterRow: FilterRow;
  readonly profileRow: ProfileRow;
  readonly arrangement: () => Arrangement;
  /** The row of the record. It is fetched even out of view. */
  readonly extraRow: () => number | undefined;
  readonly onPainted: (rows: HTMLElement) => void;
}

/** The grid itself. Only the rows and columns in view have elements, and the active row. */
export class GridView {
  readonly root = element('div', 'grid', { role: 'grid', 'aria-multiselectable': 'true', tabindex: '0' });
  readonly geometry: GridGeometry;
  readonly #options: GridViewOptions;
  readonly #header: ReturnType<typeof createHeaderRow>;
  readonly #rows: RowLayer;
  readonly #scroll: GridScroll;
  readonly #observer = new ResizeObserver(() => this.refresh());
  #columns: readonly GridColumn[];
  #numeric: readonly boolean[];
  #showsTypes = false;
  #rowCount = 0;
  #animationFrame = 0;
  #version = 0;
  /** Whether a row was painted without its values. */
  #isLoading = false;

  constructor(options: GridViewOptions) {
    this.#options = options;
    this.#columns = options.columns;
    this.#numeric = numericColumns(options.columns, options.sample);
    const { layout, font } = options;
    this.#header = createHeaderRow(font);
    this.#rows = new RowLayer(this.#header.root);
    this.#scroll = new GridScroll(this.root, this.#rows, layout, font.rowHeight);
    this.geometry = new GridGeometry({
      root: this.root,
      layout,
      scroll: this.#scroll.vertical,
      font,
      rowCount: () => this.#rowCount,
      headerHeight: () => font.rowHeight + this.#belowHeader,
    });
    this.root.setAttribute('aria-readonly', 'true');
    this.#showRowCount();
    this.root.style.setProperty('--row-height', `${font.rowHeight}px`);
    this.root.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.#observer.observe(this.root);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get columns(): readonly GridColumn[] {
    return this.#columns;
  }

  isNumeric(column: number): boolean {
    return this.#numeric[column] === true;
  }

  get scrollPlace(): ScrollPlace {
    return this.#scroll.place;
  }

  get #filtersHeight(): number {
    const { isShown, height } = this.#options.filterRow;
    return isShown ? height : 0;
  }

  /** The height of the rows between the header and the first row. */
  get #belowHeader(): number {
    const { isShown, height } = this.#options.profileRow;
    return this.#filtersHeight + (isShown ? height : 0);
  }

  get #headerRows(): number {
    const { filterRow, profileRow } = this.#options;
    return 1 + Number(filterRow.isShown) + Number(profileRow.isShown);
  }

  get #isHidden(): boolean {
    return this.root.clientHeight === 0;
  }

  setRowCount(rowCount: number): void {
    if (rowCount === this.#rowCount) return;
    this.#rowCount = rowCount;
    this.#showRowCount();
    this.refresh();
  }

  /** Types and keys of columns come after the rows. */
  setColumns(columns: readonly GridColumn[], showsTypes: boolean): void {
    const isSame = columns.every((column, i) => hasSameHeader(column, this.#columns[i]));
    if (isSame && showsTypes === this.#showsTypes) return;
    this.#showsTypes = showsTypes;
    this.#columns = columns;
    this.#numeric = numericColumns(columns, this.#options.sample);
    this.repaint();
  }

  showFilterRow(isShown: boolean): void {
    const { filterRow, selection } = this.#options;
    if (isShown === filterRow.isShown) return;
    if (isShown) this.#header.root.after(filterRow.root);
    else filterRow.hide();
    this.#showRowCount();
    this.repaint();
    filterRow.focusIfWanted(selection.active.position);
  }

  toggleProfile(): void {
    const { profileRow } = this.#options;
    if (profileRow.isShown) profileRow.hide();
    else this.#header.root.after(profileRow.root);
    this.#showRowCount();
    this.repaint();
  }

  /** Paints every cell again with the next frame: the layout, the selection or the arrangement has changed. */
  repaint(): void {
    this.#version++;
    this.refresh();
  }

  /** Paints with the next frame: rows have come, or the size of the grid has changed. */
  refresh(): void {
    this.#animationFrame ||= requestAnimationFrame(() => {
      this.#animationFrame = 0;
      this.#paint();
    });
  }

  /** Call it when rows have been loaded. Rows that the user waits for are in the page before the next frame begins. */
  showLoaded(): void {
    this.refresh();
    if (this.#isLoading) this.settle();
  }

  /** Paints at once if a paint is pending. Call it before you measure elements. */
  settle(): void {
    if (this.#animationFrame === 0) return;
    cancelAnimationFrame(this.#animationFrame);
    this.#animationFrame = 0;
    this.#paint();
  }

  setEditable(isEditable: boolean): void {
    this.root.setAttribute('aria-readonly', String(!isEditable));
  }

  scrollTo(place: ScrollPlace): void {
    this.#scroll.goTo(place);
    this.refresh();
  }

  /** Scrolls as little as possible. */
  reveal(cell: Cell): void {
    if (this.#isHidden) return;
    this.#scroll.fit(this.#rowCount, this.geometry);
    this.#scroll.reveal(cell, this.geometry);
    this.repaint();
  }

  /** Scrolls a column into view, and paints at once. */
  revealColumn(position: number): void {
    if (this.#isHidden) return;
    this.#scroll.revealColumn(position, this.geometry);
    this.repaint();
    this.settle();
  }

  /** The first row in view, and the row after the last one. */
  visibleRows(): readonly [first: number, end: number] {
    return this.#scroll.vertical.visible();
  }

  dispose(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#animationFrame);
    this.root.remove();
  }

  #showRowCount(): void {
    this.root.setAttribute('aria-rowcount', String(this.#rowCount + this.#headerRows));
  }

  #onScroll(): void {
    // The browser scrolls a grid to its beginning when the grid is hidden. The user did not scroll.
    if (this.#isHidden) return;
    // Rows that came since the last paint change the meaning of the scrollbar's place.
    this.#scroll.fit(this.#rowCount, this.geometry);
    this.#scroll.follow();
    this.#paint();
  }

  #paint(): void {
    if (this.#isHidden) return this.#scroll.suspend();
    const { cache, selection, layout, arrangement, filterRow, extraRow, onPainted, font } = this.#options;
    this.#scroll.fit(this.#rowCount, this.geometry);
    const moved = this.#scroll.moveRows(this.#rowCount);
    const { vertical } = this.#scroll;
    const viewport = this.#viewport();
    const [first, end] = vertical.visible();
    cache.fetchView([first, end], this.#rowCount, extraRow());
    this.#header.paint(viewport, arrangement());
    filterRow.paint(viewport, arrangement());
    this.#options.profileRow.paint(viewport, arrangement(), font.rowHeight + this.#filtersHeight);
    const below = this.#belowHeader - moved;
    const painted = [Math.max(0, first - overscanRows), Math.min(this.#rowCount, end + overscanRows)] as const;
    const activeRow = selection.active.row < this.#rowCount ? selection.active.row : undefined;
    this.#isLoading = false;
    this.#rows.show(rowsToMount(painted, activeRow), (row, rowElement) => {
      const values = cache.get(row);
      this.#isLoading ||= values === undefined;
      rowElement.paint(row, values, vertical.offsetOf(row) + below, viewport);
    });
    const columnCount = layout.shown.length;
    this.root.setAttribute('aria-colcount', String(columnCount + 1));
    this.root.setAttribute('aria-activedescendant', this.#rowCount > 0 && columnCount > 0 ? activeCellId : '');
    onPainted(this.#rows.root);
  }

  #viewport(): Viewport {
    const { layout, selection, cache, changes } = this.#options;
    const { room, frozen, gutter } = this.geometry;
    const { left } = this.#scroll;
    const [first, end] = layout.visible(left + layout.left(frozen), left + room);
    return {
      columns: this.#columns,
      showsTypes: this.#showsTypes,
      layout,
      selection,
      isNumeric: column => this.isNumeric(column),
      headerRows: this.#headerRows,
      cache,
      changes,
      frozen,
      visible: [Math.max(frozen, first), end],
      gutter,
      scrollLeft: left,
      width: Math.min(this.root.clientWidth, layout.width + gutter),
      version: this.#version,
    };
  }
}

const hasSameHeader = (one: GridColumn, other: GridColumn | undefined): boolean =>
  one.type === other?.type &&
  one.isKey === other.isKey &&
  one.references === other.references &&
  one.missingIn === other.missingIn;

/** By its declared type, or by the first rows while the type is not known. Booleans are aligned like numbers. */
function numericColumns(columns: readonly Column[], sample: readonly (readonly TaggedValue[])[]): readonly boolean[] {
  return columns.map(({ type }, column) => {
    if (type !== '') return isNumberType(type) || /BOOL/i.test(type);
    const kinds = new Set(sample.map(row => row[column]?.kind ?? 'null'));
    kinds.delete('null');
    return kinds.size > 0 && [...kinds].every(kind => kind === 'integer' || kind === 'real' || kind === 'boolean');
  });
}
