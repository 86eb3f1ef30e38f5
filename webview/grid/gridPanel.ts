import { t } from '@vscode/l10n';
import type { ResultView, RowWindow } from '../../src/protocol/results.ts';
import { type CellRange, hasSameFilters } from '../../src/protocol/rowQueries.ts';
import { element, setText } from '../ui/element.ts';
import { focusHere } from '../ui/focus.ts';
import type { PopupPlace } from '../ui/popup.ts';
import { visibleText } from '../ui/visibleText.ts';
import { ArrangementBar, type FilterParts } from './arrange/arrangementBar.ts';
import { Arranger } from './arrange/arranger.ts';
import { FilterRow } from './arrange/filterRow.ts';
import { ColumnCommands } from './columns/columnCommands.ts';
import { ChangedCells } from './comparison/changedCells.ts';
import { createComparisonBar } from './comparisonBar.ts';
import { ColumnLayout, minColumnWidth } from './columnLayout.ts';
import { AutomaticWidths } from './columns/automaticWidths.ts';
import { FindBar, highlightMatches } from './find/findBar.ts';
import { Footer, RowCountAnnouncer } from './footer/footer.ts';
import type { GridTool } from './actionBar.ts';
import { ChartSwitch } from './chart/chartSwitch.ts';
import { measureFont } from './gridFont.ts';
import { gridHelp } from './gridHelp.ts';
import { GridMemory } from './gridMemory.ts';
import { type GridParts, GridView } from './gridView.ts';
import { type CallHost, HostCalls, isOutdated } from './hostCalls.ts';
import { EditCommands } from './editing/editCommands.ts';
import { CellCommands } from './input/cellCommands.ts';
import { listenToGrid } from './input/gridListeners.ts';
import { Profiles } from './profile/profiles.ts';
import { ProfileRow } from './profile/profileRow.ts';
import { RecordView } from './record/recordView.ts';
import { type FetchRows, RowCache } from './rows/rowCache.ts';
import { isUnavailable, messageFor } from './resultTexts.ts';
import { Selection } from './selection/selection.ts';
import './gridPanel.css';

interface GridPanelOptions {
  /** The panel puts itself into this element before it measures the font. */
  readonly parent: HTMLElement;
  readonly view: ResultView;
  readonly first: RowWindow;
  readonly call: CallHost;
  /** The panel adds the place and the sums here. */
  readonly status: HTMLElement;
  /** Shows its own failures. */
  readonly fetch: FetchRows;
  /** Shows failures of all other calls. */
  readonly onFailed: (thrown: unknown) => void;
  /** Fetches a row of a browsed table, and activates a cell of it. */
  readonly jump: (row: number, column: number | undefined) => Promise<void>;
  readonly onPainted: () => void;
}

/** The grid of one result: above it a line with find and filters, beside it the record. */
export class GridPanel {
  readonly root = element('section', 'grid-panel');
  readonly #options: GridPanelOptions;
  readonly #calls: HostCalls;
  readonly #changes: ChangedCells | undefined;
  readonly #comparison: ReturnType<typeof createComparisonBar> | undefined;
  readonly #layout: ColumnLayout;
  readonly #widths: AutomaticWidths;
  readonly #selection = new Selection(() => this.#onSelected());
  readonly #cache: RowCache;
  readonly #memory: GridMemory;
  readonly #arranger: Arranger;
  readonly #columns: ColumnCommands;
  readonly #filters: ArrangementBar;
  readonly #filterRow: FilterRow;
  readonly #profiles: Profiles;
  readonly #find: FindBar;
  readonly #record: RecordView;
  readonly #footer: Footer;
  readonly #announcer = new RowCountAnnouncer();
  readonly #cells: CellCommands;
  readonly view: GridView;
  readonly edits: EditCommands;
  readonly chart: ChartSwitch;
  readonly #empty = element('p', 'message empty');
  readonly #body = element('div', 'grid-body');
  #shownView: ResultView;

