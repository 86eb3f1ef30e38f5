import { t } from '@vscode/l10n';
import { asNumber } from '../../../src/base/decode.ts';
import type { CellPart } from '../../../src/protocol/results.ts';
import type { CopyFormat } from '../../../src/protocol/rowQueries.ts';
import type { Column } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { focusHere } from '../../ui/focus.ts';
import { formatCount } from '../../ui/counts.ts';
import { PageMemory } from '../../ui/host.ts';
import { createIconButton } from '../../ui/iconButton.ts';
import { icon } from '../../ui/icons.ts';
import { shortcutOf, takeKey } from '../../ui/keys.ts';
import type { GridParts } from '../gridView.ts';
import { resizeByDragging } from '../pointer/drag.ts';
import type { GridRow } from '../rows/rowCache.ts';
import { RecordField, limitFetches } from './recordField.ts';
import './record.css';

interface RecordViewOptions extends GridParts {
  readonly copy: (row: number, columns: readonly number[], format: CopyFormat) => void;
}

const widthKey = 'width';
const minRecordWidth = 240;
const widenPixels = 24;

interface ShownRecord {
  /** Undefined if the grid has no rows. */
  readonly row: number | undefined;
  /** Undefined while the row is loading. */
  readonly cells: GridRow | undefined;
  readonly columns: readonly Column[];
  /** The shown columns in their order, then the hidden ones. */
  readonly order: readonly number[];
}

/** The record beside the grid: the active row with the whole values of all its columns. */
export class RecordView {
  readonly root = element('aside', 'record', { 'aria-label': t('Record'), hidden: '' });
  readonly #options: RecordViewOptions;
  readonly #title = element('strong', 'record-title', { 'aria-live': 'polite' });
  readonly #body = element('div', 'record-body', { tabindex: '0' });
  readonly #memory = new PageMemory('record');
  #shownRecord: ShownRecord | undefined;
  #fields: ReadonlyMap<number, RecordField> = new Map();
  #activeColumn: number | undefined;
  #controller = new AbortController();

