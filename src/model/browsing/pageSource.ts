import type { BoundSql } from '../boundSql.ts';
import { asProjectError } from '../../base/errors.ts';
import type { Pager, Project } from '../../client/index.ts';
import type { Column, Row } from '../../wire/values.ts';

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** Rows of a page that arrived together. */
export interface PageChunk {
  /** Undefined if the service named none and there is no row to find them in. */
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly Row[];
}

export interface PageSource {
  /** Yields the rows of a page in one or several chunks. Returns whether the table ends there. */
  fetch(range: PageRange, signal: AbortSignal): AsyncGenerator<PageChunk, boolean, void>;
}

export function endpointPages(pagerAt: (range: PageRange) => Pager): PageSource {
  let maxLimit = Infinity;
  return {
    async *fetch(range, signal) {
      const pager = pagerAt(range);
      let missing = range.limit;
      // A service may give fewer rows than the limit says.
      while (missing > 0) {
        pager.limit = Math.min(missing, maxLimit);
        const rows = ((await nextRowsThatFit(pager, signal)) ?? []).slice(0, missing);
        if (pager.limit < missing) maxLimit = pager.limit;
        yield { columns: pager.columns, rows };
        if (pager.done) return true;
        missing -= rows.length;
      }
      return false;
    },
  };
}

/** Lowers the pager's limit until the rows, which may be wide, fit into one answer. */
async function nextRowsThatFit(pager: Pager, signal: AbortSignal): Promise<readonly Row[] | null> {
  for (;;) {
    try {
      return await pager.next(signal);
    } catch (thrown) {
      if (asProjectError(thrown)?.code !== 'answer_too_large' || pager.limit === 1) throw thrown;
      pager.limit = Math.ceil(pager.limit / 8);
    }
  }
}

export function statementPages(project: Pick<Project, 'sql'>, { sql, params }: BoundSql): PageSource {
  return {
    async *fetch({ offset, limit }, signal) {
      const { columns, rows } = await project.sql(`${sql}\nLIMIT ? OFFSET ?`, [...params, limit, offset], { signal });
      yield { columns, rows };
      return rows.length < limit;
    },
  };
}
