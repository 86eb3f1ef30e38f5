import { monotonicClock, systemClock } from '../../src/base/clock.ts';
import { after } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { ProjectRuns, type ProjectRunsParts, type ProjectTarget } from '../../src/model/projectRuns/projectRuns.ts';
import { DiskBudget } from '../../src/model/results/diskBudget.ts';
import { WriteKey } from '../../src/model/results/writeKey.ts';
import type { Run } from '../../src/model/results/run.ts';
import { textOf } from '../../src/protocol/shownValues.ts';
import { disposable } from './disposable.ts';
import { createProject } from './projectKeys.ts';
import { startRowsThread } from './rowsThread.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { startTestService } from './testService.ts';

interface TargetOptions {
  /** Statements that fill the project. */
  readonly setup?: readonly string[];
  /** Another way to the service; its own address unless set. */
  readonly url?: string;
}

/** Projects of a real service, and runs on several of them. They share a folder and a rows thread. */
export async function openProjectRuns() {
  const service = await startTestService();
  const folder = temporaryFolder();
  const thread = startRowsThread();
  after(() => thread.dispose());

  let count = 0;
  async function newTarget(name: string, { setup = [], url }: TargetOptions = {}) {
    const { projectId, apiKey } = await createProject(service.admin, { holderId: 'test', projectName: `${++count}` });
    const client = new Client({ baseUrl: url ?? service.baseUrl, apiKey, retries: 0 });
    after(() => client.close());
    const execute = async (sql: string) => {
      await using direct = new Client({ baseUrl: service.baseUrl, apiKey });
      return (await direct.execSql(projectId, { sql })).rows;
    };
    for (const sql of setup) await execute(sql);
    return { name, projectId, connect: async (): Promise<Client> => client, execute };
  }

  const newRun = (sql: string, targets: readonly ProjectTarget[], parts: Partial<ProjectRunsParts> = {}) =>
    disposable(
      new ProjectRuns({
        targets,
        request: { sql },
        folder,
        thread,
        clock: monotonicClock,
        disk: new DiskBudget(() => Infinity),
        limits: { maxRows: Infinity, maxBytes: Infinity },
        ...parts,
      }),
    );
  const newWrite = (sql: string, targets: readonly ProjectTarget[]) =>
    newRun(
      sql,
      targets.map(target => ({ ...target, newKey: () => new WriteKey(systemClock) })),
    );
  return { service, folder, thread, newTarget, newRun, newWrite };
}

/** The texts of all rows as one line each, in any order. */
export async function sortedRows(run: Run): Promise<string[]> {
  return (await shownRows(run)).toSorted();
}

/** The texts of all rows as one line each, in the order shown. */
export async function shownRows(run: Run): Promise<string[]> {
  const rows = await run.rows(0, run.queries.shownRows);
  return rows.map(row => row.map(cell => (cell.kind === 'null' ? 'NULL' : textOf(cell))).join(' '));
}

/** The state of each project, with the rows that it has given. */
export const statesOf = ({ projects }: Pick<ProjectRuns, 'projects'>): string[] =>
  projects.map(({ name, run }) => `${name} ${run.state} ${run.rowCount}`);

/** Resolves when a change of the run makes the condition true. */
export async function changesUntil(run: Run, isTrue: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(() => isTrue() && resolve());
  if (isTrue()) resolve();
  await promise;
  listener.dispose();
}
