import { parseStatement } from '../parser/parser.ts';

export const queryPlanPrefix = 'EXPLAIN QUERY PLAN ';

/** The statistics of more indexes are not read. */
export const statisticsQuery = 'SELECT tbl, idx, stat FROM sqlite_stat1 LIMIT 10000';

interface QueryPlanStatement {
  readonly sql: string;
  /** The number to add to an offset of the explained statement. */
  readonly shift: number;
}

/** Strips an existing EXPLAIN. */
export function queryPlanStatement(text: string): QueryPlanStatement {
  const { ast } = parseStatement(text);
  const start = ast?.type === 'ExplainStmt' ? ast.stmt.span.offset : 0;
  return { sql: queryPlanPrefix + text.slice(start), shift: queryPlanPrefix.length - start };
}
