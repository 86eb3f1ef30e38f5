import { parseStatement } from '../parser/parser.ts';

const prefix = 'EXPLAIN QUERY PLAN ';

/** The statement that asks for the plan of another. */
export interface QueryPlanStatement {
  readonly sql: string;
  /** How much further behind things stand in it than in the other. */
  readonly shift: number;
}

/** Of a statement that explains already, the plan is that of what it explains. */
export function queryPlanStatement(text: string): QueryPlanStatement {
  const { ast } = parseStatement(text);
  const start = ast?.type === 'ExplainStmt' ? ast.stmt.span.offset : 0;
  return { sql: prefix + text.slice(start), shift: prefix.length - start };
}
