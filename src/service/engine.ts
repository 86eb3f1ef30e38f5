import type { Column, SqlParameter } from '../wire/values.ts';

/** What a statement came to. Faults are thrown as ServiceError, with the status and code that the caller is to see. */
export type Outcome = RowsOutcome | { readonly kind: 'count'; readonly rowCount: number };

export interface RowsOutcome {
  readonly kind: 'rows';
  /**
   * Rows as JSON objects, several to a text, separated by commas. Nothing is read ahead of the consumer, and leaving
   * the loop early releases what the statement holds.
   */
  readonly batches: Iterable<string>;
  /** Known for sure once the rows have been read. */
  columns(): readonly Column[];
}

/** Where projects' databases live. The handler knows only this. */
export interface Engine {
  execute(projectId: string, sql: string, params: readonly SqlParameter[]): Outcome;
  listTables(projectId: string): string[];
  browse(projectId: string, page: { table: string; limit: number; offset: number }): RowsOutcome;
  close(): void;
}
