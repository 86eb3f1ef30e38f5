import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import { openFilterForm } from '../arrange/filterForm.ts';
import type { GridFont } from '../gridFont.ts';
import type { GridView } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import type { RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { shownTextOf } from '../values/cellContent.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { openColumnMenu } from './columnMenu.ts';
import { fittingWidth } from './columnWidths.ts';
import { listenToHeader } from './headerPointer.ts';

export interface ColumnCommandsOptions {
  readonly labels: GridLabels;
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly arranger: Arranger;
  readonly cache: RowCache;
  readonly font: GridFont;
  readonly calls: HostCalls;
  readonly failed: (thrown: unknown) => void;
  readonly giveBackFocus: () => void;
}

/** How much a key makes a column wider. */
const widenPixels = 16;

/** What people do with columns, by pointer, by keys and from menus. */
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
      move: (column, position) => this.#change(() => layout.move(column, position)),
      openMenu: (position, place) => this.openMenu(place, position),
    });
  }

  nameOf(column: number): string {
    return this.#options.view.columns[column]?.name ?? '';
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
    this.#change(() => layout.move(this.active, selection.active.position + positions));
    view.reveal(selection.active);
  }

  openMenu(place: PopupPlace, position = this.#options.selection.active.position): void {
    const { labels, layout, arranger, giveBackFocus } = this.#options;
    const menu = {
      ...{ labels, layout, arranger, giveBackFocus },
      nameOf: (column: number) => this.nameOf(column),
      openFilter: (column: number, at: PopupPlace) => this.openFilter(column, at),
      select: (at: number) => this.#select(at, false),
      autoFit: (columns: readonly number[]) => this.#autoFit(columns),
      chooseShown: () => void this.#chooseShown(),
      change: (edit: () => void) => this.#change(edit),
    };
    openColumnMenu(menu, position, place);
  }

  openFilter(column: number, place: PopupPlace): void {
    const { labels, arranger, giveBackFocus } = this.#options;
    openFilterForm({
      ...{ labels, column, place, giveBackFocus },
      name: this.nameOf(column),
      filter: arranger.filterOf(column),
      apply: filter => arranger.filter(column, filter),
    });
  }

  /** By VS Code's own list, where one types to find one of many. */
  async #chooseShown(): Promise<void> {
    const { calls, layout, failed } = this.#options;
    try {
      const chosen = await calls.chooseColumns(layout.order, layout.shown);
      if (chosen) this.#change(() => layout.showOnly(chosen));
    } catch (thrown) {
      failed(thrown);
    }
  }

  #select(position: number, add: boolean): void {
    const { selection } = this.#options;
    selection.start({ row: selection.active.row, position }, 'columns', add);
  }

  #resize(column: number, width: number): void {
    const { layout, view } = this.#options;
    layout.resize(column, width);
    view.changed();
  }

  /** By what is in view, since nobody knows what else there is. */
  #autoFit(columns: readonly number[]): void {
    const { view, layout, cache, font, labels } = this.#options;
    const [first, end] = view.visibleRows();
    const rows = Array.from({ length: end - first }, (_, i) => cache.get(first + i) ?? []);
    for (const column of columns) {
      const texts = rows.flatMap(row => (row[column] ? [shownTextOf(row[column], labels)] : []));
      layout.resize(column, fittingWidth(this.nameOf(column), texts, font.widthOf));
    }
    view.changed();
  }

  /** Columns stand elsewhere afterwards, so that only the active cell stays selected, wherever its column is by then. */
  #change(edit: () => void): void {
    const { layout, selection, view } = this.#options;
    const { row, position } = selection.active;
    const column = this.active;
    edit();
    const last = layout.shown.length - 1;
    selection.start({ row, position: layout.positionOf(column) ?? Math.min(position, last) });
    view.changed();
  }
}
