/** What is read with the first statement that is run, and not with the window. */
export { RestoredRun } from './restoredRun.ts';
export { RowsThread } from './queries/rowsThread.ts';
export { StatementRun } from './statementRun.ts';
