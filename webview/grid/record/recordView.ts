import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CellPart } from '../../../src/protocol/results.ts';
import type { Column } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { focusHere } from '../../ui/focus.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton } from '../../ui/iconButton.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridView } from '../gridView.ts';
import type { CellRequest } from '../hostCalls.ts';
import type { GridRow, RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { RecordField, UnaskedFetches } from './recordField.ts';
import './record.css';

export interface RecordViewOptions {
  readonly labels: GridLabels;
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly cache: RowCache;
  readonly fetchCell: (request: CellRequest, signal: AbortSignal) => Promise<CellPart>;
  readonly restoreFocus: () => void;
}

interface ShownRecord {
  /** Undefined when the grid has no rows. */
  readonly row: number | undefined;
  /** Undefined while the row is loading. */
  readonly cells: GridRow | undefined;
  readonly columns: readonly Column[];
  /** The columns from first to last, hidden ones at the end. */
  readonly order: readonly number[];
}

/** The record beside the grid: the row of the active cell with the whole values of all its columns. */
export class RecordView {
  readonly root = element('aside', 'record');
  readonly #options: RecordViewOptions;
  readonly #title = element('strong', 'record-title');
  readonly #body = element('div', 'record-body');
  #shown: ShownRecord | undefined;
  #controller = new AbortController();

  constructor(options: RecordViewOptions) {
    this.#options = options;
    const { labels } = options;
    this.root.hidden = true;
    this.root.setAttribute('aria-label', labels.record);
    this.#body.tabIndex = 0;
    this.#title.setAttribute('aria-live', 'polite');
    const head = element('div', 'record-head');
    head.append(
      this.#title,
      createIconButton({ label: labels.previousRow, sign: '↑', onClick: () => this.#moveBy(-1) }),
      createIconButton({ label: labels.nextRow, sign: '↓', onClick: () => this.#moveBy(1) }),
      createIconButton({ label: labels.close, sign: '×', onClick: () => this.close() }),
    );
    this.root.append(head, this.#body);
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** The row that the record needs, even when it is out of view. */
  get row(): number | undefined {
    return this.isOpen ? this.#options.selection.active.row : undefined;
  }

  open(): void {
    this.root.hidden = false;
    this.#body.focus();
    this.#options.view.refresh();
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

  /** Shows the active row. A row that is shown already stays as it is, with what the user unfolded. */
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
    if (!isSame(record, this.#shown)) this.#show(record);
  }

  dispose(): void {
    this.#controller.abort();
  }

  #show(record: ShownRecord): void {
    const { labels } = this.#options;
    const { row, cells } = record;
    this.#reset();
    this.#shown = record;
    // The focused element of the previous row goes away.
    if (this.#body.contains(document.activeElement)) focusHere(this.#body);
    if (row === undefined) {
      this.#title.textContent = labels.noRecord;
      this.#body.replaceChildren();
      return;
    }
    this.#title.textContent = fill(labels.recordOf, (row + 1).toLocaleString(pageLanguage()));
    this.#body.replaceChildren(cells ? this.#createFields(record, row, cells) : element('p', 'note', labels.loading));
  }

  #createFields({ columns, order }: ShownRecord, row: number, cells: GridRow): HTMLElement {
    const { labels, fetchCell } = this.#options;
    const { signal } = this.#controller;
    const fields = element('dl');
    const unaskedFetches = new UnaskedFetches();
    for (const index of order) {
      const column = columns[index];
      const value = cells[index];
      if (!column || !value) continue;
      const fetch = (maxLength: number): Promise<CellPart> => fetchCell({ row, column: index, maxLength }, signal);
      fields.append(new RecordField({ column, value, labels, unaskedFetches, fetch }).root);
    }
    return fields;
  }

  #reset(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#shown = undefined;
  }

  #moveBy(rows: number): void {
    const { view, selection } = this.#options;
    const { row, position } = selection.active;
    const target = { row: Math.max(0, Math.min(row + rows, view.rowCount - 1)), position };
    selection.start(target);
    view.reveal(target);
  }

  #onKey(event: KeyboardEvent): void {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    if (key === 'Escape') this.close();
    else if (key === 'ArrowUp') this.#moveBy(-1);
    else if (key === 'ArrowDown') this.#moveBy(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Compares the values too: a row that is fetched again is another object. */
const isSame = (one: ShownRecord, other: ShownRecord | undefined): boolean =>
  other !== undefined &&
  one.row === other.row &&
  one.columns === other.columns &&
  (one.cells === other.cells || JSON.stringify(one.cells) === JSON.stringify(other.cells)) &&
  one.order.every((column, i) => column === other.order[i]);
