import { parseStatement } from '../parser/parser.ts';

const prefix = 'EXPLAIN QUERY PLAN ';

/** The statement that returns the plan of another statement. */
interface QueryPlanStatement {
  readonly sql: string;
  /** The shift from an offset in the other statement to the same place in this one. */
  readonly shift: number;
}

/** Strips an existing EXPLAIN. */
export function queryPlanStatement(text: string): QueryPlanStatement {
  const { ast } = parseStatement(text);
  const start = ast?.type === 'ExplainStmt' ? ast.stmt.span.offset : 0;
  return { sql: prefix + text.slice(start), shift: prefix.length - start };
}
