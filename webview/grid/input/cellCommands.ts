import type { CellRange, ColumnFilter, CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import type { MenuItem } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridView } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import type { RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { blobLiteral, blobOf } from '../values/blobCell.ts';
import { openCellMenu } from './cellMenu.ts';

interface CellCommandsOptions {
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly arranger: Arranger;
  readonly cache: RowCache;
  readonly calls: HostCalls;
  readonly onFailed: (thrown: unknown) => void;
  /** Whether the rows are those of a table. */
  readonly isOfTable: () => boolean;
  /** The entries of the menu that edit cells. */
  readonly editItems: () => readonly MenuItem[];
  /** Opens the active cell for editing. Returns false if that is not possible. */
  readonly edit: () => boolean;
  readonly openRecord: () => void;
  readonly toggleRecord: () => void;
  readonly goToRow: () => void;
  readonly restoreFocus: () => void;
}

/** Copies, filters by and exports the selected cells. */
export class CellCommands {
  readonly #options: CellCommandsOptions;
  #copying = new AbortController();

  constructor(options: CellCommandsOptions) {
    this.#options = options;
    const { root } = options.view;
    // The menu of the application copies, too.
    root.addEventListener('copy', event => {
      event.preventDefault();
      this.copy('tsv', false);
    });
    root.addEventListener('click', ({ clientX, clientY }) => {
      // The target is the element that captured the pointer.
      const link = document.elementFromPoint(clientX, clientY)?.closest('.follow');
      if (link && !this.goToLine(link.classList.contains('words'))) this.follow();
    });
    root.addEventListener('dblclick', ({ clientX, clientY }) => {
      // The target is the element that captured the pointer. Find the one below the pointer.
      const target = document.elementFromPoint(clientX, clientY);
      if (!target?.closest('[role="gridcell"]') || target.closest('.follow') || this.goToLine(false)) return;
      if (!options.edit()) options.openRecord();
    });
  }

  /** The host copies, since the page has only the rows in view. A new copy aborts the pending one. */
  copy(format: CopyFormat, headers: boolean): void {
    const { selection, view, layout } = this.#options;
    this.copyRanges(selection.ranges(view.rowCount, layout.shown), format, headers);
  }

  copyRanges(ranges: readonly CellRange[], format: CopyFormat, headers: boolean): void {
    if (ranges.length === 0) return;
    const { calls, onFailed } = this.#options;
    this.#copying.abort();
    this.#copying = new AbortController();
    const { signal } = this.#copying;
    void calls.send('copy', { ranges, format, headers }, signal).catch((thrown: unknown) => {
      if (!signal.aborted) onFailed(thrown);
    });
  }

  openMenu(place: PopupPlace): void {
    const { selection, arranger, layout, view, cache, calls, onFailed } = this.#options;
    const { editItems, isOfTable, openRecord, goToRow, restoreFocus } = this.#options;
    const filter = this.#filterByValue();
    const selectedRanges = selection.isOneCell ? [] : selection.disjointRanges(view.rowCount, layout.shown);
    openCellMenu({
      selection,
      place,
      copy: (format, headers) => this.copy(format, headers),
      filterByValue: filter && (not => arranger.filter(filter.column, not ? negated(filter) : filter)),
      openRecord,
      editItems: editItems(),
      references: this.#references(),
      follow: () => this.follow(),
      showReferencing: isOfTable() ? () => this.showReferencing() : undefined,
      goToStatement: this.#isLine ? () => void this.goToLine(false) : undefined,
      goToError: cache.hasError(selection.active.row) ? () => void this.goToLine(true) : undefined,
      goToRow,
      exportAll: () => void calls.export(layout.shown, selectedRanges).catch(onFailed),
      restoreFocus,
    });
  }

  /** Goes to the statement of the active line, or shows another row as a record. */
  open(): void {
    if (!this.goToLine(false)) this.#options.toggleRecord();
  }

  /**
   * Goes to the statement of the active line, or with `toError` to the error in it. Returns false without a line: the rows are
   * not those of a script log, or the document of the statement was gone.
   */
  goToLine(toError: boolean): boolean {
    const { calls, selection, onFailed } = this.#options;
    if (!this.#isLine) return false;
    void calls.send('goToLine', { row: selection.active.row, error: toError }).catch(onFailed);
    return true;
  }

  /** Goes to the row that the foreign key in the active cell refers to, or to the error of the active line. */
  follow(): void {
    const { calls, selection, layout, cache, view, onFailed } = this.#options;
    if (cache.hasError(selection.active.row)) return void this.goToLine(true);
    const { row, position } = selection.active;
    const column = layout.columnAt(position);
    // A row that is on its way may have a value: the host reads it.
    const isNull = cache.get(row)?.[column]?.kind === 'null';
    if (isNull || view.columns[column]?.references === undefined) return;
    void calls.send('follow', { row, column }).catch(onFailed);
  }

  /** Shows the rows of other tables that refer to the active row of a table. */
  showReferencing(): void {
    const { calls, selection, isOfTable, onFailed } = this.#options;
    if (isOfTable()) void calls.send('showReferencing', { row: selection.active.row }).catch(onFailed);
  }

  /** Whether the active row is a line of a script log, with a place in a document. */
  get #isLine(): boolean {
    const { selection, view, cache } = this.#options;
    const column = view.columns.findIndex(({ leadsTo }) => leadsTo === 'statement');
    return (cache.get(selection.active.row)?.[column]?.kind ?? 'null') !== 'null';
  }

  /** The table that the active cell refers to. NULL refers to nothing. */
  #references(): string | undefined {
    const { selection, layout, cache, view } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const kind = cache.get(selection.active.row)?.[column]?.kind ?? 'null';
    return kind === 'null' ? undefined : view.columns[column]?.references;
  }

  /** The filter for rows with the active cell's value. The page may have only the beginning of a long value. */
  #filterByValue(): ColumnFilter | undefined {
    const { selection, layout, cache, view } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const value: ShownValue | undefined = cache.get(selection.active.row)?.[column];
    if (!value || value.length !== undefined) return undefined;
    if (value.kind === 'null') return { kind: 'null', column, isNull: true };
    const blob = blobOf(value, view.columns[column]?.type ?? '');
    return { kind: 'equals', column, text: blob ? blobLiteral(blob) : textOf(value) };
  }
}

function negated(filter: ColumnFilter): ColumnFilter {
  return filter.kind === 'null' ? { ...filter, isNull: !filter.isNull } : { ...filter, not: true };
}
