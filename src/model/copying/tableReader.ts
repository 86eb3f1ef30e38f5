import { type Clock, delay } from '../../base/clock.ts';
import type { Project } from '../../client/index.ts';
import { literal } from '../../sql/text/quoting.ts';
import type { TableSource } from '../importing/journal.ts';
import { refusalOf, retryAfterOf } from '../importing/refusal.ts';
import type { Place, RowBlock, RowReader } from '../importing/sourceRow.ts';
import { pageRow, type PageRow, pageSql, storedValue } from './pageStatement.ts';

/** A page is one answer. It is kept until its rows are encoded, so it is as small as a batch. */
const wantedPageSize = 512 * 1024;
const maxPageSize = 2 * 1024 * 1024;
const firstPageRows = 200;
const maxPageRows = 10_000;

/** A service that is started anew is there after some seconds. */
const maxAttempts = 8;
const firstWaitMs = 500;
const maxWaitMs = 8000;

export interface TableReaderParts {
  readonly source: TableSource;
  /** Gives the project with its present key. */
  readonly open: () => Promise<Project>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Page {
  readonly rows: readonly PageRow[];
  readonly isLast: boolean;
}

/**
 * Reads a table of a project page by page, in the order of its key. Each page is a statement of its own that begins behind the
 * last row, so no answer stays open while rows are written, and nothing is lost when the service starts anew between two pages.
 */
export class TableReader implements RowReader {
  readonly #parts: TableReaderParts;

  constructor(parts: TableReaderParts) {
    this.#parts = parts;
  }

  get columns(): readonly string[] {
    return this.#parts.source.columns;
  }

  async *blocks(from: Place): AsyncGenerator<RowBlock> {
    let place = from;
    let pageRows = firstPageRows;
    for (;;) {
      const { rows, isLast } = await this.#page(place, pageRows);
      if (rows.length > 0) {
        const block = blockOf(rows, place);
        yield block;
        place = block.placeBehind(rows.length - 1);
        pageRows = nextPageRows(rows);
      }
      if (isLast) return;
    }
  }

  /** The rows behind a place. It is asked for again while the service does not answer. */
  async #page(place: Place, maxRows: number): Promise<Page> {
    const { source, open, clock, signal } = this.#parts;
    const sql = pageSql(source, place, maxRows);
    let waitMs = firstWaitMs;
    for (let attempt = 1; ; attempt++) {
      const rows: PageRow[] = [];
      try {
        const isCut = await this.#read(await open(), sql, rows);
        return { rows, isLast: !isCut && rows.length < maxRows };
      } catch (thrown) {
        signal.throwIfAborted();
        // Rows before a fault are whole, and the next page begins behind them.
        if (rows.length > 0) return { rows, isLast: false };
        const refusal = refusalOf(thrown);
        if ((refusal !== 'unknown' && refusal !== 'later') || attempt === maxAttempts) throw thrown;
        await delay(clock, Math.max(waitMs, retryAfterOf(thrown) ?? 0), signal);
        waitMs = Math.min(2 * waitMs, maxWaitMs);
      }
    }
  }

  /** Whether the page was cut off because its rows are larger than those before them. */
  async #read(project: Project, sql: string, rows: PageRow[]): Promise<boolean> {
    const { source, signal } = this.#parts;
    let size = 0;
    await using scanner = await project.stream(sql, null, { reads: true, signal });
    for await (const row of scanner) {
      const read = pageRow(source, row);
      rows.push(read);
      size += read.size;
      if (size >= maxPageSize) return true;
    }
    const fault = scanner.err();
    if (fault) throw fault;
    return false;
  }
}

/** The rows of a page of about the wanted size. */
function nextPageRows(rows: readonly PageRow[]): number {
  const size = rows.reduce((sum, row) => sum + row.size, 0);
  return Math.max(1, Math.min(maxPageRows, Math.floor((wantedPageSize * rows.length) / Math.max(1, size))));
}

const blockOf = (rows: readonly PageRow[], from: Place): RowBlock => ({
  rows: rows.map(({ cells }, index) => ({ line: from.rows + index + 1, cells })),
  placeBehind: index => ({
    rows: from.rows + index + 1,
    line: from.rows + index + 2,
    bytes: 0,
    key: rows[index]!.key.map(storedValue),
  }),
  texts: { textOf: index => rows[index]!.cells.map(cell => literal(cell)).join(', ') },
});
