import { asProjectError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { Project } from '../../client/index.ts';
import { unsorted } from '../../protocol/rowQueries.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import type { Column, Row } from '../../wire/values.ts';
import { readEditableTable } from '../catalog/editableTable.ts';
import { valueIn } from './findInRows.ts';
import { KeysetPages } from './keysetPages.ts';
import { KeysetStatements } from './keysetStatements.ts';
import type { PageChunk, PageRange, PageSource } from './pageSource.ts';

/** Pages nearer to the start come from the browse endpoint: skipping their rows costs less than a query for the key. */
const nearPages = 20;

interface KeyedPagesOptions {
  readonly project: Pick<Project, 'sql' | 'query'>;
  readonly table: string;
  readonly endpoint: PageSource;
}

/** The keyset pages of a table whose rows come in the order of its INTEGER PRIMARY KEY. */
interface KeyedTable {
  readonly pages: KeysetPages;
  readonly names: ReadonlySet<string>;
}

/**
 * Pages in the service's own order, which is that of the row id. The browse endpoint skips all rows before a page. In a table with
 * an INTEGER PRIMARY KEY, a far page therefore begins after a key.
 *
 * The first far page still comes from the endpoint. It shows whether a statement gives the same columns in the same order. If not,
 * all pages come from the endpoint.
 */
export class KeyedPages implements PageSource {
  readonly #options: KeyedPagesOptions;
  /** Settles when the first far page has come. Undefined without a key, or in another order. */
  #keyed: Promise<KeyedTable | undefined> | undefined;

  constructor(options: KeyedPagesOptions) {
    this.#options = options;
  }

  async *fetch(range: PageRange, signal: AbortSignal): AsyncGenerator<PageChunk, boolean, void> {
    const { endpoint } = this.#options;
    if (range.offset < nearPages * range.limit) return yield* endpoint.fetch(range, signal);
    if (!this.#keyed) return yield* this.#fetchFirst(range, signal);
    const keyed = await untilAborted(this.#keyed, signal);
    const page = keyed && (await this.#fetchAfterKey(keyed, range, signal));
    if (!page) return yield* endpoint.fetch(range, signal);
    yield page.chunk;
    return page.isEnd;
  }

  async *#fetchFirst(range: PageRange, signal: AbortSignal): AsyncGenerator<PageChunk, boolean, void> {
    const { promise, resolve } = Promise.withResolvers<KeyedTable | undefined>();
    this.#keyed = promise;
    let keyed: Promise<KeyedTable | undefined> | undefined;
    try {
      const rows: Row[] = [];
      let columns: readonly Column[] | undefined;
      const chunks = this.#options.endpoint.fetch(range, signal);
      let step = await chunks.next();
      for (; !step.done; step = await chunks.next()) {
        columns = step.value.columns;
        rows.push(...step.value.rows);
        yield step.value;
      }
      // A page after the last row shows nothing.
      if (columns && rows.length > 0) keyed = this.#keyedBy(columns, rows, range.offset + rows.length);
      return step.value;
    } finally {
      if (!keyed) this.#keyed = undefined;
      resolve(keyed);
    }
  }

  async #keyedBy(columns: readonly Column[], rows: readonly Row[], end: number): Promise<KeyedTable | undefined> {
    const { project, table } = this.#options;
    const shape = await readEditableTable(project, table).catch(() => undefined);
    const key = typeof shape === 'object' ? shape.rowIdColumn : undefined;
    const last = key === undefined ? undefined : lastKey(rows, key);
    if (key === undefined || last === undefined) return undefined;
    const statements = KeysetStatements.of({
      table,
      columns,
      arrangement: unsorted,
      tieBreakers: [key],
      declaredColumns: columns,
    });
    const pages = statements && new KeysetPages(project, statements);
    pages?.addEnd(end, [{ kind: 'integer', text: String(last) }]);
    return pages && { pages, names: namesOf(columns) };
  }

  /** Undefined if the service refuses the statement, or answers with other columns. */
  async #fetchAfterKey(
    { pages, names }: KeyedTable,
    range: PageRange,
    signal: AbortSignal,
  ): Promise<{ readonly chunk: PageChunk; readonly isEnd: boolean } | undefined> {
    try {
      const page = await pages.page(range, signal);
      const { columns } = page.chunk;
      if (!columns || namesOf(columns).symmetricDifference(names).size === 0) return page;
    } catch (thrown) {
      if (!isRefused(thrown)) throw thrown;
    }
    this.#keyed = Promise.resolve(undefined);
    return undefined;
  }
}

/** Whether the endpoint may succeed where the statement failed: it divides pages that are too large. */
function isRefused(thrown: unknown): boolean {
  const status = asServiceError(thrown)?.status ?? 0;
  return asProjectError(thrown)?.code === 'answer_too_large' || (status >= 400 && status < 500 && status !== 429);
}

const namesOf = (columns: readonly Column[]): ReadonlySet<string> => new Set(columns.map(({ name }) => name));

/** The key of the last row. Undefined if the rows do not come in the order of the key. */
function lastKey(rows: readonly Row[], key: string): number | bigint | undefined {
  let last: number | bigint | undefined;
  for (const row of rows) {
    const value = valueIn(row, key);
    const isKey = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isKey || (last !== undefined && value <= last)) return undefined;
    last = value;
  }
  return last;
}
