import type { PopupPlace } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { Arranger } from '../arrange/arranger.ts';
import { openFilterForm } from '../arrange/filterForm.ts';
import type { FilterOperator } from '../arrange/filterOperators.ts';
import type { GridFont } from '../gridFont.ts';
import type { GridView } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import type { RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { shownTextOf } from '../values/cellContent.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { AutomaticWidths } from './automaticWidths.ts';
import { openColumnMenu } from './columnMenu.ts';
import { fittingWidth } from './columnWidths.ts';
import { listenToHeader } from './headerPointer.ts';

interface ColumnCommandsOptions {
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly widths: AutomaticWidths;
  readonly selection: Selection;
  readonly arranger: Arranger;
  readonly cache: RowCache;
  readonly font: GridFont;
  readonly calls: HostCalls;
  readonly onFailed: (thrown: unknown) => void;
  readonly restoreFocus: () => void;
}

/** How many values of a column a list shows. Others are found by a search. */
const maxListed = 500;

/** How much wider a key press makes a column. */
const widenPixels = 16;

/** Sorts, filters, sizes, moves and hides columns: by pointer, by keys and from menus. */
export class ColumnCommands {
  readonly #options: ColumnCommandsOptions;

  constructor(options: ColumnCommandsOptions) {
    this.#options = options;
    const { view, layout, arranger } = options;
    listenToHeader(view, layout, {
      sort: (column, add) => arranger.toggleSort(column, add),
      select: position => this.#select(position, true),
      resize: (column, width) => this.#resize(column, width),
      autoFit: column => this.#autoFit([column]),
      move: (column, position) => this.#changeLayout(() => layout.move(column, position)),
      openMenu: (position, place) => this.openMenu(place, position),
    });
  }

  /** The name of a column as it is shown: with marks for invisible characters. */
  nameOf(column: number): string {
    return visibleText(this.#options.view.columns[column]?.name ?? '');
  }

  /** The column of the active cell, by its number in the result. */
  get active(): number {
    const { layout, selection } = this.#options;
    return layout.columnAt(selection.active.position);
  }

  widenBy(steps: number): void {
    const { layout, selection, view } = this.#options;
    this.#resize(this.active, layout.widthAt(selection.active.position) + steps * widenPixels);
    view.reveal(selection.active);
  }

  moveBy(positions: number): void {
    const { layout, selection, view } = this.#options;
    this.#changeLayout(() => layout.move(this.active, selection.active.position + positions));
    view.reveal(selection.active);
  }

  openMenu(place: PopupPlace, position = this.#options.selection.active.position): void {
    const { layout, arranger, restoreFocus } = this.#options;
    openColumnMenu({
      layout,
      arranger,
      position,
      place,
      nameOf: column => this.nameOf(column),
      openFilter: (column, operator) => this.openFilter(column, place, operator),
      select: () => this.#select(position, false),
      autoFit: columns => this.#autoFit(columns),
      chooseShown: () => void this.#chooseShown(),
      changeLayout: change => this.#changeLayout(change),
      restoreFocus,
    });
  }

  openFilter(column: number, place: PopupPlace, operator?: FilterOperator): void {
    const { arranger, view, calls, onFailed, restoreFocus } = this.#options;
    openFilterForm({
      column,
      name: this.nameOf(column),
      isNumeric: view.isNumeric(column),
      filter: arranger.filterOf(column),
      operator,
      place,
      loadValues: (search, signal) => calls.send('values', { query: { column, search, maxValues: maxListed } }, signal),
      onFailed,
      apply: filter => arranger.filter(column, filter),
      restoreFocus,
    });
  }

  /** The host shows VS Code's own list, in which the user can type to find a column. */
  async #chooseShown(): Promise<void> {
    const { calls, layout, onFailed } = this.#options;
    try {
      const chosen = await calls.send('chooseColumns', { columns: layout.order, shown: layout.shown });
      if (chosen) this.#changeLayout(() => layout.showOnly(chosen));
    } catch (thrown) {
      onFailed(thrown);
    }
  }

  #select(position: number, add: boolean): void {
    const { selection } = this.#options;
    selection.start({ row: selection.active.row, position }, 'columns', add);
  }

  #resize(column: number, width: number): void {
    const { layout, view } = this.#options;
    layout.resize(column, width);
    view.repaint();
  }

  /** Fits columns to the rows in view. The page does not know the others. */
  #autoFit(columns: readonly number[]): void {
    const { view, layout, cache, font } = this.#options;
    const rows = cache.present(view.visibleRows());
    for (const column of columns) {
      const type = view.columns[column]?.type ?? '';
      const texts = rows.flatMap(row => (row[column] ? [shownTextOf(row[column], type)] : []));
      layout.resize(column, fittingWidth(this.nameOf(column), texts, font.widthOf));
    }
    view.repaint();
  }

  /** Changes the order of columns. Only the active cell stays selected, and it stays in its column. */
  #changeLayout(change: () => void): void {
    const { layout, widths, selection, view } = this.#options;
    const { row, position } = selection.active;
    const column = this.active;
    change();
    widths.fit();
    const last = layout.shown.length - 1;
    selection.start({ row, position: layout.positionOf(column) ?? Math.min(position, last) });
    view.repaint();
  }
}
