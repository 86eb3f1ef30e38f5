import { asProjectError } from '../../base/errors.ts';
import type { Pager, Project } from '../../client/index.ts';
import type { Column, Row, SqlParameter } from '../../wire/values.ts';

export interface PagePlace {
  readonly offset: number;
  readonly limit: number;
}

export interface PagePiece {
  /** Undefined when the service named none and there is no row to tell. */
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly Row[];
}

/** Where the rows of a browsed table come from. */
export interface RowSource {
  /** Pieces from a place on, as many as make up the page. Returns whether there are no rows behind them. */
  read(place: PagePlace, signal: AbortSignal): AsyncGenerator<PagePiece, boolean, void>;
}

export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

/** The table as the service gives it, in an order of its own. */
export function browsedRows(pagerAt: (place: PagePlace) => Pager): RowSource {
  let most = Infinity;
  return {
    async *read(place, signal) {
      const pager = pagerAt(place);
      let left = place.limit;
      // A service may give fewer rows at a time than it is asked for.
      while (left > 0) {
        pager.limit = Math.min(left, most);
        const rows = ((await nextThatFits(pager, signal)) ?? []).slice(0, left);
        if (pager.limit < left) most = pager.limit;
        yield { columns: pager.columns, rows };
        if (pager.done) return true;
        left -= rows.length;
      }
      return false;
    },
  };
}

/** Of rows that are too wide to come all in one answer, fewer are asked for at a time. */
async function nextThatFits(pager: Pager, signal: AbortSignal): Promise<readonly Row[] | null> {
  for (;;) {
    try {
      return await pager.next(signal);
    } catch (thrown) {
      if (asProjectError(thrown)?.code !== 'answer_too_large' || pager.limit === 1) throw thrown;
      pager.limit = Math.ceil(pager.limit / 8);
    }
  }
}

/** The rows of a statement that ends in a place for how many rows and a place for how many to pass over. */
export function statementRows(project: Pick<Project, 'sql'>, { sql, params }: Statement): RowSource {
  return {
    async *read({ offset, limit }, signal) {
      const { columns, rows } = await project.sql(`${sql}\nLIMIT ? OFFSET ?`, [...params, limit, offset], { signal });
      yield { columns, rows };
      return rows.length < limit;
    },
  };
}
