import type { BoundSql } from '../boundSql.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { Project } from '../../client/index.ts';
import type { Column, Row } from '../../wire/values.ts';
import { inAnyRange } from './keysetRanges.ts';
import type { KeysetStatements } from './keysetStatements.ts';
import { type PageEnd, PageEnds } from './pageEnds.ts';
import type { PageChunk, PageRange, PageSource } from './pageSource.ts';
import { mayBeTied, type OrderKey } from './orderKeys.ts';

/** The most pages to skip from a known end. For farther pages, a nearer end is looked up first. */
const maxSkippedPages = 30;
/** An end is looked up this number of pages before the wanted one, so that earlier pages are near an end too. */
const pagesBefore = 20;

type SelectRange = (range: BoundSql | undefined) => BoundSql;

interface Answer {
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly Row[];
}

/**
 * Pages of a statement's rows by keyset: a page begins after the key of the last row before it. So a page costs the same anywhere
 * in the table. If no key distinguishes the last row of a page from the next row, rows are skipped from an earlier end, as OFFSET
 * does.
 */
export class KeysetPages implements PageSource {
  readonly #project: Pick<Project, 'sql'>;
  readonly #statements: KeysetStatements;
  readonly #ends = new PageEnds();
  /** The fetches under way, by the row after their last one. */
  readonly #fetches = new Map<number, Promise<void>>();

  constructor(project: Pick<Project, 'sql'>, statements: KeysetStatements) {
    this.#project = project;
    this.#statements = statements;
  }

  async *fetch(range: PageRange, signal: AbortSignal): AsyncGenerator<PageChunk, boolean, void> {
    const { chunk, isEnd } = await this.page(range, signal);
    yield chunk;
    return isEnd;
  }

  async page(range: PageRange, signal: AbortSignal): Promise<{ readonly chunk: PageChunk; readonly isEnd: boolean }> {
    const { columns, rows } = await this.#fetchInOrder(range, signal);
    return { chunk: { columns, rows: rows.slice(0, range.limit) }, isEnd: rows.length <= range.limit };
  }

  addEnd(row: number, key: OrderKey): void {
    this.#ends.add({ row, key, tiedCount: 0 });
  }

  /** Waits for the page before, if it is under way: rows written between both fetches would come twice or not at all. */
  async #fetchInOrder(range: PageRange, signal: AbortSignal): Promise<Answer> {
    const end = range.offset + range.limit;
    const previous = this.#fetches.get(range.offset);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#fetches.set(end, promise);
    try {
      if (previous) await untilAborted(previous, signal);
      return await this.#fetch(range, signal);
    } finally {
      if (this.#fetches.get(end) === promise) this.#fetches.delete(end);
      resolve();
    }
  }

  /** Returns one row more than wanted, if there is one: it shows whether the last wanted row differs from the next. */
  async #fetch({ offset, limit }: PageRange, signal: AbortSignal): Promise<Answer> {
    const { classes } = this.#statements;
    const end = await this.#endNear({ offset, limit }, signal);
    const select: SelectRange = range => this.#statements.rows(range);
    const { columns, rows } = await this.#rowsAfter(
      end,
      select,
      { offset: offset - end.row, limit: limit + 1 },
      signal,
    );
    const first = this.#statements.keyOf(rows[0]);
    const last = this.#statements.keyOf(rows[limit - 1]);
    const next = this.#statements.keyOf(rows[limit]);
    this.#addEnd(offset + limit, last, next, first);
    return {
      columns: columns?.filter(({ name }) => name !== classes),
      rows: rows.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => name !== classes))),
    };
  }

  /** The nearest known end before a page. If it is far away, looks up a nearer one by keys only, which an index may serve. */
  async #endNear({ offset, limit }: PageRange, signal: AbortSignal): Promise<PageEnd> {
    const nearest = this.#ends.upTo(offset);
    if (offset - nearest.row <= maxSkippedPages * limit) return nearest;
    const row = offset - pagesBefore * limit;
    const select: SelectRange = range => this.#statements.keys(range);
    const { rows } = await this.#rowsAfter(nearest, select, { offset: row - 1 - nearest.row, limit: 2 }, signal);
    const last = this.#statements.keyOf(rows[0]);
    const next = this.#statements.keyOf(rows[1]);
    return this.#addEnd(row, last, next, next) ?? nearest;
  }

  /** Adds the end after a row, unless SQLite may treat `next` as equal to its key. `other` is the key of a row near it. */
  #addEnd(
    row: number,
    key: OrderKey | undefined,
    next: OrderKey | undefined,
    other: OrderKey | undefined,
  ): PageEnd | undefined {
    if (!key || !next || mayBeTied(key, next)) return undefined;
    const { sortedCount } = this.#statements;
    const isTied = other !== undefined && mayBeTied(key, other, sortedCount);
    const end: PageEnd = { row, key, tiedCount: isTied ? sortedCount : 0 };
    this.#ends.add(end);
    return end;
  }

  async #rowsAfter(
    end: PageEnd,
    select: SelectRange,
    { offset, limit }: PageRange,
    signal: AbortSignal,
  ): Promise<Answer> {
    const ranges = this.#statements.rangesAfter(end);
    const found: Row[] = [];
    let columns: readonly Column[] | undefined;
    for (const range of ranges) {
      const isFirst = found.length === 0;
      const part = { offset: isFirst ? offset : 0, limit: limit - found.length };
      const answer = await this.#read(select(range), part, signal);
      if (isFirst) columns = answer.columns;
      found.push(...answer.rows);
      if (found.length >= limit) break;
      // It is unknown how many rows of the range were skipped.
      if (found.length === 0 && offset > 0 && ranges.length > 1) {
        const all = inAnyRange(ranges.filter(term => term !== undefined));
        return this.#read(select(all), { offset, limit }, signal);
      }
    }
    return { columns, rows: found };
  }

  #read({ sql, params }: BoundSql, { offset, limit }: PageRange, signal: AbortSignal): Promise<Answer> {
    return this.#project.sql(`${sql}\nLIMIT ? OFFSET ?`, [...params, limit, offset], { signal });
  }
}
