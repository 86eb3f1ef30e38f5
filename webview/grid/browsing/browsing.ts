import { Debouncer } from '../../../src/base/debouncer.ts';
import { type BrowseState, browseStatePlace } from '../../../src/protocol/browsing.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import type { CallAlert } from '../../ui/callAlert.ts';
import { PageMemory } from '../../ui/host.ts';
import type { GridPanel } from '../gridPanel.ts';
import type { CallHost } from '../hostCalls.ts';
import type { BrowseTool } from '../actionBar.ts';
import { canSortByKey, createBrowseBar } from './browseBar.ts';
import { createTrailBar } from './trailBar.ts';

interface BrowsingOptions {
  readonly call: CallHost;
  readonly alert: CallAlert;
  readonly grid: () => GridPanel | undefined;
}

/** The parts of the page for a browsed table: the bar above the grid, the trail, and the remembered place. */
export class Browsing {
  readonly #options: BrowsingOptions;
  readonly bar: ReturnType<typeof createBrowseBar>;
  readonly trail: ReturnType<typeof createTrailBar>;
  /** The cell to show when there are rows. The host has sent it before. */
  #awaitedCell: { readonly row: number; readonly column: number | undefined } | undefined;
  /** Remembers the table and its place, so that a reload opens it there. */
  readonly #writer = new Debouncer({
    run: () => memory.write(browseStatePlace.key, this.#state),
    delayMs: writeIntervalMs,
    leading: true,
  });
  #state: BrowseState | undefined;
  #view: ResultView | null = null;

  constructor(options: BrowsingOptions) {
    const { call, alert, grid } = options;
    this.#options = options;
    this.bar = createBrowseBar({
      run: command => alert.watch(call(command)),
      passFocus: () => grid()?.focus(),
    });
    this.trail = createTrailBar({
      goTo: index => alert.watch(call('goToStep', { index, ...(grid()?.activeCell ?? { row: 0, column: 0 }) })),
      passFocus: () => grid()?.focus(),
    });
  }

  get tools(): readonly BrowseTool[] {
    const browsing = this.#view?.browsing;
    if (!browsing) return [];
    const count = browsing.counting ? 'stopCounting' : 'count';
    const hasCount = browsing.counting || !browsing.hasEnd;
    const canAddRows = browsing.editing !== undefined && browsing.editing.readOnly === undefined;
    return [
      ...(canAddRows ? (['addRow'] as const) : []),
      'refresh',
      ...(canSortByKey(this.#view) ? (['sortByKey'] as const) : []),
      'askRow',
      ...(hasCount ? ([count] as const) : []),
      'showStatement',
    ];
  }

  use(tool: BrowseTool): void {
    const { alert, call, grid } = this.#options;
    if (tool === 'addRow') grid()?.edits.addRow();
    else alert.watch(call(tool));
  }

  get isShown(): boolean {
    return this.#view?.browsing !== undefined;
  }

  show(view: ResultView | null): void {
    const previous = this.#view;
    this.#view = view;
    this.bar.show(view);
    this.trail.show(view?.browsing?.trail);
    if (view?.browsing && previous?.runId === view.runId && !hasSameArrangement(previous, view)) {
      // Rearranged rows start at the top. The focus stays, because the user may be typing elsewhere.
      this.#options.grid()?.goTo(0, view.shownRows);
    }
    const awaited = this.#awaitedCell;
    if (awaited && this.#options.grid()) this.#options.alert.watch(this.jump(awaited.row, awaited.column));
    this.showPlace();
  }

  /** Shows and remembers the rows in view. Called after each paint of the grid. */
  showPlace(): void {
    const visible = this.#options.grid()?.view.visibleRows();
    if (!this.#view?.browsing || !visible) return;
    this.bar.showPlace(visible);
    const { runId, columns, arrangement } = this.#view;
    const names = columns.map(({ name }) => name);
    this.#state = { runId, columns: names, arrangement, row: visible[0] };
    this.#writer.schedule();
  }

  /** The host fetches the row. Then the grid shows it. */
  async jump(row: number, column: number | undefined): Promise<void> {
    this.#awaitedCell = undefined;
    const target = await this.#options.call('jump', { row });
    if (!target) return;
    const grid = this.#options.grid();
    if (!grid) this.#awaitedCell = { row, column };
    grid?.goTo(target.row, target.rowCount, column);
    grid?.focus();
    this.showPlace();
    // The user may leave right after the jump.
    this.#writer.runNow();
  }
}

/** Writes at most this often while the user scrolls. */
const writeIntervalMs = 200;
const memory = new PageMemory(browseStatePlace.area);

const hasSameArrangement = (one: ResultView, other: ResultView): boolean =>
  JSON.stringify(one.arrangement) === JSON.stringify(other.arrangement);
