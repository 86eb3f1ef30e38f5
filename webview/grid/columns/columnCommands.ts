import { t } from '@vscode/l10n';
import type { Shortcut } from '../../ui/keys.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { openFilterForm } from '../arrange/filterForm.ts';
import type { FilterOperator } from '../arrange/filterOperators.ts';
import type { GridParts } from '../gridView.ts';
import { openProfilePanel } from '../profile/profilePanel.ts';
import { shownTextOf } from '../values/cellContent.ts';
import { fittingWidth } from './columnWidths.ts';
import { listenToHeader } from './headerPointer.ts';

/** Ctrl also on a Mac, where Cmd+Space belongs to the system. */
export const selectColumnKeys: Shortcut = 'Control+Space';

const widenPixels = 16;

/** Sorts, filters, sizes, moves and hides columns: by pointer, by keys and from menus. */
export class ColumnCommands {
  readonly #parts: GridParts;

  constructor(parts: GridParts) {
    this.#parts = parts;
    listenToHeader(parts, this);
  }

  /** The shown name, with marks for invisible characters. */
  nameOf(column: number): string {
    return visibleText(this.#parts.view.columns[column]?.name ?? '');
  }

  /** The column of the active cell. */
  get active(): number {
    const { layout, selection } = this.#parts;
    return layout.columnAt(selection.active.position);
  }

  widenBy(steps: number): void {
    const { layout, selection, view } = this.#parts;
    this.resize(this.active, layout.widthAt(selection.active.position) + steps * widenPixels);
    view.reveal(selection.active);
  }

  moveBy(positions: number): void {
    const { selection, view } = this.#parts;
    this.move(this.active, selection.active.position + positions);
    view.reveal(selection.active);
  }

  move(column: number, position: number): void {
    const { layout } = this.#parts;
    this.#changeLayout(() => layout.move(column, position));
  }

  openMenu(place: PopupPlace, position = this.#parts.selection.active.position): void {
    const { layout, arranger, calls, onFailed, restoreFocus } = this.#parts;
    const column = layout.columnAt(position);
    openMenu({
      label: t('Column {0}', this.nameOf(column)),
      place,
      onClose: restoreFocus,
      items: [
        { label: t('Sort'), items: this.#sortItems(column) },
        { label: t('Filter…'), run: () => this.openFilter(column, place) },
        { label: t('Filter by Values…'), run: () => this.openFilter(column, place, 'in') },
        ...this.#changeItems(column),
        {
          label: t('Clear Filter'),
          disabled: !arranger.filterOf(column),
          run: () => arranger.filter(column, undefined),
        },
        { label: t('Profile'), run: () => this.openProfile(column, place) },
        { label: t('Group By…'), run: () => void calls.send('group', { column }).catch(onFailed) },
        'line',
        { label: t('Column'), items: this.#columnItems(column, position) },
        { label: t('Auto-size All Columns'), run: () => this.autoFit(layout.shown) },
        { label: t('Choose Columns…'), disabled: layout.order.length === 1, run: () => this.#chooseShown() },
        {
          label: t('Show Hidden Columns ({0})', layout.hidden.length),
          disabled: layout.hidden.length === 0,
          run: () => this.#changeLayout(() => layout.showOnly(layout.order)),
        },
      ],
    });
  }

  openFilter(column: number, place: PopupPlace, operator?: FilterOperator): void {
    openFilterForm({ ...this.#parts, column, name: this.nameOf(column), operator, place });
  }

  openProfile(column: number, place: PopupPlace): void {
    void openProfilePanel({ ...this.#parts, column, name: this.nameOf(column), place });
  }

  showOnly(columns: readonly number[]): void {
    const { layout } = this.#parts;
    this.#changeLayout(() => layout.showOnly(columns));
  }

  #changeItems(column: number): MenuItem[] {
    const { changes, arranger } = this.#parts;
    const filter = changes?.filterOf(column);
    if (!filter) return [];
    return [{ label: t('Only Rows with a Change Here'), run: () => arranger.filter(filter.column, filter) }];
  }

  #sortItems(column: number): MenuItem[] {
    const { arranger } = this.#parts;
    const { sort } = arranger.latest;
    const key = sort.find(other => other.column === column);
    const hasOtherKeys = sort.some(other => other.column !== column);
    const sortBy = (label: string, descending: boolean, add = false): MenuItem => ({
      label,
      ...(!add && { checked: key?.descending === descending }),
      run: () => arranger.sort(column, { column, descending }, add),
    });
    const items = [sortBy(t('Sort Ascending'), false), sortBy(t('Sort Descending'), true)];
    if (hasOtherKeys && !key) {
      items.push(sortBy(t('Add to Sort (Ascending)'), false, true), sortBy(t('Add to Sort (Descending)'), true, true));
    }
    items.push({ label: t('Clear Sort'), disabled: !key, run: () => arranger.sort(column, undefined, true) });
    return items;
  }

  #columnItems(column: number, position: number): MenuItem[] {
    const { layout } = this.#parts;
    const isLastFrozen = layout.frozen === position + 1;
    const last = layout.shown.length - 1;
    const change = (label: string, changeLayout: () => void) => ({
      label,
      run: () => this.#changeLayout(changeLayout),
    });
    return [
      { label: t('Select Column'), keys: selectColumnKeys, run: () => this.select(position, false) },
      { label: t('Auto-size Column'), run: () => this.autoFit([column]) },
      isLastFrozen
        ? change(t('Unfreeze'), () => layout.freeze(0))
        : change(t('Freeze up to This Column'), () => layout.freeze(position + 1)),
      {
        label: t('Move Left'),
        run: () => this.move(column, position - 1),
        keys: 'Alt+Shift+ArrowLeft',
        disabled: position === 0,
      },
      {
        label: t('Move Right'),
        run: () => this.move(column, position + 1),
        keys: 'Alt+Shift+ArrowRight',
        disabled: position === last,
      },
      { ...change(t('Hide Column'), () => layout.hide(column)), disabled: last === 0 },
    ];
  }

  /** The host shows VS Code's own list, in which the user types to find a column. */
  async #chooseShown(): Promise<void> {
    const { calls, layout, onFailed } = this.#parts;
    try {
      const chosen = await calls.send('chooseColumns', { columns: layout.order, shown: layout.shown });
      if (chosen) this.showOnly(chosen);
    } catch (thrown) {
      onFailed(thrown);
    }
  }

  select(position: number, add: boolean): void {
    const { selection } = this.#parts;
    selection.start({ row: selection.active.row, position }, 'columns', add);
  }

  resize(column: number, width: number): void {
    const { layout, view } = this.#parts;
    layout.resize(column, width);
    view.repaint();
  }

  /** Fits columns to the rows in view. The page does not have the others. */
  autoFit(columns: readonly number[]): void {
    const { view, layout, cache, font } = this.#parts;
    const rows = cache.present(view.visibleRows());
    for (const column of columns) {
      const type = view.columns[column]?.type ?? '';
      const texts = rows.flatMap(row => (row[column] ? [shownTextOf(row[column], type)] : []));
      layout.resize(column, fittingWidth(this.nameOf(column), texts, font.widthOf));
    }
    view.repaint();
  }

  /** Afterwards only the active cell is selected, in the same column. */
  #changeLayout(change: () => void): void {
    const { layout, widths, selection, view } = this.#parts;
    const { row, position } = selection.active;
    const column = this.active;
    change();
    widths.fit();
    const last = layout.shown.length - 1;
    selection.start({ row, position: layout.positionOf(column) ?? Math.min(position, last) });
    view.repaint();
  }
}
