import type { CellRange, ColumnFilter, CopyFormat } from '../../../src/protocol/rowQueries.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { EditCommands } from '../editing/editCommands.ts';
import type { GridParts } from '../gridView.ts';
import type { RecordView } from '../record/recordView.ts';
import { blobLiteral, blobOf } from '../values/blob.ts';
import { linkLabel } from '../values/cellContent.ts';
import { t } from '@vscode/l10n';
import { visibleText } from '../../ui/visibleText.ts';
import { selectColumnKeys } from '../columns/columnCommands.ts';
import { followKeys, goToRowKeys, showReferencingKeys } from './gridKeys.ts';

interface CellCommandsOptions extends GridParts {
  readonly isOfTable: () => boolean;
  readonly edits: EditCommands;
  readonly record: RecordView;
  readonly goToRow: () => void;
  readonly exportRows: () => void;
}

export class CellCommands {
  readonly #options: CellCommandsOptions;
  #copying = new AbortController();

  constructor(options: CellCommandsOptions) {
    this.#options = options;
    const { root } = options.view;
    // VS Code's Edit menu copies, too.
    root.addEventListener('copy', event => {
      event.preventDefault();
      this.copy('tsv', false);
    });
    root.addEventListener('click', ({ clientX, clientY }) => {
      // The target is the element that captured the pointer, not the one below the pointer.
      const link = document.elementFromPoint(clientX, clientY)?.closest('.follow');
      if (link && !this.goToLine(link.classList.contains('words'))) this.follow();
    });
    root.addEventListener('dblclick', ({ clientX, clientY }) => {
      // As for a click.
      const target = document.elementFromPoint(clientX, clientY);
      if (!target?.closest('[role="gridcell"]') || target.closest('.follow') || this.goToLine(false)) return;
      if (!options.edits.open()) options.record.open();
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
    const { selection, edits, record, goToRow, exportRows, restoreFocus } = this.#options;
    openMenu({
      label: t('Cells'),
      place,
      onClose: restoreFocus,
      items: [
        ...this.#lineItems(),
        ...edits.menuItems(),
        { label: t('Copy'), keys: 'Mod+C', run: () => this.copy('tsv', false) },
        { label: t('Copy with Headers'), keys: 'Mod+Shift+C', run: () => this.copy('tsv', true) },
        { label: t('Copy as'), items: this.#copyItems() },
        'line',
        ...this.#filterItems(),
        'line',
        ...this.#referenceItems(),
        { label: t('Show Record'), keys: 'Space', run: () => record.open() },
        { label: t('Go to Row…'), keys: goToRowKeys, run: goToRow },
        {
          label: t('Select'),
          items: [
            { label: t('Row'), keys: 'Shift+Space', run: () => selection.growTo('rows') },
            { label: t('Select Column'), keys: selectColumnKeys, run: () => selection.growTo('columns') },
            { label: t('All'), keys: 'Mod+A', run: () => selection.growTo('all') },
          ],
        },
        { label: t('Export…'), run: exportRows },
      ],
    });
  }

  /** Goes where the active row leads. If it leads nowhere, shows or hides the record. */
  open(): void {
    if (!this.goToLine(false)) this.#options.record.toggle();
  }

  /** Goes where the row leads, or with `toError` to the error of a line in a script log. Returns false if it leads nowhere. */
  goToLine(toError: boolean): boolean {
    const { calls, selection, onFailed } = this.#options;
    const { row } = selection.active;
    const link = this.#rowLink;
    if (!link) return false;
    const isLine = link === 'statement';
    const going = isLine ? calls.send('goToLine', { row, error: toError }) : calls.send('follow', { row, column: 0 });
    void going.catch(onFailed);
    return true;
  }

  /** Goes to the row that the foreign key in the active cell refers to, or to the error of the active line. */
  follow(): void {
    const { calls, selection, layout, cache, view, onFailed } = this.#options;
    if (cache.hasError(selection.active.row)) return void this.goToLine(true);
    const { row, position } = selection.active;
    const column = layout.columnAt(position);
    // A row that is loading may have a value: the host reads it.
    const isNull = cache.get(row)?.[column]?.kind === 'null';
    if (isNull || view.columns[column]?.references === undefined) return;
    void calls.send('follow', { row, column }).catch(onFailed);
  }

  /** Shows rows of other tables that refer to the active row. */
  showReferencing(): void {
    const { calls, selection, isOfTable, onFailed } = this.#options;
    if (isOfTable()) void calls.send('showReferencing', { row: selection.active.row }).catch(onFailed);
  }

  /** Where the active row leads: a line of a script log to its statement, a group to its rows, and a found value to its row. */
  get #rowLink() {
    const { selection, view, cache } = this.#options;
    const column = view.columns.findIndex(({ leadsTo }) => leadsTo !== undefined && leadsTo !== 'error');
    const { leadsTo } = view.columns[column] ?? {};
    if (leadsTo === 'groupedRows') return view.rowCount > 0 ? leadsTo : undefined;
    return (cache.get(selection.active.row)?.[column]?.kind ?? 'null') === 'null' ? undefined : leadsTo;
  }

  #lineItems(): MenuItem[] {
    const { selection, cache } = this.#options;
    const link = this.#rowLink;
    if (!link) return [];
    const hasError = cache.hasError(selection.active.row);
    return [
      { label: linkLabel(link) ?? '', keys: 'Enter', run: () => this.goToLine(false) },
      ...(hasError ? [{ label: t('Go to Error'), keys: followKeys, run: () => this.goToLine(true) }] : []),
      'line',
    ];
  }

  #copyItems(): MenuItem[] {
    const copyAs = (label: string, format: CopyFormat, headers: boolean): MenuItem => ({
      label,
      run: () => this.copy(format, headers),
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

  #filterItems(): MenuItem[] {
    const { arranger } = this.#options;
    const filter = this.#filterByValue();
    const disabled = !filter;
    return [
      { label: t('Filter by This Value'), disabled, run: () => filter && arranger.filter(filter.column, filter) },
      {
        label: t('Filter Out This Value'),
        disabled,
        run: () => filter && arranger.filter(filter.column, negated(filter)),
      },
    ];
  }

  /** The row that the active cell refers to, and the rows that refer to the active row. */
  #referenceItems(): MenuItem[] {
    const { selection, layout, cache, view, isOfTable } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const table = view.columns[column]?.references;
    const hasValue = (cache.get(selection.active.row)?.[column]?.kind ?? 'null') !== 'null';
    const follow = {
      label: t('Go to Row in {0}', visibleText(table ?? '')),
      keys: followKeys,
      run: () => this.follow(),
    };
    const label = t('Show Referencing Rows…');
    return [
      ...(table !== undefined && hasValue ? [follow] : []),
      ...(isOfTable() ? [{ label, keys: showReferencingKeys, run: () => this.showReferencing() }] : []),
    ];
  }

  /** The filter for the active cell's value. Undefined for a long value, of which the page has only the beginning. */
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
