import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CellPart } from '../../../src/protocol/results.ts';
import type { Column } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { focusHere } from '../../ui/focus.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton } from '../../ui/iconButton.ts';
import type { GridRow } from '../rows/rowCache.ts';
import type { CellRequest } from '../hostCalls.ts';
import { RecordField } from './recordField.ts';
import './record.css';

export interface RecordViewOptions {
  readonly labels: GridLabels;
  readonly cell: (request: CellRequest, signal: AbortSignal) => Promise<CellPart>;
  /** Goes to the row before or behind. */
  readonly step: (rows: number) => void;
  readonly giveBackFocus: () => void;
  readonly closed: () => void;
}

export interface ShownRecord {
  /** Undefined where there are no rows, since none came or none passes the filters. */
  readonly row: number | undefined;
  readonly cells: GridRow | undefined;
  readonly columns: readonly Column[];
  /** The columns from the first to the last. */
  readonly order: readonly number[];
}

/** Beside the grid: one row with all that its cells hold. */
export class RecordView {
  readonly root = element('aside', 'record');
  readonly #options: RecordViewOptions;
  readonly #title = element('strong', 'record-title');
  readonly #body = element('div', 'record-body');
  #record: ShownRecord | undefined;
  #controller = new AbortController();

  constructor(options: RecordViewOptions) {
    this.#options = options;
    const { labels, step } = options;
    this.root.hidden = true;
    this.root.setAttribute('aria-label', labels.record);
    this.#body.tabIndex = 0;
    this.#title.setAttribute('aria-live', 'polite');
    const head = element('div', 'record-head');
    head.append(
      this.#title,
      createIconButton({ label: labels.previousRow, sign: '↑', onClick: () => step(-1) }),
      createIconButton({ label: labels.nextRow, sign: '↓', onClick: () => step(1) }),
      createIconButton({ label: labels.close, sign: '×', onClick: () => this.close() }),
    );
    this.root.append(head, this.#body);
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  open(): void {
    this.root.hidden = false;
    this.#body.focus();
  }

  close(): void {
    this.root.hidden = true;
    this.#forget();
    this.#options.closed();
    this.#options.giveBackFocus();
  }

  /** The same row again is left as it is, with what was unfolded in it. */
  show(record: ShownRecord): void {
    if (isSame(record, this.#record)) return;
    this.#forget();
    this.#record = record;
    // What is focused of the row before goes with it.
    if (this.#body.contains(document.activeElement)) focusHere(this.#body);
    const { labels, cell } = this.#options;
    const { row, cells, columns } = record;
    if (row === undefined) {
      this.#title.textContent = labels.noRecord;
      this.#body.replaceChildren();
      return;
    }
    this.#title.textContent = fill(labels.recordOf, (row + 1).toLocaleString(pageLanguage()));
    if (!cells) {
      this.#body.replaceChildren(element('p', 'note', labels.loading));
      return;
    }
    const { signal } = this.#controller;
    const fields = element('dl');
    for (const number of record.order) {
      const [column, value] = [columns[number], cells[number]];
      if (!column || !value) continue;
      const fetch = (maxLength: number): Promise<CellPart> => cell({ row, column: number, maxLength }, signal);
      fields.append(new RecordField({ column, value, labels, fetch }).root);
    }
    this.#body.replaceChildren(fields);
  }

  dispose(): void {
    this.#controller.abort();
  }

  #forget(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#record = undefined;
  }

  #onKey(event: KeyboardEvent): void {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    if (key === 'Escape') this.close();
    else if (key === 'ArrowUp') this.#options.step(-1);
    else if (key === 'ArrowDown') this.#options.step(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Rows that were pulled again are other objects, and the same to who reads them. */
const isSame = (one: ShownRecord, other: ShownRecord | undefined): boolean =>
  other !== undefined &&
  one.row === other.row &&
  one.columns === other.columns &&
  (one.cells === other.cells || JSON.stringify(one.cells) === JSON.stringify(other.cells)) &&
  one.order.every((column, i) => column === other.order[i]);
