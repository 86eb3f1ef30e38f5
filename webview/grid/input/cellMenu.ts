import { t } from '@vscode/l10n';
import type { CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { Selection } from '../selection/selection.ts';
import { selectColumnKeys } from '../columns/columnMenu.ts';
import { followKeys, goToRowKeys, referencingKeys } from './gridKeys.ts';

interface CellMenuOptions {
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
  const { place, copy, filterByValue, openRecord, goToRow, exportAll, restoreFocus } = options;
  openMenu({
    label: t('Cells'),
    place,
    onClose: restoreFocus,
    items: [
      ...lineItems(options),
      ...options.editItems,
      { label: t('Copy'), keys: 'Mod+C', run: () => copy('tsv', false) },
      { label: t('Copy with Headers'), keys: 'Mod+Shift+C', run: () => copy('tsv', true) },
      { label: t('Copy as'), items: copyItems(options) },
      'line',
      { label: t('Filter by This Value'), disabled: !filterByValue, run: () => filterByValue?.(false) },
      { label: t('Filter Out This Value'), disabled: !filterByValue, run: () => filterByValue?.(true) },
      'line',
      ...followItems(options),
      ...referencingItems(options),
      { label: t('Show Record'), keys: 'Space', run: openRecord },
      { label: t('Go to Row…'), keys: goToRowKeys, run: goToRow },
      { label: t('Select'), items: selectItems(options) },
      { label: t('Export…'), run: exportAll },
    ],
  });
}

const followItems = ({ references, follow }: CellMenuOptions): MenuItem[] =>
  references === undefined
    ? []
    : [{ label: t('Go to Row in {0}', visibleText(references)), keys: followKeys, run: follow }];

const referencingItems = ({ showReferencing }: CellMenuOptions): MenuItem[] =>
  showReferencing ? [{ label: t('Show Referencing Rows…'), keys: referencingKeys, run: showReferencing }] : [];

function lineItems({ goToStatement, goToError }: CellMenuOptions): MenuItem[] {
  if (!goToStatement) return [];
  return [
    { label: t('Go to Statement'), keys: 'Enter', run: goToStatement },
    ...(goToError ? [{ label: t('Go to Error'), keys: followKeys, run: goToError }] : []),
    'line',
  ];
}

function copyItems({ copy }: CellMenuOptions): MenuItem[] {
  const copyAs = (label: string, format: CopyFormat, headers: boolean): MenuItem => ({
    label,
    run: () => copy(format, headers),
  });
  return [
    copyAs(t('CSV'), 'csv', true),
    copyAs(t('CSV without Headers'), 'csv', false),
    copyAs(t('JSON'), 'json', true),
    copyAs(t('Markdown'), 'markdown', true),
    copyAs(t('INSERT'), 'insert', true),
    copyAs(t('IN List'), 'inList', false),
  ];
}

const selectItems = ({ selection }: CellMenuOptions): MenuItem[] => [
  { label: t('Row'), keys: 'Shift+Space', run: () => selection.growTo('rows') },
  { label: t('Select Column'), keys: selectColumnKeys, run: () => selection.growTo('columns') },
  { label: t('All'), keys: 'Mod+A', run: () => selection.growTo('all') },
];
