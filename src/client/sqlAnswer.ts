import type { Column, Row } from '../wire/values.ts';

/** The whole answer to a statement. */
export interface SqlAnswer {
  readonly rows: readonly Row[];
  /** Undefined when the service named none and there is no row to tell. */
  readonly columns: readonly Column[] | undefined;
  /** For a statement without rows: how many it changed. */
  readonly rowCount: number | undefined;
  readonly replayed: boolean;
}
