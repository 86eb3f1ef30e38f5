import { ProjectError } from '../../../src/base/errors.ts';
import { browsingEvents, browsingMethods, decodeJumpPlace, decodeRow } from '../../../src/protocol/browsing.ts';
import { type BrowsingLabels } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import type { CallAlert } from '../../ui/callAlert.ts';
import { BrowseBar } from './browseBar.ts';
import { TableMemory } from './tableMemory.ts';

/** The grid, as far as browsing has to do with it. */
export interface BrowsedGrid {
  /** From the first row in view to before the second. */
  visibleRows(): readonly [number, number];
  /** Makes a row the active one and shows it. There are at least so many rows. */
  goTo(row: number, rowCount: number): void;
  focus(): void;
}

export interface BrowsingOptions {
  readonly labels: BrowsingLabels;
  readonly call: (method: string, params?: object) => Promise<unknown>;
  readonly alert: CallAlert;
  readonly grid: () => BrowsedGrid | undefined;
}

/** What the page of a table has beyond that of any result. It shows nothing where no table is browsed. */
export class Browsing {
  readonly #options: BrowsingOptions;
  readonly #bar: BrowseBar;
  readonly #memory = new TableMemory();
  #view: ResultView | null = null;

  constructor(options: BrowsingOptions) {
    const { labels, call, alert } = options;
    this.#options = options;
    this.#bar = new BrowseBar({ labels, ask: method => alert.watch(call(method)) });
  }

  get root(): HTMLElement {
    return this.#bar.root;
  }

  /** Whether a table is browsed: its state says why rows could not be had. */
  get isShown(): boolean {
    return this.#view?.browsing !== undefined;
  }

  show(view: ResultView | null): void {
    const before = this.#view;
    this.#view = view;
    this.#bar.show(view);
    if (view?.browsing && before?.runId === view.runId && !sameArrangement(before, view)) {
      // What stood in view is anywhere now. The focus stays: one may be typing elsewhere when the rows come.
      this.#options.grid()?.goTo(0, view.shownRows);
    }
    this.moved();
  }

  /** The grid was painted. */
  moved(options?: { readonly atOnce: boolean }): void {
    const visible = this.#options.grid()?.visibleRows();
    if (!this.#view?.browsing || !visible) return;
    this.#bar.moved(visible);
    this.#memory.keep(this.#view, visible[0], options);
  }

  heard(event: string, payload: unknown): void {
    const row = event === browsingEvents.goTo ? decodeRow(payload) : undefined;
    if (row !== undefined) this.#options.alert.watch(this.#goTo(row));
  }

  async #goTo(row: number): Promise<void> {
    const answer = await this.#options.call(browsingMethods.jump, { row });
    if (answer === null) return;
    const place = decodeJumpPlace(answer);
    if (!place) throw new ProjectError('protocol', 'bad_answer', 'This is no place to go to.');
    const grid = this.#options.grid();
    grid?.goTo(place.row, place.rowCount);
    grid?.focus();
    this.moved({ atOnce: true });
  }
}

const sameArrangement = (one: ResultView, other: ResultView): boolean =>
  JSON.stringify(one.arrangement) === JSON.stringify(other.arrangement);
