import { disposable } from './disposable.ts';
import { after } from 'node:test';
import { monotonicClock } from '../../src/base/clock.ts';
import { DiskBudget } from '../../src/model/results/diskBudget.ts';
import type { RunLimits } from '../../src/model/results/runBudget.ts';
import { StatementRun } from '../../src/model/results/statementRun.ts';
import { startRowsThread } from './rowsThread.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { startTestService } from './testService.ts';

/** Statements that run in the test service. They share a folder and a rows thread, which end with the tests of the file. */
export async function openStatementRuns() {
  const { client, projectId } = await startTestService();
  const folder = temporaryFolder();
  const thread = startRowsThread();
  after(() => thread.dispose());
  /** A run that is not started yet. It has no limits unless they are set. */
  const newRun = (sql: string, limits: Partial<RunLimits> = {}, disk = new DiskBudget(() => Infinity)) =>
    disposable(
      new StatementRun({
        send: options => client.execSqlStream(projectId, { sql }, options),
        folder,
        thread,
        clock: monotonicClock,
        disk,
        limits: { maxRows: Infinity, maxBytes: Infinity, ...limits },
      }),
    );
  return { client, projectId, folder, thread, newRun };
}
