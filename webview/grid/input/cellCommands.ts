import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { ColumnFilter, CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type ShownValue, textOf } from '../../../src/wire/values.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { ColumnLayout } from '../columns/columnLayout.ts';
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
  readonly failed: (thrown: unknown) => void;
  readonly openRecord: () => void;
  readonly giveBackFocus: () => void;
}

/** What people do with the cells that they selected. */
export class CellCommands {
  readonly #options: CellCommandsOptions;
  #copying = new AbortController();

  constructor(options: CellCommandsOptions) {
    this.#options = options;
    const { root } = options.view;
    // The menu of the application copies as well.
    root.addEventListener('copy', event => {
      event.preventDefault();
      this.copy('tsv', false);
    });
    root.addEventListener('dblclick', ({ clientX, clientY }) => {
      // The event goes to who followed the pointer, so what is below it has to be looked up.
      if (document.elementFromPoint(clientX, clientY)?.closest('[role="gridcell"]')) options.openRecord();
    });
  }

  /** The host copies, since the page has only what is looked at. What is copied last is what the clipboard shall have. */
  copy(format: CopyFormat, headers: boolean): void {
    const { calls, failed, selection, view, layout } = this.#options;
    const ranges = selection.ranges(view.rowCount, layout.shown);
    if (ranges.length === 0) return;
    this.#copying.abort();
    const { signal } = (this.#copying = new AbortController());
    void calls.copy({ ranges, format, headers }, signal).catch((thrown: unknown) => {
      if (!signal.aborted) failed(thrown);
    });
  }

  openMenu(place: PopupPlace): void {
    const { labels, selection, arranger, layout, calls, failed, openRecord, giveBackFocus } = this.#options;
    const filter = this.#filterByValue();
    openCellMenu(
      {
        ...{ labels, selection, openRecord, giveBackFocus },
        copy: (format, headers) => this.copy(format, headers),
        filterByValue: filter && (() => arranger.filter(filter.column, filter)),
        exportAll: () => void calls.export(layout.shown).catch(failed),
      },
      place,
    );
  }

  #filterByValue(): ColumnFilter | undefined {
    const { selection, layout, cache } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const value: ShownValue | undefined = cache.get(selection.active.row)?.[column];
    if (!value || value.length !== undefined) return undefined;
    if (value.kind === 'null') return { kind: 'null', column, isNull: true };
    return { kind: 'equals', column, text: textOf(value) };
  }
}
