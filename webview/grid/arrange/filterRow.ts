import { t } from '@vscode/l10n';
import type { Arrangement, ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { icon } from '../../ui/icons.ts';
import { placeBelow } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { positionsToMount, type Viewport } from '../rows/viewport.ts';
import type { FilterParts } from './arrangementBar.ts';
import { createFilterField, showFault } from './filterField.ts';
import { defaultOperator, wordOf } from './filterOperators.ts';
import { filterText, parseFilter } from './filterText.ts';
import './filterRow.css';

interface FilterRowOptions extends FilterParts {
  readonly rowHeight: number;
  /** The host shows or hides the row in all grids. */
  readonly show: (isShown: boolean) => unknown;
  readonly revealColumn: (position: number) => void;
  /** Focuses the grid, at a column if there is one. */
  readonly leave: (column?: number) => void;
}

interface ColumnField {
  readonly root: HTMLElement;
  readonly field: HTMLInputElement;
  /** The text of the present filter. The field may have a text that is not applied yet. */
  applied: string;
}

/** A row below the headers with a field for each column's filter. Enter and leaving a field apply its text. */
export class FilterRow {
  readonly root = element('div', 'row filters', { role: 'row', 'aria-rowindex': '2', 'aria-label': t('Filter Row') });
  readonly height: number;
  readonly #options: FilterRowOptions;
  readonly #fixed = element('div', 'fixed', { role: 'presentation' });
  readonly #track = element('div', 'track', { role: 'presentation' });
  readonly #corner = element('div', 'cell number filter-corner', { 'aria-hidden': 'true' });
  /** By column. A field out of view stays while its text is not applied. */
  readonly #fields = new Map<number, ColumnField>();
  #viewport: Viewport | undefined;
  /** The user has asked for the row. Its field gets the focus when it is shown. */
  #isWanted = false;

  constructor(options: FilterRowOptions) {
    this.#options = options;
    this.height = options.rowHeight + fieldFrame;
    this.root.style.setProperty('--filter-height', `${this.height}px`);
    this.#corner.append(icon('filter'));
    this.#fixed.append(this.#corner);
    this.root.append(this.#fixed, this.#track);
    // The grid around the fields selects and copies cells.
    for (const name of ['pointerdown', 'click', 'dblclick', 'contextmenu', 'copy']) {
      this.root.addEventListener(name, event => event.stopPropagation());
    }
  }

  get isShown(): boolean {
    return this.root.parentElement !== null;
  }

  /** Called when the user shows or hides the row. */
  switch(): void {
    this.#isWanted = !this.isShown;
    this.#options.show(this.#isWanted);
  }

  /** Focuses the field of a column if the user has asked for the row. */
  focusIfWanted(position: number): void {
    if (!this.#isWanted || !this.isShown) return;
    this.#isWanted = false;
    this.focus(position);
  }

  hide(): void {
    if (this.root.contains(document.activeElement)) this.#options.leave();
    this.root.remove();
  }

  /** The field may be out of view. */
  focus(position: number): void {
    this.#options.revealColumn(position);
    const column = this.#viewport?.layout.columnAt(position);
    const shown = column === undefined ? undefined : this.#fields.get(column);
    shown?.field.focus({ preventScroll: true });
    shown?.field.select();
  }

  paint(viewport: Viewport, arrangement: Arrangement): void {
    if (!this.isShown) return;
    this.#viewport = viewport;
    const { layout, gutter, frozen, scrollLeft, selection } = viewport;
    this.root.style.width = `${viewport.width}px`;
    this.#track.style.transform = `translateX(${-scrollLeft}px)`;
    this.#corner.style.width = `${gutter}px`;
    const focused = this.#focusedColumn();
    // Tab reaches one field: the focused one, or else that of the active column.
    const tabStop = focused ?? layout.columnAt(selection.active.position);
    const positions = positionsToMount(viewport, layout.positionOf(tabStop));
    this.#unmountExcept(new Set(positions.map(position => layout.columnAt(position))));
    let previous: HTMLElement = this.#corner;
    let parent = this.#fixed;
    for (const position of positions) {
      const column = layout.columnAt(position);
      const shown = this.#fields.get(column) ?? this.#create(column);
      const { root, field } = shown;
      if (position >= frozen && parent !== this.#track) {
        parent = this.#track;
        if (parent.firstElementChild !== root) parent.prepend(root);
      } else if (previous.nextElementSibling !== root) previous.after(root);
      previous = root;
      // The row number is the first column.
      root.setAttribute('aria-colindex', String(position + 2));
      root.style.left = `${gutter + layout.left(position)}px`;
      root.style.width = `${layout.widthAt(position)}px`;
      root.classList.toggle('last-frozen', position === frozen - 1);
      field.tabIndex = column === tabStop ? 0 : -1;
      this.#showFilter(shown, column, arrangement);
    }
  }

  #focusedColumn(): number | undefined {
    const { activeElement } = document;
    if (!this.root.contains(activeElement)) return undefined;
    return [...this.#fields].find(([, { field }]) => field === activeElement)?.[0];
  }

  #unmountExcept(columns: ReadonlySet<number>): void {
    for (const [column, { root, field, applied }] of this.#fields) {
      if (columns.has(column)) continue;
      root.remove();
      if (field.value === applied) this.#fields.delete(column);
    }
  }

  /** Shows the present filter, unless the user is typing another one. */
  #showFilter(shown: ColumnField, column: number, { filters }: Arrangement): void {
    const { nameOf, isNumeric } = this.#options;
    const { field, applied } = shown;
    const filter = filters.find(other => other.column === column);
    const text = filter ? filterText(filter) : '';
    if (field.value === applied && field.value !== text) field.value = text;
    shown.applied = text;
    field.placeholder = wordOf(defaultOperator(isNumeric(column)));
    field.setAttribute('aria-label', t('Filter {0}', nameOf(column)));
  }

  #create(column: number): ColumnField {
    const { nameOf, isNumeric, editFilter, leave } = this.#options;
    const root = element('div', 'cell', { role: 'gridcell' });
    const field = createFilterField({
      label: t('Filter {0}', visibleText(nameOf(column))),
      value: '',
      parse: text => parseFilter(text, column, isNumeric(column)),
      apply: filter => {
        if (field.value !== shown.applied) this.#apply(shown, column, filter);
      },
      openForm: () => editFilter(column, placeBelow(root)),
      cancel: () => {
        if (field.value === shown.applied) leave();
        else field.value = shown.applied;
      },
      close: () => this.#applyOnLeaving(shown, column),
    });
    field.addEventListener('keydown', event => this.#onKey(event, column));
    field.addEventListener('focus', () => this.#reveal(column));
    field.addEventListener('input', () => this.#reveal(column));
    root.append(field);
    const shown: ColumnField = { root, field, applied: '' };
    this.#fields.set(column, shown);
    return shown;
  }

  /** Text that is not a filter stays for the user to correct. Nothing is applied when the window loses the focus. */
  #applyOnLeaving(shown: ColumnField, column: number): void {
    const { field } = shown;
    if (field.value === shown.applied || !document.hasFocus()) return;
    const { isNumeric } = this.#options;
    const { isValid, filter } = parseFilter(field.value, column, isNumeric(column));
    if (isValid) this.#apply(shown, column, filter);
    else showFault(field, false);
  }

  #apply(shown: ColumnField, column: number, filter: ColumnFilter | undefined): void {
    shown.field.value = filter ? filterText(filter) : '';
    shown.applied = shown.field.value;
    this.#options.arranger.filter(column, filter);
  }

  #onKey(event: KeyboardEvent, column: number): void {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey) return;
    const { layout } = this.#viewport ?? {};
    const position = layout?.positionOf(column);
    if (!layout || position === undefined) return;
    if (key === 'ArrowDown') this.#options.leave(column);
    else if (key === 'Tab') {
      const target = position + (shiftKey ? -1 : 1);
      // At the ends of the row, Tab leaves it.
      if (target < 0 || target >= layout.shown.length) return;
      this.focus(target);
    } else return;
    event.preventDefault();
  }

  #reveal(column: number): void {
    const position = this.#viewport?.layout.positionOf(column);
    if (position !== undefined) this.#options.revealColumn(position);
  }
}

const fieldFrame = 5;
