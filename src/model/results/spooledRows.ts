import type { Arrangement, CellRange, FindStep, Found, Summary } from '../../protocol/rowQueries.ts';
import type { ShownValue, TaggedValue } from '../../wire/values.ts';
import type { SpoolQueries } from './queries/spoolQueries.ts';
import type { QueriedRows, SqliteFileRequest, TextRequest, WorkOptions } from './rowsRun.ts';

/** What can be asked of rows that stand in a spool, wherever they came from. */
export abstract class SpooledRows implements QueriedRows {
  protected abstract readonly queries: SpoolQueries;

  get order(): number {
    return this.queries.order;
  }

  get arrangement(): Arrangement {
    return this.queries.arrangement;
  }

  get arranging(): number | undefined {
    return this.queries.arranging;
  }

  get finding(): number | undefined {
    return this.queries.finding;
  }

  get shownRows(): number {
    return this.queries.shownRows;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.queries.rows(start, count);
  }

  cell(row: number, column: number): Promise<TaggedValue> {
    return this.queries.cell(row, column);
  }

  arrange(arrangement: Arrangement, options?: WorkOptions): Promise<void> {
    return this.queries.arrange(arrangement, options);
  }

  find(step: FindStep, options: WorkOptions): Promise<Found> {
    return this.queries.find(step, options);
  }

  summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    return this.queries.summarize(ranges, options);
  }

  text(request: TextRequest, options: WorkOptions): AsyncIterable<Uint8Array> {
    return this.queries.text(request, options);
  }

  writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    return this.queries.writeSqliteFile(request, options);
  }
}
