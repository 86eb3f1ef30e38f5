import { untilAborted } from '../base/untilAborted.ts';
import { WorkQueue } from '../base/workQueue.ts';
import type { Column, Row } from '../wire/values.ts';
import type { BrowsePage } from '../wire/answers.ts';
import { checkCount } from './checks.ts';

interface BrowsedProject {
  browse(
    table: string,
    options: { readonly limit: number; readonly offset: number; readonly signal?: AbortSignal | undefined },
  ): Promise<BrowsePage>;
}

export interface PagerOptions {
  readonly project: BrowsedProject;
  readonly table: string;
  /** Rows of a page. 100 to 1000 are a good size. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The rows of a table, page after page, until a page is empty. */
export class Pager implements AsyncIterable<readonly Row[]> {
  readonly project: BrowsedProject;
  readonly table: string;
  limit: number;
  offset: number;
  done = false;
  /** The columns that the service names, or else the keys of the first row. Undefined before either has arrived. */
  columns: readonly Column[] | undefined;
  readonly #calls = new WorkQueue();

  constructor({ project, table, limit = 500, offset = 0 }: PagerOptions) {
    this.project = project;
    this.table = table;
    this.limit = checkCount('limit', limit, 1);
    this.offset = checkCount('offset', offset);
  }

  /**
   * The next page, or null at the end. After a fault, the next call fetches the same page again. Calls at the same time wait
   * for each other, so each gets a page of its own, in the order of the calls.
   */
  async next(signal?: AbortSignal): Promise<readonly Row[] | null> {
    const page = this.#calls.run(() => this.#fetch(signal));
    // A call that is aborted while it waits rejects at once. When its turn comes, it sends nothing.
    return untilAborted(page, signal);
  }

  async #fetch(signal: AbortSignal | undefined): Promise<readonly Row[] | null> {
    if (this.done) return null;
    signal?.throwIfAborted();
    // The fields can be set, too.
    const limit = checkCount('limit', this.limit, 1);
    const { rows, columns } = await this.project.browse(this.table, { limit, offset: this.offset, signal });
    // The aborted call has rejected already. The next call must fetch this page again.
    signal?.throwIfAborted();
    this.columns ??= columns ?? (rows[0] && Object.keys(rows[0]).map(name => ({ name, type: '' })));
    this.offset += rows.length;
    this.done = rows.length === 0;
    return this.done ? null : rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Row[], void, undefined> {
    for (let page = await this.next(); page; page = await this.next()) yield page;
  }
}
