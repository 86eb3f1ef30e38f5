import {
  decodeRowsRequest,
  type ResultView,
  resultsEvents,
  partOf,
  resultsMethods,
  type RowWindow,
} from '../../src/protocol/results.ts';
import { asRecord } from '../../src/base/shape.ts';
import { type Arrangement, asTheyCame, decodeArrangement } from '../../src/protocol/rowQueries.ts';
import { type Column, cutToShow, type TaggedValue, textOf } from '../../src/wire/values.ts';
import { type WebviewPage, webviewTest } from './webviewPage.ts';

// The grid's own sentences, from where the extension has them.
const { cellLabels } = await import('../../src/host/results/cellLabels.ts');

const labels = {
  ...cellLabels(),
  ...{ rows: '{0} rows', oneRow: '1 row', running: 'Running…', stop: 'Stop', grid: 'Rows of {0}', loading: 'Loading' },
};

export interface GridContent {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly valueAt: (row: number, column: number) => TaggedValue;
  /** The browser that the page takes itself to be in. */
  readonly userAgent?: string;
  /** How many pixels of the screen one of the page is. */
  readonly pixelRatio?: number;
  /** Answers to what the test wants to answer itself. */
  readonly answers?: Readonly<Record<string, (params: unknown, grid: GridPage) => unknown>>;
}

export interface GridCall {
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
}

/** A result in the page, whose rows the test has in memory. It is sorted and filtered as it is asked to. */
export class GridPage {
  readonly opened: WebviewPage;
  /** What the page asked for, but rows. */
  readonly calls: readonly GridCall[];
  readonly #content: GridContent;
  #view: ResultView;
  /** Where rows stand, while they do not stand as they came. */
  #arranged: readonly number[] | undefined;

  constructor(opened: WebviewPage, content: GridContent, calls: readonly GridCall[]) {
    this.opened = opened;
    this.calls = calls;
    this.#content = content;
    this.#view = {
      ...{ runId: 'a', project: 'Shop', protection: 'open', color: undefined, statement: 'SELECT 1', state: 'done' },
      ...{ columns: content.columns, rowCount: content.rowCount, shownRows: content.rowCount, order: 0 },
      ...{ arrangement: asTheyCame, arranging: undefined, bytes: 0, firstRowMs: undefined, changed: undefined },
      ...{ elapsedMs: 12, problem: undefined },
    };
  }

  get page(): WebviewPage['page'] {
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

  callsOf(method: string): readonly GridCall[] {
    return this.calls.filter(call => call.method === method);
  }

  /** Tells the page of the result, as it is now or with what is given. */
  show(given: Partial<ResultView> = {}): void {
    this.#view = { ...this.#view, ...given };
    const first = this.#view.rowCount > 0 ? this.#window(0, 50) : undefined;
    this.opened.peer.notify(resultsEvents.view, { view: this.#view, ...(first && { first }) });
  }

  async open(): Promise<this> {
    this.show();
    await this.grid.getByRole('gridcell').first().waitFor();
    return this;
  }

  arrange(arrangement: Arrangement): void {
    const { rowCount, valueAt } = this.#content;
    const { sort, filters } = arrangement;
    const passes = (row: number): boolean =>
      filters.every(filter => {
        const value = valueAt(row, filter.column);
        if (filter.kind === 'null') return (value.kind === 'null') === filter.isNull;
        if (filter.kind === 'equals') return textOf(value) === filter.text;
        if (filter.kind === 'contains') return textOf(value).includes(filter.text);
        return (
          Number(textOf(value)) >= Number(filter.from ?? -Infinity) &&
          Number(textOf(value)) <= Number(filter.to ?? Infinity)
        );
      });
    const compare = (one: number, other: number): number =>
      sort.reduce((found, { column, descending }) => {
        const by = textOf(valueAt(one, column)).localeCompare(textOf(valueAt(other, column)), 'en', { numeric: true });
        return found || (descending ? -by : by);
      }, 0);
    const rows = Array.from({ length: rowCount }, (_, row) => row).filter(passes);
    this.#arranged = sort.length > 0 ? rows.toSorted(compare) : rows;
    this.show({ arrangement, order: this.#view.order + 1, shownRows: this.#arranged.length });
  }

  rows(params: unknown): RowWindow | undefined {
    const request = decodeRowsRequest(params);
    return request && this.#window(request.start, request.count);
  }

  #window(start: number, count: number): RowWindow {
    const end = Math.min(start + count, this.#view.shownRows);
    const rows = Array.from({ length: Math.max(0, end - start) }, (_, i) => {
      const row = this.#arranged?.[start + i] ?? start + i;
      return this.#content.columns.map((_column, column) => cutToShow(this.#content.valueAt(row, column)));
    });
    return { order: this.#view.order, start, rows };
  }
}

/** A test of the grid's page: the built bundle in a browser, with a result that the test has in memory. */
export function gridTest(name: string, content: GridContent, body: (grid: GridPage) => Promise<void>): void {
  const calls: GridCall[] = [];
  let page: GridPage | undefined;
  const own: GridContent['answers'] = {
    [resultsMethods.rows]: (params, grid) => grid.rows(params),
    [resultsMethods.arrange]: (params, grid) => {
      const arrangement = decodeArrangement(asRecord(params)?.['arrangement']);
      if (arrangement) grid.arrange(arrangement);
    },
    [resultsMethods.summarize]: () => ({ cells: 6, nulls: 1, numbers: 5, distinct: 4, sum: '9007199254740993' }),
    [resultsMethods.cell]: params => {
      const record = asRecord(params);
      return partOf(content.valueAt(Number(record?.['row']), Number(record?.['column'])), Number(record?.['most']));
    },
    [resultsMethods.copy]: () => undefined,
    [resultsMethods.export]: () => undefined,
    [resultsMethods.find]: () => ({ count: 0 }),
  };
  const methods = Object.fromEntries(
    Object.entries({ ...own, ...content.answers }).map(([method, answer]) => [
      method,
      (params: unknown, signal: AbortSignal): unknown => {
        if (method !== resultsMethods.rows) calls.push({ method, params, signal });
        return page && answer(params, page);
      },
    ]),
  );
  const all = { ...methods, ready: () => page?.show() };
  const { userAgent, pixelRatio } = content;
  webviewTest(name, { bundle: 'grid', labels, methods: all, userAgent, pixelRatio }, async opened => {
    page = new GridPage(opened, content, calls);
    await body(await page.open());
  });
}

const plain: readonly Column[] = Array.from({ length: 12 }, (_, i) => ({ name: `column_${i}`, type: 'INTEGER' }));

/** Numbers that tell their row and their column, the first of them in no order. */
export const numbers = (rowCount: number, columns = plain): GridContent => ({
  columns,
  rowCount,
  valueAt: (row, column) => ({
    kind: 'integer',
    text: column === 0 ? String((row * 7919) % 1000) : `${row}${String(column).padStart(3, '0')}`,
  }),
});
