import type { Locator, Page } from 'playwright-core';
import type { AnswerOf, Handlers, ParamsOf } from '../../src/protocol/bridge.ts';
import { gridBridge, type GridEvents, type GridMethods } from '../../src/protocol/gridBridge.ts';
import {
  cellPart,
  type GridColumn,
  type ResultView,
  type RowsRequest,
  type RowWindow,
} from '../../src/protocol/results.ts';
import type { Arrangement, ColumnFilter } from '../../src/protocol/rowQueries.ts';
import { cutToShow, shownLength, type TaggedValue, textOf } from '../../src/protocol/shownValues.ts';
import { columnEdge } from './pageParts.ts';
import { resultView } from './resultView.ts';
import { type WebviewPage, webviewTest } from './webviewPage.ts';

export interface GridContent {
  readonly columns: readonly GridColumn[];
  /** The lines of a script log that have the place of an error, in the order in which they came. */
  readonly errors?: readonly number[];
  readonly rowCount: number;
  readonly valueAt: (row: number, column: number) => TaggedValue;
  /** The user agent that the page sees. */
  readonly userAgent?: string;
  /** Screen pixels for each pixel of the page. */
  readonly pixelRatio?: number;
  /** Calls that the test answers itself. */
  readonly answers?: Answers;
}

type Answers = {
  readonly [Name in keyof GridMethods]?: (
    params: ParamsOf<GridMethods[Name]>,
    grid: GridPage,
  ) => AnswerOf<GridMethods[Name]> | Promise<AnswerOf<GridMethods[Name]>>;
};

export interface GridCall {
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
}

/** A result whose rows are computed by the test. The test sorts and filters them as the page asks. */
export class GridPage {
  readonly opened: WebviewPage<GridEvents>;
  /** The calls of the page, except those for rows. */
  readonly calls: readonly GridCall[];
  readonly #content: GridContent;
  #view: ResultView;
  /** The rows in their order, while they are sorted or filtered. */
  #arranged: readonly number[] | undefined;

  constructor(opened: WebviewPage<GridEvents>, content: GridContent, calls: readonly GridCall[]) {
    this.opened = opened;
    this.calls = calls;
    this.#content = content;
    this.#view = resultView({ columns: content.columns, rowCount: content.rowCount });
  }

  get page(): Page {
    return this.opened.page;
  }

  get grid() {
    return this.page.getByRole('grid', { name: 'Rows of Shop' });
  }

