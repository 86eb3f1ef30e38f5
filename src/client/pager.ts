import type { Column, Row } from '../wire/values.ts';
import type { BrowsePage } from '../wire/answers.ts';
import { checkCount } from './transportSettings.ts';

/** What a pager asks of a project. */
export interface BrowsedProject {
  browse(
    table: string,
    options: { readonly limit: number; readonly offset: number; readonly signal?: AbortSignal | undefined },
  ): Promise<BrowsePage>;
}

export interface PagerOptions {
  readonly project: BrowsedProject;
  readonly table: string;
  /** Rows asked for at a time; between 100 and 1000 is a good size. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The rows of a table, page after page, until one comes back empty. */
export class Pager implements AsyncIterable<readonly Row[]> {
  readonly project: BrowsedProject;
  readonly table: string;
  limit: number;
  offset: number;
  done = false;
  /** What the service says of the columns, or else the keys of the first row; undefined until either is there. */
  columns: readonly Column[] | undefined;

  constructor({ project, table, limit = 500, offset = 0 }: PagerOptions) {
    this.project = project;
    this.table = table;
    this.limit = checkCount('limit', limit);
    this.offset = checkCount('offset', offset);
  }

  /** The next page, or null once there is none. After a fault the same page can be asked for again. */
  async next(signal?: AbortSignal): Promise<readonly Row[] | null> {
    if (this.done) return null;
    const { rows, columns } = await this.project.browse(this.table, { limit: this.limit, offset: this.offset, signal });
    this.columns ??= columns ?? (rows[0] && Object.keys(rows[0]).map(name => ({ name, type: '' })));
    this.offset += rows.length;
    this.done = rows.length === 0;
    return this.done ? null : rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Row[], void, undefined> {
    for (let page = await this.next(); page; page = await this.next()) yield page;
  }
}
