import { monotonicClock } from '../../../src/base/clock.ts';
import { Client } from '../../../src/client/index.ts';
import { ProjectRuns } from '../../../src/model/projectRuns/projectRuns.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import type { Run } from '../../../src/model/results/run.ts';
import { StatementRun, type StatementRunParts } from '../../../src/model/results/statementRun.ts';
import { runTool } from '../../../.dev/command.ts';
import { type Bench, millisecondsOf } from '../../support/bench.ts';
import { createProject } from '../../support/projectKeys.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { ServiceProcess } from '../../support/serviceProcess.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const projectCount = 10;
const rowsPerProject = 100_000;
const rounds = 5;

/** The rows per second of ten projects at once, against those of one project with as many rows. */
export const manyProjects: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  await using service = await ServiceProcess.start('built');
  const { baseUrl, adminKey } = await service.file();
  await using admin = new Client({ baseUrl, apiKey: adminKey, retries: 0 });
  await using clients = new AsyncDisposableStack();
  const newProject = async (projectName: string, rowCount: number) => {
    const { projectId, apiKey } = await createProject(admin, { holderId: 'bench', projectName });
    const client = clients.use(new Client({ baseUrl, apiKey, retries: 0 }));
    await client.execSql(projectId, {
      sql: 'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, city TEXT, total REAL)',
    });
    const sql = `INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
      SELECT i, 'customer number ' || i, 'city ' || i % 50, i * 1.25 FROM n`;
    await client.execSql(projectId, { sql });
    return { name: projectName, projectId, client, connect: async () => client };
  };
  const one = await newProject('one', projectCount * rowsPerProject);
  const targets = [];
  for (let nth = 1; nth <= projectCount; nth++) targets.push(await newProject(`many ${nth}`, rowsPerProject));
  const thread = startRowsThread();
  clients.defer(() => thread.dispose());
  const common = {
    request: { sql: 'SELECT * FROM orders' },
    folder: temporaryFolder(),
    thread,
    clock: monotonicClock,
    limits: { maxRows: Infinity, maxBytes: Infinity },
    disk: new DiskBudget(() => Infinity),
  };
  const { client, projectId } = one;
  const send: StatementRunParts['send'] = options =>
    client.execSqlStream(projectId, common.request, { ...options, isReadOnly: true });
  const times = { one: Infinity, many: Infinity };
  for (let round = 0; round < rounds; round++) {
    times.one = Math.min(times.one, await timeOf(new StatementRun({ ...common, send })));
    times.many = Math.min(times.many, await timeOf(new ProjectRuns({ ...common, targets })));
  }
  print('many_projects_rows_per_second', ((projectCount * rowsPerProject) / times.many) * 1000);
  print('many_projects_vs_one', times.one / times.many);
};

async function timeOf(run: Run): Promise<number> {
  run.controls?.reportFirstPaint?.();
  const milliseconds = await millisecondsOf(() => run.start());
  if (run.rowCount !== projectCount * rowsPerProject) throw new Error(`The run has ${run.rowCount} rows.`);
  await run.dispose();
  return milliseconds;
}
