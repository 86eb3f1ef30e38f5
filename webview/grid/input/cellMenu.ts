import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Selection } from '../selection/selection.ts';
import { selectColumnKeys } from '../columns/columnMenu.ts';

export interface CellMenuOptions {
  readonly labels: GridLabels;
  readonly selection: Selection;
  readonly place: PopupPlace;
  readonly copy: (format: CopyFormat, headers: boolean) => void;
  /** Filters by the active cell's value; undefined if the page has only the beginning of it. */
  readonly filterByValue: (() => void) | undefined;
  readonly openRecord: () => void;
  readonly exportAll: () => void;
  readonly restoreFocus: () => void;
}

/** Opens the menu of the selected cells. */
export function openCellMenu(options: CellMenuOptions): void {
  const { labels, selection, place, copy, filterByValue, openRecord, exportAll, restoreFocus } = options;
  const copyAs = (label: string, format: CopyFormat, headers: boolean): MenuItem => ({
    label,
    run: () => copy(format, headers),
  });
  openMenu({
    label: labels.cellMenu,
    place,
    onClose: restoreFocus,
    items: [
      { label: labels.copy, keys: 'Mod+C', run: () => copy('tsv', false) },
      { label: labels.copyWithHeaders, keys: 'Mod+Shift+C', run: () => copy('tsv', true) },
      copyAs(labels.copyCsv, 'csv', true),
      copyAs(labels.copyCsvRows, 'csv', false),
      copyAs(labels.copyJson, 'json', true),
      copyAs(labels.copyMarkdown, 'markdown', true),
      copyAs(labels.copyInsert, 'insert', true),
      copyAs(labels.copyInList, 'inList', false),
      'line',
      { label: labels.filterByValue, disabled: !filterByValue, run: () => filterByValue?.() },
      { label: labels.openRecord, keys: 'Space', run: openRecord },
      'line',
      { label: labels.selectRow, keys: 'Shift+Space', run: () => selection.growTo('rows') },
      { label: labels.selectColumn, keys: selectColumnKeys, run: () => selection.growTo('columns') },
      { label: labels.selectAll, keys: 'Mod+A', run: () => selection.growTo('all') },
      'line',
      { label: labels.export, run: exportAll },
    ],
  });
}
