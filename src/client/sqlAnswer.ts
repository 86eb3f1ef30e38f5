import type { Column, Row } from '../wire/values.ts';
import type { RowScanner } from './rowScanner.ts';

/** The whole answer to a statement. */
export interface SqlAnswer {
  readonly rows: readonly Row[];
  /** Undefined when the service named none and there is no row to tell. */
  readonly columns: readonly Column[] | undefined;
  /** For a statement without rows: how many it changed. */
  readonly rowCount: number | undefined;
  readonly replayed: boolean;
}

export async function readSqlAnswer(scanner: RowScanner): Promise<SqlAnswer> {
  const rows: Row[] = [];
  for await (const batch of scanner.batches()) for (const row of batch) rows.push(row);
  const fault = scanner.err();
  if (fault) throw fault;
  return { rows, columns: scanner.columns, rowCount: scanner.rowCount, replayed: scanner.replayed };
}
