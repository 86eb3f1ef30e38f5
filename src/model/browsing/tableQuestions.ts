import { misuse } from '../../base/errors.ts';
import type { CellRange, FindStep, Found, Summary } from '../../protocol/rowQueries.ts';
import { type TaggedValue, tagValue } from '../../wire/values.ts';
import type { RowQueries, SqliteFileRequest, TextRequest, WorkOptions } from '../results/rowQueries.ts';
import { plainStatement } from './arrangedStatement.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { findInRows, valueIn } from './findInRows.ts';
import type { Statement } from './rowSource.ts';
import { type Gathered, gatherAll, gatherRanges, restOf } from './tableGatherer.ts';
import type { TableLook } from './tableLook.ts';

/** Rows that are asked for so that they can be copied, or be summed up with each step of a selection. */
const mostCopied = 100_000;
const mostSummed = 10_000;

type Questions = Pick<RowQueries, 'find' | 'summarize' | 'text' | 'writeSqliteFile' | 'cell'>;

/** What can be asked of a table's rows beyond what they are. */
export class TableQuestions implements Questions {
  readonly #request: BrowseRequest;
  readonly #look: () => TableLook;

  constructor(request: BrowseRequest, look: () => TableLook) {
    this.#request = request;
    this.#look = look;
  }

  /** What gives all of the rows. */
  get statement(): Statement {
    return this.#look().statement ?? plainStatement(this.#request.table);
  }

  async cell(row: number, column: number): Promise<TaggedValue> {
    const { pages, columns } = this.#look();
    const [found] = await pages.rows(row, row + 1);
    const name = columns[column]?.name;
    if (!found || name === undefined) throw misuse('no_such_cell', 'This cell is no longer there.');
    return tagValue(valueIn(found, name));
  }

  /** Looks through the rows that are loaded: a service is not to read a whole table with each letter that is typed. */
  find(step: FindStep): Promise<Found> {
    const { pages, columns } = this.#look();
    const { pageSize } = this.#request;
    const loaded = pages.loaded.map(({ number, rows }) => ({ firstRow: number * pageSize, rows }));
    return Promise.resolve(findInRows(loaded, columns, step));
  }

  async summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    const { rows, ranges: gathered } = await this.#gather({ ranges }, { ...options, most: mostSummed });
    await using _rows = rows;
    return await rows.queries.summarize(gathered, restOf(options));
  }

  async *text(request: TextRequest, options: WorkOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const { rows, ranges } = await this.#gather(request, { ...options, most: mostCopied });
    await using _rows = rows;
    yield* rows.queries.text({ ...request, ranges }, restOf(options));
  }

  async writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    const { rows, ranges } = await this.#gather(request, { ...options, most: mostCopied });
    await using _rows = rows;
    await rows.queries.writeSqliteFile({ ...request, ranges }, restOf(options));
  }

  async #gather(
    { ranges, whole = false }: Pick<TextRequest, 'ranges' | 'whole'>,
    options: WorkOptions & { readonly most: number },
  ): Promise<Gathered> {
    const look = this.#look();
    if (!whole) return gatherRanges(this.#request, look, ranges, options);
    return gatherAll(this.#request, look, this.statement, { ...options, columns: ranges[0]?.columns ?? [] });
  }
}
