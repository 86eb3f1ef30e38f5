import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { columnList, unusedName } from '../../common/queryText.ts';
import type { StatementRows } from './rowBatches.ts';

/** The function of SQL that takes rows. Only the statements that are made here may call it. */
export const rowFunction = 'svc_take_row';

/**
 * Takes the rows of queries through a function of SQL. That is twice as fast as SQLite's cursor, which makes several JavaScript
 * objects for each row. The statement has a row of its own only where a batch ends, so the cursor stops there.
 */
export class RowFeed {
  #take: (row: SQLOutputValue[]) => boolean = () => false;

  constructor(database: DatabaseSync) {
    database.function(rowFunction, { varargs: true, directOnly: true, useBigIntArguments: true }, (...row) =>
      this.#take(row) ? 1 : 0,
    );
  }

  /** The rows of a statement that `feedingSql` has made. */
  open(statement: StatementSync, values: readonly SQLInputValue[]): StatementRows {
    const cursor = statement.iterate(...values);
    return {
      give: take => {
        this.#take = take;
        return !cursor.next().done;
      },
      close: () => void cursor.return?.(),
    };
  }
}

/**
 * A statement that gives the rows of a query to the function. A statement that is no query comes to a syntax error. The limit
 * changes nothing: SQLite calls the function for the rows of a limited query in their order, after all that the query does.
 */
export function feedingSql(query: string, width: number): string {
  const name = unusedName(query);
  const columns = columnList(width);
  const text = query.endsWith(';') ? query.slice(0, -1) : query;
  // The line break ends a comment.
  return `WITH ${name}(${columns}) AS (SELECT * FROM (${text}\n) LIMIT -1) SELECT 1 FROM ${name} WHERE ${rowFunction}(${columns})`;
}
