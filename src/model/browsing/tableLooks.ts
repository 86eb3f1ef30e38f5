import { misuse } from '../../base/errors.ts';
import { type Arrangement, asTheyCame } from '../../protocol/rowQueries.ts';
import type { Column } from '../../wire/values.ts';
import { type CatalogColumn, isMissingEndpoint } from '../catalog/catalog.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { asDeclared, lastInOrder, primaryKeyOf, stillThere } from './tableKey.ts';
import { byName, TableLook, type TableLookOptions } from './tableLook.ts';

export interface TurnOptions {
  /** The row that has to be there before the rows are shown so. */
  readonly row: number;
  readonly signal?: AbortSignal;
}

/** The look at a table that is in force, and how another one takes its place. Until it has rows, the one before stays. */
export class TableLooks {
  readonly #request: BrowseRequest;
  readonly #onChange: () => void;
  #current: TableLook;
  #order = 0;
  #turning: AbortController | undefined;
  #catalog: Promise<readonly CatalogColumn[]> | undefined;
  /** Whether the service has an endpoint for pages. Else its rows come by a statement in every order. */
  #offersPages = true;

  /** `onChange` hears of the look that is in force. */
  constructor(request: BrowseRequest, onChange: () => void) {
    this.#request = request;
    this.#onChange = onChange;
    this.#current = this.#make({
      arrangement: asTheyCame,
      columns: [],
      last: undefined,
      atLeast: 0,
      keepsColumns: false,
    });
  }

  get current(): TableLook {
    return this.#current;
  }

  /** Another number for each look. */
  get order(): number {
    return this.#order;
  }

  /** Asks for the page of a row in the first look. Faults do not reject: they are those of its pages. */
  async begin(row: number): Promise<void> {
    const fault: unknown = await loadNear(this.#current, row).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!this.#offersPages || !isMissingEndpoint(fault)) return;
    try {
      const { arrangement, columns } = this.#current;
      const declared = await this.#declared(columns);
      const look = this.#make({ arrangement, ...declared, atLeast: 0, keepsColumns: false });
      this.#offersPages = false;
      this.#current = look;
      await loadNear(look, row);
    } catch {
      // What the service said at first is told, unless the statement got further.
    }
  }

  /** The same look, asked for again, but for columns that it was arranged by and that are gone. */
  async refresh(options: TurnOptions): Promise<void> {
    this.#catalog = undefined;
    const { arrangement, columns, statement, pages } = this.#current;
    await this.#turn(options, async () => {
      const there = statement ? stillThere(columns, await this.#columns()) : columns;
      const more = { columns: there, atLeast: pages.rowCount, keepsColumns: false };
      return this.#arranged(byName(arrangement, columns, there), more);
    });
  }

  async arrange(arrangement: Arrangement, options: TurnOptions): Promise<void> {
    const { columns } = this.#current;
    if ([...arrangement.sort, ...arrangement.filters].some(({ column }) => column >= columns.length)) {
      throw misuse('no_such_column', 'The table has no such column.');
    }
    await this.#turn(options, () => this.#arranged(arrangement, { columns, atLeast: 0, keepsColumns: true }));
  }

  stopTurning(): void {
    this.#turning?.abort();
  }

  /** A later turn ends an earlier one. */
  async #turn({ row, signal: given }: TurnOptions, make: () => Promise<TableLook>): Promise<void> {
    this.#turning?.abort();
    const turning = new AbortController();
    const signal = given ? AbortSignal.any([given, turning.signal]) : turning.signal;
    this.#turning = turning;
    const look = await orAborted(make(), signal);
    const stop = (): void => look.pages.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      await loadNear(look, row);
      signal.throwIfAborted();
    } catch (thrown) {
      stop();
      throw thrown;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    this.#current.pages.stop();
    this.#current = look;
    this.#order++;
    this.#onChange();
  }

  /** By a statement, unless the service's own order will do. */
  async #arranged(
    arrangement: Arrangement,
    more: Pick<TableLookOptions, 'columns' | 'atLeast' | 'keepsColumns'>,
  ): Promise<TableLook> {
    const isPlain = this.#offersPages && arrangement.sort.length + arrangement.filters.length === 0;
    const declared = isPlain ? { last: undefined } : await this.#declared(more.columns);
    return this.#make({ ...more, arrangement, ...declared });
  }

  #make(options: Pick<TableLookOptions, 'arrangement' | 'columns' | 'last' | 'atLeast' | 'keepsColumns'>): TableLook {
    const look: TableLook = new TableLook({
      ...options,
      request: this.#request,
      key: () => this.#key(),
      onChange: () => {
        if (look === this.#current) this.#onChange();
      },
    });
    return look;
  }

  /** What a statement goes by. */
  async #declared(columns: readonly Column[]): Promise<Pick<TableLookOptions, 'columns' | 'last'>> {
    const known = await this.#columns();
    return { columns: asDeclared(columns, known), last: lastInOrder(this.#request.table, known) };
  }

  /** Without an answer of the catalog there are no marks, which is no fault of the rows. */
  async #key(): Promise<readonly string[]> {
    if (this.#request.table.kind === 'view') return [];
    return this.#columns().then(primaryKeyOf, () => []);
  }

  /** A question that failed is asked again the next time. */
  #columns(): Promise<readonly CatalogColumn[]> {
    this.#catalog ??= this.#request.columns().catch((thrown: unknown) => {
      this.#catalog = undefined;
      throw thrown;
    });
    return this.#catalog;
  }
}

/** Loads the page of a row, or the last page where there are fewer rows by now: some services tell columns by rows only. */
async function loadNear({ pages }: TableLook, row: number): Promise<void> {
  await pages.load(row);
  if (row >= pages.rowCount) await pages.load(Math.max(0, pages.rowCount - 1));
}

/** Whoever stops waiting does not end the work, whose outcome serves others as well. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
