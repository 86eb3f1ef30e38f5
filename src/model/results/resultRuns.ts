/** What is read with the first statement that is run, and not with the window. */
export { RestoredRun } from './restoredRun.ts';
export { RowsWorker } from './queries/rowsWorker.ts';
export { StatementRun } from './statementRun.ts';
