import { l10n } from 'vscode';
import { oneLine } from '../../base/oneLine.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { TrailView } from '../../protocol/browsing.ts';
import { type Arrangement, isFiltered } from '../../protocol/rowQueries.ts';
import { keyOf } from '../../sql/text/names.ts';
import type { FilteredTable } from './referencedRow.ts';

export interface CellPlace {
  readonly row: number;
  /** The active column stays without one. */
  readonly column?: number | undefined;
}

export interface TableViewState {
  /** The names of the columns that the arrangement refers to by number. */
  readonly columns: readonly string[];
  readonly arrangement: Arrangement;
  readonly place: CellPlace;
}

/** A table on the way along foreign keys. */
export interface TrailStep {
  readonly profile: Profile;
  readonly table: BrowsedTable;
  readonly shownState: TableViewState;
  /** How the table was shown before the step. Going back from the step shows it so again. */
  readonly replacedState?: TableViewState | undefined;
}

export interface EditorTrail {
  /** Opens the rows of another table of the project. `from` is how this table is shown. */
  follow(rows: FilteredTable, from: TableViewState): Promise<void>;
  /** Shows another step, and remembers how this one is shown. */
  goTo(index: number, shownState: TableViewState): Promise<void>;
  /** Remembers how the table of the current step was shown before. */
  keepReplaced(replaced: TableViewState): void;
  viewFor(shownState: TableViewState): TrailView | undefined;
}

/** A longer trail loses its first steps. */
const maxSteps = 50;
const maxLabelLength = 60;

export class Trail {
  #steps: readonly TrailStep[] = [];
  #index = 0;

  get current(): TrailStep | undefined {
    return this.#steps[this.#index];
  }

  /** Adds a step after the one that the user comes from. A new trail begins if that is not the current step. */
  follow(from: TrailStep | undefined, to: TrailStep): void {
    const { current } = this;
    const isContinued = from && current && isSameTable(current, from);
    const stepsBefore = isContinued ? this.#steps.slice(0, this.#index) : [];
    const origin = isContinued ? { ...current, shownState: from.shownState } : from;
    this.#steps = [...stepsBefore, ...(origin ? [origin] : []), to].slice(-maxSteps);
    this.#index = this.#steps.length - 1;
  }

  /** Goes to a step. `shownState` is how the present one is shown. Undefined if there is no such step. */
  goTo(index: number, shownState: TableViewState): TrailMove | undefined {
    const from = this.#index;
    const step = this.#steps[index];
    if (!step || index === from) return undefined;
    const steps = this.#steps.with(from, { ...this.#steps[from]!, shownState });
    // Restored in this order: the first state of a table comes last, and counts.
    const leftSteps = index < from ? steps.slice(index + 1, from + 1).toReversed() : [];
    // Steps that the user has left or gone past no longer replace anything.
    const isPassed = (number: number): boolean => number > Math.min(index, from) && number <= Math.max(index, from);
    this.#steps = steps.map((other, number): TrailStep =>
      isPassed(number) ? { profile: other.profile, table: other.table, shownState: other.shownState } : other,
    );
    this.#index = index;
    return {
      step,
      isForward: index > from,
      leftSteps: leftSteps.filter(({ replacedState }) => replacedState !== undefined),
    };
  }

  /** Remembers how the table of the current step was shown before. */
  keepReplaced(replacedState: TableViewState | undefined): void {
    const { current } = this;
    if (!current || !replacedState) return;
    if (this.#steps.length > 1) {
      this.#steps = this.#steps.with(this.#index, { ...current, replacedState });
    } else {
      // A trail that begins at a result leads back to what the table showed.
      this.#steps = [{ ...current, shownState: replacedState }, current];
      this.#index = 1;
    }
  }

  /** The trail for the table of its current step. Undefined for other tables, and without a way back or forward. */
  viewFor(table: Pick<TrailStep, 'profile' | 'table'>, shownState: TableViewState): TrailView | undefined {
    const { current } = this;
    if (!current || this.#steps.length < 2 || !isSameTable(current, table)) return undefined;
    const labels = this.#steps.map((step, index) =>
      labelOf(step, index === this.#index ? shownState : step.shownState),
    );
    return { labels, index: this.#index };
  }
}

interface TrailMove {
  readonly step: TrailStep;
  readonly isForward: boolean;
  /** Steps that the user has gone back from, the last one first. Their tables were shown otherwise before. */
  readonly leftSteps: readonly TrailStep[];
}

export const isSameTable = (
  one: Pick<TrailStep, 'profile' | 'table'>,
  other: Pick<TrailStep, 'profile' | 'table'>,
): boolean => one.profile.id === other.profile.id && keyOf(one.table.name) === keyOf(other.table.name);

/** The table with the values that its rows are filtered by. */
function labelOf({ table }: TrailStep, { columns, arrangement }: TableViewState): string {
  const { filters, search } = arrangement;
  const values = filters.map(filter =>
    filter.kind === 'equals' && !filter.not ? `${columns[filter.column] ?? ''} = ${filter.text}` : undefined,
  );
  const isByValues = filters.length > 0 && search === undefined && !values.includes(undefined);
  if (isByValues) return l10n.t('{0}: {1}', table.name, oneLine(values.join(', '), maxLabelLength));
  return isFiltered(arrangement) ? l10n.t('{0}: filtered', table.name) : table.name;
}
