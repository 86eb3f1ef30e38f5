import type { CellRange, ColumnFilter, CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridView } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import type { RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { blobLiteral, blobOf } from '../values/blob.ts';
import { t } from '@vscode/l10n';
import { visibleText } from '../../ui/visibleText.ts';
import { selectColumnKeys } from '../columns/columnMenu.ts';
import { followKeys, goToRowKeys, referencingKeys } from './gridKeys.ts';

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
function openCellMenu(options: CellMenuOptions): void {
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