  constructor(options: GridPanelOptions) {
    const { parent, view, first, call, fetch, onFailed } = options;
    parent.prepend(this.root);
    this.#options = options;
    this.#shownView = view;
    const font = measureFont(this.root);
    const { comparison } = view;
    this.#changes = comparison && new ChangedCells(() => this.#shownView.comparison ?? comparison, view.columns);
    this.#calls = new HostCalls(call, view.runId, view.orderVersion);
    this.#layout = new ColumnLayout(view.columns.map(() => minColumnWidth));
    for (const column of this.#changes?.hiddenColumns ?? []) this.#layout.hide(column);
    this.#widths = new AutomaticWidths({
      view,
      changes: this.#changes,
      first,
      layout: this.#layout,
      font,
      panel: parent,
      onChanged: () => this.view?.repaint(),
    });
    this.#cache = new RowCache({
      columnCount: view.columns.length,
      orderVersion: view.orderVersion,
      fetch,
      onLoaded: () => {
        this.#widths.offer(row => this.#cache.get(row));
        this.view.showLoaded();
        this.edits.onRows();
      },
    });
    this.#cache.addFirstRows(first);
    this.#arranger = new Arranger({
      arrange: (arrangement, signal) => this.#calls.send('arrange', { arrangement }, signal),
      onFailed,
      onChanged: () => this.#onArrangement(),
    });
    const filterParts: FilterParts = {
      arranger: this.#arranger,
      nameOf: column => this.#columns.nameOf(column),
      isNumeric: column => this.view.isNumeric(column),
      editFilter: (column, place) => this.#columns.openFilter(column, place),
    };
    this.#filterRow = new FilterRow({
      ...filterParts,
      rowHeight: font.rowHeight,
      show: isShown => this.#calls.send('showFilterRow', { shown: isShown }).catch(onFailed),
      revealColumn: position => this.view.revealColumn(position),
      leave: column => {
        if (column !== undefined) this.#reveal(this.#selection.active.row, column);
        this.focus();
      },
    });
    this.#profiles = new Profiles({
      load: (query, signal) => this.#calls.send('profile', { query }, signal),
      onChanged: () => this.view.refresh(),
      onFailed,
    });
    this.view = new GridView({
      columns: view.columns,
      sample: first.rows,
      layout: this.#layout,
      selection: this.#selection,
      cache: this.#cache,
      changes: this.#changes,
      font,
      filterRow: this.#filterRow,
      profileRow: new ProfileRow({
        ...filterParts,
        profiles: this.#profiles,
        openPanel: (column, place) => this.#columns.openProfile(column, place),
      }),
      arrangement: () => this.#arranger.latest,
      extraRow: () => this.#record.row,
      onPainted: rows => this.#onPainted(rows),
    });
    const parts: GridParts = {
      view: this.view,
      layout: this.#layout,
      widths: this.#widths,
      selection: this.#selection,
      arranger: this.#arranger,
      cache: this.#cache,
      changes: this.#changes,
      calls: this.#calls,
      font,
      onFailed,
      restoreFocus: () => this.focus(),
    };
    this.#columns = new ColumnCommands(parts);
    this.#filters = new ArrangementBar({ ...filterParts, restoreFocus: parts.restoreFocus });
    // The page makes these calls by itself, and repeats them for a new order.
    const onUnaskedFailed = (thrown: unknown): void => {
      if (!isOutdated(thrown)) onFailed(thrown);
    };
    this.#find = new FindBar({
      ...parts,
      find: (step, signal) => this.#calls.send('find', { step }, signal),
      start: () => ({ ...this.activeCell, columns: this.#layout.shown }),
      onFailed: onUnaskedFailed,
      onFound: ({ row, column }) => this.#reveal(row, column),
      search: view.browsing && (text => (text === '' ? this.#filters.editSearch() : this.#arranger.search(text))),
      onQuery: () => this.view.refresh(),
    });
    this.#record = new RecordView({
      ...parts,
      copy: (row, columns, format) =>
        this.#cells.copyRanges([{ firstRow: row, endRow: row + 1, columns }], format, false),
    });
    this.#footer = new Footer({
      summarize: (ranges, signal) => this.#calls.send('summarize', { ranges }, signal),
      selectedRanges: () => this.#selectedRanges(),
      onFailed: onUnaskedFailed,
    });
    const changes = this.#changes;
    this.#comparison = changes && createComparisonBar({ ...parts, changes, columns: this.#columns });
    this.chart = new ChartSwitch({ ...parts, body: this.#body, view: () => this.#shownView, sample: first.rows });
    this.#appendParts();
    this.#memory = new GridMemory({ ...parts, runId: view.runId, formerRunId: view.formerRunId });
    this.#memory.restore();
    this.edits = new EditCommands({
      ...parts,
      parent: this.root,
      jump: options.jump,
      announce: text => setText(this.#filters.live, text),
    });
    this.#cells = new CellCommands({
      ...parts,
      isOfTable: () => this.#shownView.browsing?.isTable === true,
      edits: this.edits,
      record: this.#record,
      goToRow: () => void this.#askForRow(),
      exportRows: () => void this.export().catch(onFailed),
    });
    listenToGrid({
      ...parts,
      columns: this.#columns,
      cells: this.#cells,
      edits: this.edits,
      find: this.#find,
      record: this.#record,
      search: () => this.#filters.editSearch(),
      toggleProfile: () => this.view.toggleProfile(),
      open: () => this.edits.open() || this.#cells.open(),
      goToRow: () => void this.#askForRow(),
      switchChart: () => void this.chart.toggle(),
    });
    this.show(view);
  }

  get hasFocus(): boolean {
    return this.root.contains(document.activeElement);
  }

  /** Exports the shown columns in their order: of all rows, or of several selected cells. */
  export(): Promise<void> {
    const withBefore = (columns: readonly number[]): number[] => this.#changes?.withBefore(columns) ?? [...columns];
    const ranges = this.#selectedRanges().map(({ firstRow, endRow, columns }) => {
      return { firstRow, endRow, columns: withBefore(columns) };
    });
    const selection = ranges.length > 0 ? { orderVersion: this.#calls.orderVersion, ranges } : undefined;
    return this.#calls.send('export', { columns: withBefore(this.#layout.shown), ...(selection && { selection }) });
  }

  focus(): void {
    focusHere(this.chart.focusTarget ?? this.view.root);
  }

  use(tool: GridTool, place: PopupPlace): void {
    if (tool === 'find') this.#find.open();
    else if (tool === 'search') this.#filters.editSearch();
    else if (tool === 'filter') this.#columns.openFilter(this.#columns.active, place);
    else if (tool === 'filterRow') this.#filterRow.switch();
    else if (tool === 'profile') this.view.toggleProfile();
    else if (tool === 'chart') void this.chart.toggle();
    else this.#cells.copy('tsv', false);
  }

  get activeCell(): { readonly row: number; readonly column: number } {
    return { row: this.#selection.active.row, column: this.#columns.active };
  }

  /** Activates a cell and shows it. `rowCount` is the least number of rows. */
  goTo(row: number, rowCount: number, column = this.#columns.active): void {
    this.view.setRowCount(Math.max(rowCount, this.view.rowCount));
    this.#reveal(row, column);
  }

  show(view: ResultView): void {
    const previous = this.#shownView;
    this.#shownView = view;
    this.#calls.orderVersion = view.orderVersion;
    this.#cache.setOrderVersion(view.orderVersion);
    // The rows in the page lack columns that were added.
    if (view.columns.length > this.#layout.order.length) this.#cache.refetch();
    this.view.setColumns(view.columns, view.showsTypes === true);
    this.#widths.show(view);
    this.view.showFilterRow(view.showsFilterRow === true);
    this.view.setRowCount(view.shownRows);
    this.#arranger.show(view.arrangement);
    this.#comparison?.show();
    this.edits.show(view.browsing?.editing);
    this.#filters.show(view);
    this.#profiles.show(view);
    this.#empty.hidden = view.shownRows > 0 || view.state === 'running';
    const emptyText = view.actions.includes('importRows')
      ? t('No rows. Press Insert to add one, or choose Import Rows.')
      : messageFor(view) || t('No rows');
    this.#empty.textContent = this.#empty.hidden ? '' : emptyText;
    // The header of a browsed table announces the rows.
    if (!view.browsing && !hasSameFilters(previous.arrangement, view.arrangement))
      this.#filters.announce(view.rowCount);
    this.#find.showProgress(view.finding);
    this.#selection.keepWithin(view.shownRows, this.#layout.shown.length);
    this.#announcer.show(view.shownRows, view.state === 'running');
    this.#showPlace();
    if (previous.browsing?.editing?.version !== view.browsing?.editing?.version) {
      this.#cache.refetch();
      this.view.refresh();
      this.#footer.summarize();
    }
    if (isUnavailable(previous) && !isUnavailable(view)) {
      this.#cache.retry();
      this.view.refresh();
    }
    this.#refreshQueries(previous, view);
    this.chart.show(view);
  }

  dispose(): void {
    this.#widths.dispose();
    this.#memory.writer.flush();
    this.#announcer.dispose();
    this.#footer.dispose();
    this.chart.dispose();
    this.#find.dispose();
    this.#profiles.dispose();
    this.#record.dispose();
    this.#arranger.cancel();
    this.#cache.dispose();
    this.view.dispose();
    highlightMatches(this.root, undefined);
    this.root.remove();
  }

  #appendParts(): void {
    const { view } = this.#options;
    const { root } = this.view;
    root.setAttribute('aria-label', t('Rows of {0}', visibleText(view.project)));
    root.setAttribute('aria-description', gridHelp(view));
    const tools = element('div', 'grid-tools');
    if (this.#comparison) tools.append(this.#comparison.root);
    tools.append(this.#find.root, this.#filters.root);
    this.#body.append(root, this.#empty, this.#record.root);
    this.root.append(tools, this.#body, this.#announcer.root, this.#filters.live);
    this.#options.status.append(this.#footer.root);
  }

  /** The host asks for a row. For a browsed table, it then sends the event `goTo`, because the row may have to be fetched first. */
  async #askForRow(): Promise<void> {
    try {
      if (this.#shownView.browsing) return await this.#calls.send('askRow', {});
      const row = await this.#calls.send('promptForRow', {});
      if (row !== null) this.#reveal(Math.min(row, this.view.rowCount - 1), this.#columns.active);
      this.focus();
    } catch (thrown) {
      this.#options.onFailed(thrown);
    }
  }

  #refreshQueries(previous: ResultView, view: ResultView): void {
    if (view.orderVersion !== previous.orderVersion) {
      this.view.refresh();
      this.#find.onRearranged();
      // Whole columns have the same sums in any order. A new call for each batch of rows would abort the last one before its
      // answer.
      if (this.#selection.hasOnlyWholeColumns && hasSameFilters(previous.arrangement, view.arrangement))
        this.#footer.summarizeGrown();
      else this.#footer.summarize();
    } else if (view.shownRows !== previous.shownRows) {
      this.#find.onRowsAdded();
      if (this.#selection.reachesEnd) this.#footer.summarizeGrown();
    }
  }

  /** Activates and shows a cell, by its row in the order shown and its column in the result. */
  #reveal(row: number, column: number): void {
    const cell = { row, position: this.#layout.positionOf(column) ?? 0 };
    this.#selection.start(cell);
    this.view.reveal(cell);
    // The user may leave right after going to a cell.
    this.#memory.writer.runNow();
  }

  /** The ranges to summarize or export. None for a single cell, which the user can read. */
  #selectedRanges(): CellRange[] {
    if (this.#selection.isOneCell) return [];
    return this.#selection.disjointRanges(this.view.rowCount, this.#layout.shown);
  }

  #showPlace(): void {
    const { row } = this.#selection.active;
    this.#footer.showPlace(row, this.#shownView, this.#columns.nameOf(this.#columns.active));
  }

  #onSelected(): void {
    this.view.repaint();
    this.#showPlace();
    this.#footer.summarize();
  }

  #onArrangement(): void {
    this.view.repaint();
    this.#comparison?.show();
    this.#filters.show(this.#shownView);
  }

  /** Marks what Find finds, else what the rows were searched for, or in the found values what the tables were searched for. */
  #markMatches(rows: HTMLElement): void {
    const { search } = this.#shownView;
    const { query } = this.#find;
    const arranged = this.#arranger.latest.search;
    if (!search || query?.text || arranged !== undefined) return highlightMatches(rows, query, arranged);
    // No cell is at -1.
    highlightMatches(rows, undefined, search.text, this.#layout.positionOf(search.column) ?? -1);
  }

  #onPainted(rows: HTMLElement): void {
    this.#widths.grow(this.#cache.present(this.view.visibleRows()));
    this.#markMatches(rows);
    this.#memory.writer.schedule();
    this.#options.onPainted();
    this.#record.refresh();
  }
}
