import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import { columnKeys } from './gridKeys.ts';
import type { Selection } from '../selection/selection.ts';

export interface CellMenuOptions {
  readonly labels: GridLabels;
  readonly selection: Selection;
  readonly copy: (format: CopyFormat, headers: boolean) => void;
  /** Shows rows that have what the active cell has; undefined where that is not known as a whole. */
  readonly filterByValue: (() => void) | undefined;
  readonly openRecord: () => void;
  readonly exportAll: () => void;
  readonly giveBackFocus: () => void;
}

/** What can be done with the selected cells. */
export function openCellMenu(options: CellMenuOptions, place: PopupPlace): void {
  const { labels, selection, copy, filterByValue } = options;
  const copyAs = (label: string, format: CopyFormat, headers: boolean): MenuItem => ({
    label,
    run: () => copy(format, headers),
  });
  openMenu({
    label: labels.cellMenu,
    place,
    onClose: options.giveBackFocus,
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
      { label: labels.openRecord, keys: 'Space', run: options.openRecord },
      'line',
      { label: labels.selectRow, keys: 'Shift+Space', run: () => selection.growTo('rows') },
      { label: labels.selectColumn, keys: columnKeys, run: () => selection.growTo('columns') },
      { label: labels.selectAll, keys: 'Mod+A', run: () => selection.growTo('all') },
      'line',
      { label: labels.export, run: options.exportAll },
    ],
  });
}
