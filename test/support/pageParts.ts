import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The line that counts the pending edits of a table, and saves them. */
export const editBar = (place: FrameLocator | Page): Locator =>
  place.getByRole('group', { name: 'Pending edits', exact: true });

/** The messages and problems below the rows. */
export const messagesIn = (page: Page): Locator => page.locator('.notices');

type Place = FrameLocator | Locator | Page;

/** Waits until a text is shown, once or several times. */
export const waitForText = (place: Place, text: string | RegExp): Promise<void> =>
  place.getByText(text).first().waitFor();

/** The cell that has the focus of the grid: that of its row and column, or any. */
export const activeCell = (place: Place, column?: number): Locator =>
  place.locator(column === undefined ? '#active-cell' : `#active-cell[aria-colindex="${column}"]`);

/** Cells that cannot be saved as they are. */
export const problemCells = (place: Place): Locator => place.locator('[data-problem]');

export const editedCells = (place: Place): Locator => place.locator('[data-edit="edited"]');

export const deletedRows = (place: Place): Locator => place.locator('[data-edits="deleted"]');

/** The picture of a key in a column's header. */
export const keyPicture = (header: Locator, kind: 'primaryKey' | 'foreignKey'): Locator =>
  header.locator(`[data-icon="${kind}"]`);

/** Cells whose value has not come yet, or is NULL. */
export const cellsOfKind = (place: Place, kind: 'loading' | 'null'): Locator => place.locator(`[data-kind="${kind}"]`);

/*
 * Some parts of a page are only for the eye or for the mouse: they have no role and no name. Tests find them by class,
 * and read the classes from here.
 */

/** The edge of a column's header, which resizes the column. */
export const columnEdge = (header: Locator): Locator => header.locator('.edge');

/** The sign of a run that has not ended. Words beside it say the same. */
export const runSpinner = (page: Page): Locator => page.locator('footer .spinner');

/** Selectors of texts and signs that tests measure. */
export const measuredParts = {
  cell: '.row:not(.header) .cell:not(.selected)',
  selectedCell: '.row:not(.header) .cell.selected',
  selectedFrozenCell: '.fixed > .cell.selected',
  editedCell: '.cell[data-edit]',
  deletedCell: '[data-edits="deleted"] .cell',
  deletedEditedCell: '[data-edits="deleted"] .cell[data-edit]',
  invalidCell: '.cell[data-problem]',
  invalidEditedCell: '.cell[data-edit][data-problem]',
  nullInStripe: '.row.odd .cell[data-kind="null"]',
  emptyText: '.cell[data-mark]',
  selectedEmptyText: '.cell.selected[data-mark]',
  characterMark: '.cell .mark',
  selectedCharacterMark: '.cell.selected .mark',
  columnName: '.header .name',
  columnKey: '.header .key',
  columnType: '.header .type',
  columnMarks: '.header .marks',
  filterField: '.filters .filter-field',
  filterPicture: '.filters .picture',
  chipText: '.chip button.plain:first-child',
  chipIcon: '.chip button.icon',
  recordName: '.record-name',
  recordType: '.record-type',
  recordSize: '.record-size',
  recordNull: '.record .null',
  recordValue: '.record dd',
  menuLabel: '.menu-item:not([aria-disabled="true"]) .menu-label',
  focusedMenuLabel: '.menu-item:focus .menu-label',
  filterFormTitle: '.filter-form .title',
  filterFormLabel: '.filter-form .form-field:not([hidden])',
  listedValue: '.value-option .value',
  listedValueCount: '.value-option .count',
} as const;
