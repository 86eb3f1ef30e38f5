import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView, RowWindow } from '../../src/protocol/results.ts';
import type { CellRange } from '../../src/protocol/rowQueries.ts';
import { element } from '../ui/element.ts';
import { focusHere } from '../ui/focus.ts';
import { pageLanguage } from '../ui/host.ts';
import { keyWords } from '../ui/shortcut.ts';
import { ArrangementBar } from './arrange/arrangementBar.ts';
import { Arranger } from './arrange/arranger.ts';
import { ColumnCommands } from './columns/columnCommands.ts';
import { ColumnLayout } from './columns/columnLayout.ts';
import { firstWidths } from './columns/columnWidths.ts';
import { FindBar } from './find/findBar.ts';
import { highlightMatches } from './find/matchHighlight.ts';
import { Footer } from './footer/footer.ts';
import { LiveCount } from './footer/liveCount.ts';
import { measureFont } from './gridFont.ts';
import { GridMemory } from './gridMemory.ts';
import { GridView } from './gridView.ts';
import { type CallHost, HostCalls, isOutdated } from './hostCalls.ts';
import { CellCommands } from './input/cellCommands.ts';
import { listenToContextMenu, placeOfActiveCell, placeOfActiveHeader } from './input/contextMenu.ts';
import { listenToKeys } from './input/gridKeys.ts';
import { RecordView } from './record/recordView.ts';
import { type FetchRows, RowCache } from './rows/rowCache.ts';
import { selectByPointer } from './selection/pointerSelection.ts';
import { Selection } from './selection/selection.ts';
import './gridPanel.css';

export interface GridPanelOptions {
  /** Where the panel is put, since it measures the font there. */
  readonly parent: HTMLElement;
  readonly view: ResultView;
  readonly first: RowWindow;
  readonly labels: GridLabels;
  /** Calls a method of `resultsMethods`. */
  readonly call: CallHost;
  /** Pulls rows. Who does it tells of faults. */
  readonly fetch: FetchRows;
  /** Tells of another call that failed. */
  readonly onFailed: (thrown: unknown) => void;
  /** Called after rows were painted. */
  readonly onPainted: () => void;
}

/** The grid of one result with all that belongs to it: filters above it, a record beside it, figures below it. */
export class GridPanel {
  readonly root = element('section', 'grid-panel');
  readonly #calls: HostCalls;
  readonly #layout: ColumnLayout;
  readonly #selection = new Selection(() => this.#selected());
  readonly #cache: RowCache;
  readonly #view: GridView;
  readonly #memory: GridMemory;
  readonly #arranger: Arranger;
  readonly #columns: ColumnCommands;
  readonly #bar: ArrangementBar;
  readonly #findBar: FindBar;
  readonly #record: RecordView;
  readonly #footer: Footer;
  readonly #live: LiveCount;
  readonly #onPainted: () => void;
  #shown: ResultView;

