import type { RowsRun, StatementRun } from './rowsRun.ts';

/** The run as one that somebody may have to decide on; undefined where there is nothing to decide. */
export function statementRunOf(run: RowsRun): (RowsRun & StatementRun) | undefined {
  return isStatementRun(run) ? run : undefined;
}

function isStatementRun(run: RowsRun & Partial<StatementRun>): run is RowsRun & StatementRun {
  return typeof run.proceed === 'function';
}