  constructor(options: RecordViewOptions) {
    this.#options = options;
    const head = element('div', 'record-head', [
      this.#title,
      createIconButton({ label: t('Copy Row as JSON'), sign: icon('copy'), onClick: () => this.#copyRow() }),
      createIconButton({ label: t('Previous Row'), sign: '↑', onClick: () => this.#moveBy(-1) }),
      createIconButton({ label: t('Next Row'), sign: '↓', onClick: () => this.#moveBy(1) }),
      createIconButton({ label: t('Close'), sign: '×', onClick: () => this.close() }),
    ]);
    const sash = element('div', 'record-sash');
    sash.addEventListener('pointerdown', event => this.#resizeByDrag(sash, event));
    this.root.append(sash, head, this.#body);
    this.root.addEventListener('keydown', event => this.#onKey(event));
    const width = asNumber(this.#memory.read(widthKey));
    if (width !== undefined) this.#resize(width);
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** The row of the record. It may be out of view. */
  get row(): number | undefined {
    return this.isOpen ? this.#options.selection.active.row : undefined;
  }

  open(): void {
    this.root.hidden = false;
    this.#body.focus();
    // The record leaves less room for the grid.
    this.#options.view.reveal(this.#options.selection.active);
    this.refresh();
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  close(): void {
    this.root.hidden = true;
    this.#reset();
    this.#options.view.refresh();
    this.#options.restoreFocus();
  }

  /** Shows the active row. A row that is shown already stays, with what the user unfolded. */
  refresh(): void {
    if (!this.isOpen) return;
    const { view, layout, selection, cache } = this.#options;
    const { row } = selection.active;
    const record: ShownRecord = {
      row: view.rowCount > 0 ? row : undefined,
      cells: cache.get(row),
      columns: view.columns,
      order: [...layout.shown, ...layout.hidden],
    };
    const isNew = !isSame(record, this.#shownRecord);
    if (isNew) this.#show(record);
    this.#showActive(layout.columnAt(selection.active.position), isNew);
  }

  dispose(): void {
    this.#controller.abort();
  }

  #showActive(column: number, isNew: boolean): void {
    if (column === this.#activeColumn && !isNew) return;
    this.#activeColumn = column;
    for (const [other, field] of this.#fields) field.setActive(other === column);
    const active = this.#fields.get(column);
    active?.reveal();
    // Fields that come into view may be higher than estimated.
    requestAnimationFrame(() => active?.reveal());
  }

  #show(record: ShownRecord): void {
    const { row, cells } = record;
    this.#reset();
    this.#shownRecord = record;
    // The focused element of the previous row is removed.
    if (this.#body.contains(document.activeElement)) focusHere(this.#body);
    if (row === undefined) {
      this.#title.textContent = t('No Row');
      this.#body.replaceChildren();
      return;
    }
    this.#title.textContent = t('Row {0}', formatCount(row + 1));
    this.#body.replaceChildren(cells ? this.#createFields(record, row, cells) : element('p', 'note', t('Loading')));
  }

  #createFields({ columns, order }: ShownRecord, row: number, cells: GridRow): HTMLElement {
    const { copy } = this.#options;
    const { signal } = this.#controller;
    const fields = element('dl');
    const mayFetch = limitFetches();
    const created = new Map<number, RecordField>();
    for (const index of order) {
      const column = columns[index];
      const value = cells[index];
      if (!column || !value) continue;
      const fetch = (maxLength: number): Promise<CellPart> => this.#fetchCell(row, index, maxLength, signal);
      const copyValue = (): void => copy(row, [index], 'tsv');
      const field = new RecordField({ column, value, mayFetch, copy: copyValue, fetch });
      created.set(index, field);
      fields.append(field.root);
    }
    this.#fields = created;
    return fields;
  }

  async #fetchCell(row: number, column: number, maxLength: number, signal: AbortSignal): Promise<CellPart> {
    const { calls, onFailed } = this.#options;
    try {
      return await calls.send('cell', { row, column, maxLength }, signal);
    } catch (thrown) {
      if (!signal.aborted) onFailed(thrown);
      throw thrown;
    }
  }

  #reset(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#shownRecord = undefined;
    this.#fields = new Map();
  }

  #copyRow(): void {
    const { row, order } = this.#shownRecord ?? {};
    if (row !== undefined && order) this.#options.copy(row, order, 'ndjson');
  }

  #copyActive(): void {
    const { row } = this.#shownRecord ?? {};
    if (row !== undefined && this.#activeColumn !== undefined) this.#options.copy(row, [this.#activeColumn], 'tsv');
  }

  #resizeByDrag(sash: HTMLElement, start: PointerEvent): void {
    if (start.button !== 0) return;
    const { width } = this.root.getBoundingClientRect();
    const resizeBy = (pixels: number): void => this.#resize(width - pixels);
    resizeByDragging(sash, start, resizeBy, () => this.#rememberWidth());
  }

  #widenBy(pixels: number): void {
    this.#resize(this.root.getBoundingClientRect().width + pixels);
    this.#rememberWidth();
  }

  /** The style sheet keeps the least width of the grid. */
  #resize(width: number): void {
    this.root.style.flex = `0 0 ${Math.max(minRecordWidth, Math.round(width))}px`;
  }

  #rememberWidth(): void {
    this.#options.view.reveal(this.#options.selection.active);
    this.#memory.write(widthKey, Math.round(this.root.getBoundingClientRect().width));
  }

  #moveBy(rows: number): void {
    const { view, selection } = this.#options;
    const { row, position } = selection.active;
    const target = { row: Math.max(0, Math.min(row + rows, view.rowCount - 1)), position };
    selection.start(target);
    view.reveal(target);
  }

  #onKey(event: KeyboardEvent): void {
    const keys = shortcutOf(event);
    // Selected text is copied by the browser.
    if (keys === 'Mod+C' && document.getSelection()?.isCollapsed !== false) this.#copyActive();
    else if (keys === 'Escape') this.close();
    else if (keys === '+' || keys === 'Shift++') this.#widenBy(widenPixels);
    else if (keys === '-') this.#widenBy(-widenPixels);
    else if (keys === 'ArrowUp') this.#moveBy(-1);
    else if (keys === 'ArrowDown') this.#moveBy(1);
    else return;
    takeKey(event);
  }
}

/** Compares the values, too: a row that is fetched again is another object. */
const isSame = (one: ShownRecord, other: ShownRecord | undefined): boolean =>
  other !== undefined &&
  one.row === other.row &&
  one.columns === other.columns &&
  (one.cells === other.cells || JSON.stringify(one.cells) === JSON.stringify(other.cells)) &&
  one.order.every((column, i) => column === other.order[i]);