  cell(row: number, column: number) {
    return this.grid.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`);
  }

  header(name: string) {
    return this.grid.getByRole('columnheader', { name, exact: true });
  }

  /** The edge that resizes a column. */
  columnEdge(name: string): Locator {
    return columnEdge(this.header(name));
  }

  /** The empty cell above the row numbers. A click selects everything. */
  get corner(): Locator {
    return this.grid.locator('.corner');
  }

  /** The cells with the line that ends the frozen columns. */
  get lastFrozen(): Locator {
    return this.grid.locator('.last-frozen');
  }

  /** The headers with the sign that columns before them are hidden. */
  get hiddenBefore(): Locator {
    return this.grid.locator('.hidden-before');
  }

  /** The line where a dragged column would be dropped. */
  get dropMark(): Locator {
    return this.page.locator('.drop-mark');
  }

  callsOf(method: keyof GridMethods): readonly GridCall[] {
    return this.calls.filter(call => call.method === method);
  }

  /** Waits until the page has made this number of calls of a method. */
  async waitForCalls(method: keyof GridMethods, count: number): Promise<void> {
    while (this.callsOf(method).length < count) await this.nextFrame();
  }

  async nextFrame(): Promise<void> {
    await this.page.evaluate(() => new Promise(requestAnimationFrame));
  }

  /** Sends the page the state of the result, after changing some of its fields. */
  show(fields: Partial<ResultView> = {}): void {
    this.#view = { ...this.#view, ...fields };
    const first = this.#view.rowCount > 0 ? this.#window(0, 50) : undefined;
    this.opened.host.notify('view', { view: this.#view, ...(first && { first }) });
  }

  async open(): Promise<this> {
    this.show();
    await this.grid.getByRole('gridcell').first().waitFor();
    return this;
  }

  arrange(arrangement: Arrangement): void {
    const { rowCount, valueAt, columns } = this.#content;
    const { sort, filters, search = '' } = arrangement;
    const passes = (row: number): boolean =>
      filters.every(filter => passesFilter(valueAt(row, filter.column), filter)) &&
      columns.some((_column, column) => textOf(valueAt(row, column)).includes(search));
    const compare = (one: number, other: number): number =>
      sort.reduce((found, { column, descending }) => {
        const by = textOf(valueAt(one, column)).localeCompare(textOf(valueAt(other, column)), 'en', { numeric: true });
        return found || (descending ? -by : by);
      }, 0);
    const rows = Array.from({ length: rowCount }, (_, row) => row).filter(passes);
    this.#arranged = sort.length > 0 ? rows.toSorted(compare) : rows;
    this.show({ arrangement, orderVersion: this.#view.orderVersion + 1, shownRows: this.#arranged.length });
  }

  rows({ start, count }: RowsRequest): RowWindow {
    return this.#window(start, count);
  }

  #window(start: number, count: number): RowWindow {
    const end = Math.min(start + count, this.#view.shownRows);
    const { columns, valueAt, errors: errorRows = [] } = this.#content;
    const errors: number[] = [];
    const rows = Array.from({ length: Math.max(0, end - start) }, (_, i) => {
      const row = this.#arranged?.[start + i] ?? start + i;
      if (errorRows.includes(row)) errors.push(start + i);
      return columns.map((_column, column) => cutToShow(valueAt(row, column), shownLength));
    });
    return { orderVersion: this.#view.orderVersion, start, rows, errors };
  }
}

/** A simple stand-in for the host's filters: it knows numbers and texts. */
function passesFilter(value: TaggedValue, filter: ColumnFilter): boolean {
  if (filter.kind === 'null') return (value.kind === 'null') === filter.isNull;
  if (value.kind === 'null') return filter.kind === 'in' && filter.withNull === true && !filter.not;
  return isFound(textOf(value), filter) !== (filter.not === true);
}

function isFound(text: string, filter: Exclude<ColumnFilter, { readonly kind: 'null' }>): boolean {
  switch (filter.kind) {
    case 'equals':
      return text === filter.text;
    case 'contains':
      return text.includes(filter.text);
    case 'startsWith':
      return text.startsWith(filter.text);
    case 'endsWith':
      return text.endsWith(filter.text);
    case 'in':
      return filter.texts.includes(text);
    case 'range': {
      const from = Number(text) - Number(filter.from ?? -Infinity);
      const to = Number(filter.to ?? Infinity) - Number(text);
      return filter.exclusive ? from > 0 && to > 0 : from >= 0 && to >= 0;
    }
  }
}

/** A test of the grid's page: the built bundle in a browser, with a result in the test's memory. */
export function gridTest(name: string, content: GridContent, body: (grid: GridPage) => Promise<void>): void {
  const calls: GridCall[] = [];
  let page: GridPage | undefined;
  const own: Answers = {
    ready: () => page?.show(),
    rows: (request, grid) => grid.rows(request),
    arrange: ({ arrangement }, grid) => grid.arrange(arrangement),
    summarize: () => ({ cells: 6, nulls: 1, numbers: 5, distinct: 4, sum: '9007199254740993' }),
    cell: ({ row, column, maxLength }) => cellPart(content.valueAt(row, column), maxLength),
    copy: () => undefined,
    export: () => undefined,
    goToLine: () => undefined,
    painted: () => undefined,
    focused: () => undefined,
    find: () => ({ count: 0 }),
    ...content.answers,
  };
  const methods = Object.fromEntries(
    Object.entries(own as Readonly<Record<string, (params: unknown, grid: GridPage) => unknown>>).map(
      ([method, answer]) => [
        method,
        (params: unknown, signal: AbortSignal): unknown => {
          if (method !== 'rows') calls.push({ method, params, signal });
          return page && answer(params, page);
        },
      ],
    ),
  ) as Partial<Handlers<GridMethods>>;
  const { userAgent, pixelRatio } = content;
  webviewTest(name, { bridge: gridBridge, methods, userAgent, pixelRatio }, async opened => {
    page = new GridPage(opened, content, calls);
    await body(await page.open());
  });
}

const plain: readonly GridColumn[] = Array.from({ length: 12 }, (_, i) => ({ name: `column_${i}`, type: 'INTEGER' }));

/** Numbers that identify their row and column. The first column is in no order. */
export const numbers = (rowCount: number, columns = plain): GridContent => ({
  columns,
  rowCount,
  valueAt: (row, column) => ({
    kind: 'integer',
    text: column === 0 ? String((row * 7919) % 1000) : `${row}${String(column).padStart(3, '0')}`,
  }),
});
