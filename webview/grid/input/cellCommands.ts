import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { ColumnFilter, CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type ShownValue, textOf } from '../../../src/wire/values.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridView } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import type { RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { openCellMenu } from './cellMenu.ts';

export interface CellCommandsOptions {
  readonly labels: GridLabels;
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly arranger: Arranger;
  readonly cache: RowCache;
  readonly calls: HostCalls;
  readonly onFailed: (thrown: unknown) => void;
  readonly openRecord: () => void;
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
    root.addEventListener('dblclick', ({ clientX, clientY }) => {
      // The target is the element that captured the pointer. Find the one below the pointer.
      if (document.elementFromPoint(clientX, clientY)?.closest('[role="gridcell"]')) options.openRecord();
    });
  }

  /** The host copies, since the page has only the rows in view. A new copy aborts the pending one. */
  copy(format: CopyFormat, headers: boolean): void {
    const { calls, onFailed, selection, view, layout } = this.#options;
    const ranges = selection.ranges(view.rowCount, layout.shown);
    if (ranges.length === 0) return;
    this.#copying.abort();
    this.#copying = new AbortController();
    const { signal } = this.#copying;
    void calls.copy({ ranges, format, headers }, signal).catch((thrown: unknown) => {
      if (!signal.aborted) onFailed(thrown);
    });
  }

  openMenu(place: PopupPlace): void {
    const { labels, selection, arranger, layout, calls, onFailed, openRecord, restoreFocus } = this.#options;
    const filter = this.#filterByValue();
    openCellMenu({
      labels,
      selection,
      place,
      copy: (format, headers) => this.copy(format, headers),
      filterByValue: filter && (() => arranger.filter(filter.column, filter)),
      openRecord,
      exportAll: () => void calls.export(layout.shown).catch(onFailed),
      restoreFocus,
    });
  }

  /** The filter for rows with the active cell's value. The page may have only the beginning of a long value. */
  #filterByValue(): ColumnFilter | undefined {
    const { selection, layout, cache } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const value: ShownValue | undefined = cache.get(selection.active.row)?.[column];
    if (!value || value.length !== undefined) return undefined;
    if (value.kind === 'null') return { kind: 'null', column, isNull: true };
    return { kind: 'equals', column, text: textOf(value) };
  }
}