  constructor({ parent, view, first, labels, call, fetch, onFailed: failed, onPainted: painted }: GridPanelOptions) {
    parent.append(this.root);
    this.#onPainted = painted;
    this.#shown = view;
    const giveBackFocus = (): void => this.focus();
    const font = measureFont(this.root);
    this.#calls = new HostCalls(call, view.runId, view.orderVersion);
    this.#layout = new ColumnLayout(firstWidths(view.columns, first.rows, font.characterWidth));
    this.#cache = new RowCache({
      ...{ columnCount: view.columns.length, orderVersion: view.orderVersion, fetch },
      onLoad: () => this.#view.refresh(),
    });
    this.#cache.offer(first);
    this.#arranger = new Arranger({
      arrange: (arrangement, signal) => this.#calls.arrange(arrangement, signal),
      failed,
      changed: () => this.#arranged(),
    });
    this.#view = new GridView({
      ...{ columns: view.columns, layout: this.#layout, selection: this.#selection, cache: this.#cache, labels, font },
      arrangement: () => this.#arranger.wanted,
      alsoWanted: () => (this.#record.isOpen ? this.#selection.active.row : undefined),
      painted: rows => this.#painted(rows),
    });
    // What is asked without anybody's doing is asked again when it could not be answered any more.
    const failedToTell = (thrown: unknown): void => {
      if (!isOutdated(thrown)) failed(thrown);
    };
    const parts = {
      ...{ labels, view: this.#view, layout: this.#layout, selection: this.#selection, arranger: this.#arranger },
      ...{ cache: this.#cache, calls: this.#calls, font, failed, giveBackFocus },
    };
    this.#columns = new ColumnCommands(parts);
    this.#bar = new ArrangementBar({
      ...parts,
      nameOf: column => this.#columns.nameOf(column),
      edit: (column, place) => this.#columns.openFilter(column, place),
    });
    this.#findBar = new FindBar({
      ...parts,
      ask: (step, signal) => this.#calls.find(step, signal),
      place: () => ({
        row: this.#selection.active.row,
        column: this.#columns.active,
        columns: this.#layout.shown,
      }),
      failed: failedToTell,
      found: ({ row, column }) => this.reveal(row, column),
      queried: () => this.#view.refresh(),
    });
    this.#record = new RecordView({
      ...parts,
      cell: async (request, signal) => {
        try {
          return await this.#calls.cell(request, signal);
        } catch (thrown) {
          if (!signal.aborted) failed(thrown);
          throw thrown;
        }
      },
      step: rows => this.#stepRow(rows),
      closed: () => this.#view.refresh(),
    });
    this.#footer = new Footer({
      ...parts,
      ask: (ranges, signal) => this.#calls.summarize(ranges, signal),
      failed: failedToTell,
    });
    this.#live = new LiveCount(rows => fill(labels.rows, rows.toLocaleString(pageLanguage())));
    const body = element('div', 'grid-body');
    body.append(this.#view.root, this.#record.root);
    this.root.append(this.#bar.root, this.#findBar.root, body, this.#footer.root, this.#live.root, this.#bar.live);
    this.#view.root.setAttribute('aria-label', fill(labels.grid, view.project));
    this.#view.root.setAttribute(
      'aria-description',
      fill(labels.gridHelp, keyWords('Alt+ArrowDown'), keyWords('Mod+F')),
    );
    this.#memory = new GridMemory({ ...parts, runId: view.runId });
    this.#memory.recall();
    this.#listen(new CellCommands({ ...parts, openRecord: () => this.#openRecord() }));
    this.show(view);
  }

  get hasFocus(): boolean {
    return this.root.contains(document.activeElement);
  }

  /** The columns that are shown, from left to right, by their numbers in the result. */
  get columns(): readonly number[] {
    return this.#layout.shown;
  }

  focus(): void {
    focusHere(this.#view.root);
  }

  /** Goes to a cell, by its row in the order shown and its column in the result. */
  reveal(row: number, column: number): void {
    const cell = { row, position: this.#layout.positionOf(column) ?? 0 };
    this.#selection.start(cell);
    this.#view.reveal(cell);
    this.#memory.keep();
  }

  /** From the first row in view to before the second. */
  visibleRows(): readonly [number, number] {
    return this.#view.visibleRows();
  }

  /** Goes to a row, of so many that there are at least. */
  goTo(row: number, rowCount: number): void {
    this.#view.setRowCount(Math.max(rowCount, this.#view.rowCount));
    this.reveal(row, this.#columns.active);
  }

  show(view: ResultView): void {
    const before = this.#shown;
    this.#shown = view;
    this.#calls.orderVersion = view.orderVersion;
    this.#cache.setOrderVersion(view.orderVersion);
    this.#view.setColumns(view.columns);
    this.#view.setRowCount(view.shownRows);
    this.#arranger.show(view.arrangement);
    this.#bar.show(view);
    // A table's own line tells it.
    if (!view.browsing && !sameFilters(before, view)) this.#bar.tell(view.rowCount);
    this.#findBar.showProgress(view.finding);
    this.#selection.keepWithin(view.shownRows, this.#layout.shown.length);
    this.#live.show(view.shownRows, view.state === 'running');
    this.#showPlace();
    if (couldNot(before) && !couldNot(view)) {
      this.#cache.tryAgain();
      this.#view.refresh();
    }
    if (view.orderVersion !== before.orderVersion) {
      this.#view.refresh();
      this.#findBar.again();
      // All rows add up to the same in any order. As they go on coming, the figures would be asked for and never be there.
      if (this.#selection.hasAllRows && sameFilters(before, view)) this.#footer.sumUpGrown(this.#summedRanges());
      else this.#footer.sumUp(this.#summedRanges());
    } else if (view.shownRows !== before.shownRows) {
      this.#findBar.grown();
      if (this.#selection.reachesEnd) this.#footer.sumUpGrown(this.#summedRanges());
    }
  }

  dispose(): void {
    this.#memory.dispose();
    this.#live.dispose();
    this.#footer.dispose();
    this.#findBar.dispose();
    this.#record.dispose();
    this.#arranger.cancel();
    this.#cache.dispose();
    this.#view.dispose();
    highlightMatches(this.root, undefined);
    this.root.remove();
  }

  #listen(cells: CellCommands): void {
    const [view, selection] = [this.#view, this.#selection];
    selectByPointer(view, selection);
    listenToContextMenu(view.root, {
      openColumnMenu: (place, position) => this.#columns.openMenu(place, position),
      openCellMenu: place => cells.openMenu(place),
    });
    listenToKeys({
      ...{ view, selection },
      positions: () => this.#layout.shown.length,
      commands: {
        copy: headers => cells.copy('tsv', headers),
        find: () => this.#findBar.open(),
        findNext: backwards => this.#findBar.next(backwards),
        toggleRecord: () => (this.#record.isOpen ? this.#record.close() : this.#openRecord()),
        openColumnMenu: () => this.#columns.openMenu(placeOfActiveHeader(view)),
        openCellMenu: () => cells.openMenu(placeOfActiveCell(view)),
        widenBy: steps => this.#columns.widenBy(steps),
        moveColumnBy: positions => this.#columns.moveBy(positions),
      },
    });
  }

  #selected(): void {
    this.#view.changed();
    this.#showPlace();
    this.#footer.sumUp(this.#summedRanges());
  }

  /** What one cell adds up to is to be read in it. */
  #summedRanges(): CellRange[] {
    if (this.#selection.isOneCell) return [];
    return this.#selection.disjointRanges(this.#view.rowCount, this.#layout.shown);
  }

  #arranged(): void {
    this.#view.changed();
    this.#bar.show(this.#shown);
  }

  #showPlace(): void {
    this.#footer.showPlace(
      this.#selection.active.row,
      this.#shown.shownRows,
      this.#columns.nameOf(this.#columns.active),
    );
  }

  #painted(rows: HTMLElement): void {
    highlightMatches(rows, this.#findBar.query);
    this.#memory.note();
    this.#onPainted();
    this.#showRecord();
  }

  #openRecord(): void {
    this.#record.open();
    this.#view.refresh();
    this.#showRecord();
  }

  #showRecord(): void {
    if (!this.#record.isOpen) return;
    const { row } = this.#selection.active;
    this.#record.show({
      row: this.#view.rowCount > 0 ? row : undefined,
      cells: this.#cache.get(row),
      columns: this.#view.columns,
      order: [...this.#layout.shown, ...this.#layout.hidden],
    });
  }

  #stepRow(rows: number): void {
    const { row, position } = this.#selection.active;
    const target = { row: Math.max(0, Math.min(row + rows, this.#view.rowCount - 1)), position };
    this.#selection.start(target);
    this.#view.reveal(target);
  }
}

const sameFilters = ({ arrangement: before }: ResultView, { arrangement }: ResultView): boolean =>
  JSON.stringify(before.filters) === JSON.stringify(arrangement.filters);

/** Whether rows that it has are missing for a reason that is told. */
const couldNot = ({ state }: ResultView): boolean => state === 'failed' || state === 'cancelled';
