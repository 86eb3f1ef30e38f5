import type { Project } from '../../client/index.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import { moveArrangement } from '../../model/results/rowQueries.ts';
import type { TrailView } from '../../protocol/browsing.ts';
import type { BrowsingHost } from './browsingHost.ts';
import { type FilteredTable, referencedRow } from './referencedRow.ts';
import { rowsReferringTo } from './referencingRows.ts';
import type { CellPlace, EditorTrail, TableViewState } from './trail.ts';

interface TableNavigationOptions {
  readonly run: BrowseRun;
  readonly catalog: () => Pick<Catalog, 'columns' | 'tables'>;
  readonly project: () => Pick<Project, 'query'>;
  readonly host: Pick<BrowsingHost, 'chooseReferencing'>;
  readonly trail: EditorTrail | undefined;
  /** Runs work for the user, and says why it failed. */
  readonly orRemedy: (work: () => Promise<void>) => Promise<void>;
  /** No effect while the page is hidden or loads. */
  readonly goTo: (place: CellPlace) => Promise<void>;
  /** The cell to go to when there are rows. */
  readonly place: CellPlace | undefined;
}

/** Follows foreign keys from the rows of a table, and shows the steps of the trail. */
export class TableNavigation {
  readonly #options: TableNavigationOptions;
  /** The cell that the page has yet to go to. */
  #place: CellPlace | undefined;
  /** The state that is being shown, until its rows are there. */
  #pending: TableViewState | undefined;
  #isStarted = false;

  constructor(options: TableNavigationOptions) {
    this.#options = options;
    this.#place = options.place;
  }

  /** How the table is shown now. Only the page knows the user's place. Without it, the place is the row that was read last. */
  shownRows(place?: CellPlace): TableViewState {
    if (this.#pending) return this.#pending;
    const { columns, queries, topRow } = this.#options.run;
    return {
      columns: columns.map(({ name }) => name),
      arrangement: queries.arrangement,
      place: place ?? { row: topRow },
    };
  }

  /** The trail as this table shows it, if it is the current step. */
  get trail(): TrailView | undefined {
    return this.#options.trail?.viewFor(this.shownRows());
  }

  async follow(row: number, column: number): Promise<void> {
    const { run, catalog, orRemedy } = this.#options;
    await orRemedy(async () => {
      const rows = await referencedRow(run, catalog(), row, column);
      if (rows) await this.#open(rows, { row, column });
    });
  }

  async showReferencing(row: number): Promise<void> {
    const { run, catalog, project, host, orRemedy } = this.#options;
    await orRemedy(async () => {
      const referencing = await rowsReferringTo(run, row, project(), catalog());
      const rows = await host.chooseReferencing(run.table.name, referencing);
      if (rows) await this.#open(rows, { row });
    });
  }

  /** Shows another step of the trail. */
  async goToStep(index: number, place: CellPlace): Promise<void> {
    const { trail, orRemedy } = this.#options;
    await orRemedy(async () => trail?.goTo(index, this.shownRows(place)));
  }

  /** Shows rows as they were, or as a foreign key leads to them. Replaces an earlier call whose rows have not arrived. */
  async show(state: TableViewState): Promise<void> {
    const isChanging = this.#pending !== undefined;
    this.#pending = state;
    try {
      await this.#options.orRemedy(() => this.#show(state, isChanging));
    } finally {
      if (this.#pending === state) this.#pending = undefined;
    }
  }

  /** Called when the rows are there, in their arrangement. */
  async started(): Promise<void> {
    this.#isStarted = true;
    await this.goToPlace();
  }

  /** A page that loads again needs the cell again. */
  async goToPlace(): Promise<void> {
    if (this.#place && this.#isStarted) await this.#options.goTo(this.#place);
  }

  /** Called when the page goes to a cell. */
  arrived(): void {
    this.#place = undefined;
  }

  async #show({ columns, arrangement, place }: TableViewState, isChanging: boolean): Promise<void> {
    const { run } = this.#options;
    const named = columns.map(name => ({ name }));
    if (run.columns.length === 0) {
      await run.startArranged(present => moveArrangement(arrangement, named, present), place.row);
    } else {
      const movedArrangement = moveArrangement(arrangement, named, run.columns);
      const isSame = JSON.stringify(movedArrangement) === JSON.stringify(run.queries.arrangement);
      if (!isSame || isChanging) await run.queries.arrange(movedArrangement, { row: place.row });
    }
    this.#place = place;
    await this.goToPlace();
  }

  async #open(rows: FilteredTable, place: CellPlace): Promise<void> {
    await this.#options.trail?.follow(rows, this.shownRows(place));
  }
}
