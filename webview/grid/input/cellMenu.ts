import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { Selection } from '../selection/selection.ts';
import { selectColumnKeys } from '../columns/columnMenu.ts';
import { followKeys, goToRowKeys, referencingKeys } from './gridKeys.ts';

interface CellMenuOptions {
  readonly labels: GridLabels;
  readonly selection: Selection;
  readonly place: PopupPlace;
  readonly copy: (format: CopyFormat, headers: boolean) => void;
  /** Filters by the active cell's value; undefined if the page has only the beginning of it. */
  readonly filterByValue: ((not: boolean) => void) | undefined;
  readonly editItems: readonly MenuItem[];
  readonly openRecord: () => void;
  /** Set if the active cell has a foreign key: the table that it refers to. */
  readonly references: string | undefined;
  readonly follow: () => void;
  /** Set for the rows of a table, to which others may refer. */
  readonly showReferencing: (() => void) | undefined;
  /** Set if the active row is a line of a script log. */
  readonly goToStatement: (() => void) | undefined;
  /** Set if that line has the place of an error. */
  readonly goToError: (() => void) | undefined;
  readonly goToRow: () => void;
  readonly exportAll: () => void;
  readonly restoreFocus: () => void;
}

/** Opens the menu of the selected cells. */
export function openCellMenu(options: CellMenuOptions): void {
  const { labels, place, copy, filterByValue, openRecord, goToRow, exportAll, restoreFocus } = options;
  openMenu({
    label: labels.cellMenu,
    place,
    onClose: restoreFocus,
    items: [
      ...lineItems(options),
      ...options.editItems,
      { label: labels.copy, keys: 'Mod+C', run: () => copy('tsv', false) },
      { label: labels.copyWithHeaders, keys: 'Mod+Shift+C', run: () => copy('tsv', true) },
      { label: labels.copyAs, items: copyItems(options) },
      'line',
      { label: labels.filterByValue, disabled: !filterByValue, run: () => filterByValue?.(false) },
      { label: labels.filterOutValue, disabled: !filterByValue, run: () => filterByValue?.(true) },
      'line',
      ...followItems(options),
      ...referencingItems(options),
      { label: labels.openRecord, keys: 'Space', run: openRecord },
      { label: labels.goToRow, keys: goToRowKeys, run: goToRow },
      { label: labels.selectGroup, items: selectItems(options) },
      { label: labels.export, run: exportAll },
    ],
  });
}

const followItems = ({ labels, references, follow }: CellMenuOptions): MenuItem[] =>
  references === undefined
    ? []
    : [{ label: fill(labels.follow, visibleText(references)), keys: followKeys, run: follow }];

const referencingItems = ({ labels, showReferencing }: CellMenuOptions): MenuItem[] =>
  showReferencing ? [{ label: labels.showReferencing, keys: referencingKeys, run: showReferencing }] : [];

function lineItems({ labels, goToStatement, goToError }: CellMenuOptions): MenuItem[] {
  if (!goToStatement) return [];
  return [
    { label: labels['action.goToStatement'], keys: 'Enter', run: goToStatement },
    ...(goToError ? [{ label: labels['action.goToError'], keys: followKeys, run: goToError }] : []),
    'line',
  ];
}

function copyItems({ labels, copy }: CellMenuOptions): MenuItem[] {
  const copyAs = (label: string, format: CopyFormat, headers: boolean): MenuItem => ({
    label,
    run: () => copy(format, headers),
  });
  return [
    copyAs(labels.copyCsv, 'csv', true),
    copyAs(labels.copyCsvRows, 'csv', false),
    copyAs(labels.copyJson, 'json', true),
    copyAs(labels.copyMarkdown, 'markdown', true),
    copyAs(labels.copyInsert, 'insert', true),
    copyAs(labels.copyInList, 'inList', false),
  ];
}

const selectItems = ({ labels, selection }: CellMenuOptions): MenuItem[] => [
  { label: labels.selectRow, keys: 'Shift+Space', run: () => selection.growTo('rows') },
  { label: labels.selectColumn, keys: selectColumnKeys, run: () => selection.growTo('columns') },
  { label: labels.selectAll, keys: 'Mod+A', run: () => selection.growTo('all') },
];
