import { asProjectError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { Project } from '../../client/index.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import type { Row } from '../../wire/values.ts';
import { valueIn } from './findInRows.ts';
import type { PageChunk, PageRange, PageSource } from './pageSource.ts';

/** Pages nearer to the start come from the browse endpoint: skipping their rows costs less than a query for the key. */
const nearPages = 20;
/** More ends are forgotten, the oldest first. */
const maxEnds = 500;

/** The key of a row in the service's own order. */
type RowKey = number | bigint;

interface KeyedPagesOptions {
  readonly project: Pick<Project, 'sql'>;
  readonly table: string;
  /** The pages of the browse endpoint. */
  readonly endpoint: PageSource;
}

/**
 * Pages in the service's own order, which is that of the row id. The browse endpoint skips all rows before a page. So a page
 * after a known one is read by a statement, from the key of the last row on. It costs the same anywhere in the table, and rows
 * that are written between two fetches neither repeat nor hide others. All other pages come from the endpoint, and so do all
 * pages of a table without an INTEGER PRIMARY KEY, and of a service whose rows come in another order.
 */
export class KeyedPages implements PageSource {
  readonly #options: KeyedPagesOptions;
  /** The name of the INTEGER PRIMARY KEY. Undefined if there is none, or if the service does not report it. */
  #key: Promise<string | undefined> | undefined;
  /** The keys of the last rows of pages, by the number of the row after them. */
  readonly #ends = new Map<number, RowKey>();
  /** The fetches under way, by the row after their last one. */
  readonly #fetches = new Map<number, Promise<void>>();
  /** The names of the columns that the endpoint gives. */
  #names: ReadonlySet<string> | undefined;
  #isTrusted = true;

  constructor(options: KeyedPagesOptions) {
    this.#options = options;
  }

  async *fetch(range: PageRange, signal: AbortSignal): AsyncGenerator<PageChunk, boolean, void> {
    const isNear = range.offset < nearPages * range.limit;
    const key = isNear || !this.#isTrusted ? undefined : await this.#knownKey(signal);
    if (key === undefined) return yield* this.#options.endpoint.fetch(range, signal);
    const endRow = range.offset + range.limit;
    const previous = this.#fetches.get(range.offset);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#fetches.set(endRow, promise);
    try {
      // This page begins after the last row of that one.
      if (previous) await untilAborted(previous, signal);
      const end = this.#ends.get(range.offset);
      const answer = end === undefined ? undefined : await this.#rowsAfter(end, { key, range, signal });
      if (!answer) return yield* this.#fetchByEndpoint(key, range, signal);
      this.#addEnd(range.offset + answer.rows.length, keyIn(answer.rows.at(-1), key));
      yield answer;
      return answer.rows.length < range.limit;
    } finally {
      if (this.#fetches.get(endRow) === promise) this.#fetches.delete(endRow);
      resolve();
    }
  }

  async *#fetchByEndpoint(
    key: string,
    range: PageRange,
    signal: AbortSignal,
  ): AsyncGenerator<PageChunk, boolean, void> {
    const chunks = this.#options.endpoint.fetch(range, signal);
    let last: RowKey | undefined;
    let row = range.offset;
    for (;;) {
      const step = await chunks.next();
      if (step.done) {
        if (row > range.offset) this.#addEnd(row, last);
        return step.value;
      }
      for (const received of step.value.rows) {
        const next = keyIn(received, key);
        // The service has an order of its own.
        if (next === undefined || (last !== undefined && next <= last)) this.#distrust();
        last = next;
      }
      row += step.value.rows.length;
      this.#names = namesOf(step.value);
      yield step.value;
    }
  }

  /** Undefined if the service does not let the rows be read by a statement, or gives other columns then. */
  async #rowsAfter(
    end: RowKey,
    { key, range, signal }: { readonly key: string; readonly range: PageRange; readonly signal: AbortSignal },
  ): Promise<PageChunk | undefined> {
    const name = quoteIdentifierIfNeeded(key);
    const table = quoteIdentifierIfNeeded(this.#options.table);
    const sql = `SELECT * FROM ${table}\nWHERE ${name} > ?\nORDER BY ${name}\nLIMIT ?`;
    try {
      const answer = await this.#options.project.sql(sql, [end, range.limit], { reads: true, signal });
      const names = namesOf(answer);
      if (!this.#names || !names || names.symmetricDifference(this.#names).size === 0) return answer;
    } catch (thrown) {
      if (!isRefused(thrown)) throw thrown;
    }
    this.#distrust();
    return undefined;
  }

  async #knownKey(signal: AbortSignal): Promise<string | undefined> {
    this.#key ??= readIntegerKey(this.#options).catch(() => undefined);
    const key = await this.#key;
    signal.throwIfAborted();
    return key;
  }

  #addEnd(row: number, key: RowKey | undefined): void {
    if (key === undefined || !this.#isTrusted) return;
    const former = this.#ends.get(row);
    // Rows were written between the fetches, so later ends have other numbers.
    if (former !== undefined && former !== key) {
      for (const other of this.#ends.keys()) if (other > row) this.#ends.delete(other);
    }
    this.#ends.delete(row);
    this.#ends.set(row, key);
    if (this.#ends.size > maxEnds) this.#ends.delete(this.#ends.keys().next().value!);
  }

  #distrust(): void {
    this.#isTrusted = false;
    this.#ends.clear();
  }
}

/** Whether the endpoint may give rows that a statement does not: it divides pages that are too large. */
function isRefused(thrown: unknown): boolean {
  const status = asServiceError(thrown)?.status ?? 0;
  return asProjectError(thrown)?.code === 'answer_too_large' || (status >= 400 && status < 500 && status !== 429);
}

const namesOf = ({ columns }: Pick<PageChunk, 'columns'>): ReadonlySet<string> | undefined =>
  columns && new Set(columns.map(({ name }) => name));

function keyIn(row: Row | undefined, key: string): RowKey | undefined {
  const value = row && valueIn(row, key);
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? (value as RowKey) : undefined;
}

/** The column that is another name of the row id. A primary key with an index of its own is not one. */
async function readIntegerKey({ project, table }: KeyedPagesOptions): Promise<string | undefined> {
  const sql = `SELECT max(name) AS name FROM pragma_table_info(?) WHERE pk > 0
HAVING count(*) = 1 AND max(upper(type)) = 'INTEGER'
  AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk')`;
  const { rows } = await project.sql(sql, [table, table], { reads: true });
  const name = rows[0]?.['name'];
  return typeof name === 'string' ? name : undefined;
}
