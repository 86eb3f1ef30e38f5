/** Saves 5,000 edited cells, and holds 100,000 pending ones. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runTool } from '../../.dev/command.ts';
import { Client } from '../../src/client/index.ts';
import type { SaveStep } from '../../src/model/editing/draft.ts';
import { TableEditing } from '../../src/model/editing/tableEditing.ts';
import type { Row } from '../../src/wire/values.ts';
import { type Bench, millisecondsOf, quantileOf } from '../support/bench.ts';
import { saveEditing } from '../support/savedEditing.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

setFlagsFromString('--expose-gc');
const rowCount = 100_000;
const savedCells = 5000;
const rounds = 7;
const setup = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT)',
  `INSERT INTO people WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
    SELECT i, 'Person number ' || i, 'city ' || (i % 1000) FROM n`,
] as const;

export const bench: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  await using service = await ServiceProcess.start('built');
  const { baseUrl, projectId, apiKey } = await service.project();
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  const project = client.project(projectId);
  for (const sql of setup) await project.sql(sql);
  await using bare = await openBare();
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const editing = new TableEditing(project, 'people');
    await edit(editing, await rowsOf(project, savedCells), `round ${round}`);
    const steps = await editing.steps();
    const bareMs = await millisecondsOf(() => Promise.resolve(bare.run(steps)));
    const serviceMs = await millisecondsOf(() => save(editing, project));
    print('save_5000_ms', serviceMs);
    print('save_5000_bare_ms', bareMs);
    ratios.push(serviceMs / bareMs);
  }
  print('save_5000_ms_vs_bare', quantileOf(ratios, 0.5));
  const rows = await rowsOf(project, rowCount);
  const editing = new TableEditing(project, 'people');
  collectGarbage();
  const before = process.memoryUsage();
  for (let start = 0; start < rowCount; start += 5000) await edit(editing, rows.slice(start, start + 5000), 'pending');
  collectGarbage();
  const after = process.memoryUsage();
  print('rss_growth_mb', (after.rss - before.rss) / 2 ** 20);
  print('heap_growth_mb', (after.heapUsed - before.heapUsed) / 2 ** 20);
  await client.close();
};

/** Without it, the figures count what was dropped long ago. */
const collectGarbage = runInNewContext('gc') as () => void;

type EditedProject = ReturnType<Client['project']>;

const rowsOf = async (project: EditedProject, count: number): Promise<readonly Row[]> =>
  (await project.sql(`SELECT * FROM people LIMIT ${count}`)).rows;

async function edit(editing: TableEditing, rows: readonly Row[], text: string): Promise<void> {
  await editing.setCells(
    rows.map((row, index) => ({
      row: { kind: 'table', row },
      column: 'name',
      value: { kind: 'text', text: `${text} ${index}` },
    })),
  );
}

async function save(editing: TableEditing, project: EditedProject): Promise<void> {
  const outcome = await saveEditing(project, editing);
  if (outcome.kind !== 'saved') throw new Error(`The save ended as ${outcome.kind}.`);
}

interface BareDatabase extends AsyncDisposable {
  run(steps: readonly SaveStep[]): void;
}

/** The same rows in an SQLite database of this process, with the settings of the service. */
async function openBare(): Promise<BareDatabase> {
  const folder = temporaryFolder();
  const database = new DatabaseSync(join(folder, 'bare.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const sql of setup) database.exec(sql);
  return {
    run(steps) {
      for (const { sql, json } of steps) database.prepare(sql).run(json);
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}
