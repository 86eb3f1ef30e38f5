/** What is read with the first statement that is run, and not with the window. */
export { KeptRun } from './keptRun.ts';
export { RowsWorker } from './queries/rowsWorker.ts';
export { ResultRun } from './resultRun.ts';
