/** Compares the Worker on workerd with the engine on SQLite files, and with a bare object, in one run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { runTool } from '../../.dev/command.ts';
import { startWorkers, workerdProgram } from '../../.dev/workers.ts';
import { Client } from '../../src/client/index.ts';
import { exactSelect } from '../../src/service/engines/durable/exactSelect.ts';
import { type Bench, millisecondsOf, quantileOf } from '../support/bench.ts';
import { OwnedChild } from '../support/childProcesses.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rowCount = 300_000;
const inserts = 500;
const warmCalls = 300;
const calls = 1000;
const rounds = 5;
const create = 'CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT, score REAL, visits INTEGER)';
const fill = `INSERT INTO rows WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
  SELECT i, 'Customer number ' || i, i / 7.0, i * 7919 % 1000 FROM n`;
const createLog = 'CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)';
const insert = `INSERT INTO log (text) VALUES ('a line of the log')`;

export const bench: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  await using sqlite = await ServiceProcess.start('built');
  await using files = await fileTarget(sqlite);
  await using bare = await BareObject.start();
  const folder = temporaryFolder();
  const { child, baseUrl } = await startWorkers({ folder, adminKey: 'bench', vars: { RATE_LIMIT: '1000000/s' } });
  await using _owned = new OwnedChild(child);
  await using worker = await WorkerTarget.start(baseUrl);
  await streamRates(print, files, worker);
  await insertRates(print, worker, bare);
  await rewriteCost(print, bare);
  await routerOverhead(print, worker, bare);
};

type Print = Parameters<Bench>[0];

interface Target {
  readonly client: Client;
  readonly projectId: string;
}

async function fileTarget(service: ServiceProcess): Promise<Target & AsyncDisposable> {
  const { baseUrl, projectId, apiKey } = await service.project();
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  for (const sql of [create, fill]) await client.execSql(projectId, { sql });
  return { client, projectId, [Symbol.asyncDispose]: () => client.close() };
}

async function streamRates(print: Print, files: Target, worker: Target): Promise<void> {
  let filesMs = Infinity;
  let workerMs = Infinity;
  for (let round = 0; round < rounds; round++) {
    filesMs = Math.min(filesMs, await millisecondsOf(() => readAll(files)));
    workerMs = Math.min(workerMs, await millisecondsOf(() => readAll(worker)));
  }
  print('stream_vs_sqlite', filesMs / workerMs);
}

async function readAll({ client, projectId }: Target): Promise<void> {
  await using scanner = await client.execSqlStream(projectId, { sql: 'SELECT * FROM rows' });
  let count = 0;
  for await (const batch of scanner.batches()) count += batch.length;
  if (count !== rowCount) throw new Error(`The stream had ${count} rows.`);
}

/** One after the other, as a user of one connection sees them. */
async function insertRates(print: Print, worker: Target, bare: BareObject): Promise<void> {
  await bare.call({ run: createLog });
  const ways = {
    bare: () => bare.call({ run: insert }),
    worker: () => worker.client.execSql(worker.projectId, { sql: insert }),
  };
  const times = { bare: Infinity, worker: Infinity };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['bare', 'worker'] as const) {
      const ms = await millisecondsOf(async () => {
        for (let nth = 0; nth < inserts; nth++) await ways[name]();
      });
      times[name] = Math.min(times[name], ms);
    }
  }
  print('bare_inserts_per_s', (1000 * inserts) / times.bare);
  print('inserts_per_s', (1000 * inserts) / times.worker);
  print('insert_vs_bare_do', times.bare / times.worker);
}

/** The time within one object, since that of the transport is the same. */
async function rewriteCost(print: Print, bare: BareObject): Promise<void> {
  for (const sql of [create, fill]) await bare.call({ run: sql });
  const exact = exactSelect('SELECT * FROM rows', ['id', 'name', 'score', 'visits'], []);
  let plainMs = Infinity;
  let exactMs = Infinity;
  for (let round = 0; round < rounds; round++) {
    plainMs = Math.min(plainMs, Number(await bare.call({ rows: 'SELECT * FROM rows' })));
    exactMs = Math.min(exactMs, Number(await bare.call({ texts: exact })));
  }
  print('exact_rewrite_cost', exactMs / plainMs);
}

/** A call that the router passes to its object, beside a call of an object without the service. Both are warm. */
async function routerOverhead(print: Print, { url, headers }: WorkerTarget, bare: BareObject): Promise<void> {
  const body = JSON.stringify({ sql: 'SELECT 1 AS one' });
  const routed: number[] = [];
  const direct: number[] = [];
  for (let nth = 0; nth < warmCalls + calls; nth++) {
    direct.push(await millisecondsOf(() => bare.call({ rows: 'SELECT 1 AS one' })));
    routed.push(await millisecondsOf(async () => (await fetch(url, { method: 'POST', headers, body })).text()));
  }
  print('router_overhead_ms', quantileOf(routed.slice(warmCalls), 0.95) - quantileOf(direct.slice(warmCalls), 0.95));
}

/** A project of the Worker. */
class WorkerTarget implements Target, AsyncDisposable {
  readonly client: Client;
  readonly projectId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;

  private constructor(baseUrl: string, projectId: string, apiKey: string) {
    this.client = new Client({ baseUrl, apiKey, retries: 0 });
    this.projectId = projectId;
    this.url = `${baseUrl}/serviceSql/projects/${projectId}/sql`;
    this.headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  }

  static async start(baseUrl: string): Promise<WorkerTarget> {
    await using admin = new Client({ baseUrl, apiKey: 'bench', retries: 0 });
    const { projectId } = await admin.initProject({ holderId: 'bench', projectName: 'bench' });
    const { apiKey } = await admin.issueKey({ projectId, holderId: 'bench', projectName: 'bench', user: 'bench' });
    const target = new WorkerTarget(baseUrl, projectId, apiKey);
    for (const sql of [create, fill, createLog]) await target.client.execSql(projectId, { sql });
    return target;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

const bareWorker = `import { DurableObject } from 'cloudflare:workers';
export class Bare extends DurableObject {
  async fetch(request) {
    const { run, rows, texts } = await request.json();
    const started = performance.now();
    if (run) for (const _ of this.ctx.storage.sql.exec(run));
    let text = '';
    if (rows) {
      const found = [];
      for (const row of this.ctx.storage.sql.exec(rows)) if (found.push(row) === 256) { text = JSON.stringify(found); found.length = 0; }
      text = JSON.stringify(found);
    }
    if (texts) {
      const found = [];
      for (const [row] of this.ctx.storage.sql.exec(texts).raw()) if (found.push(row) === 256) { text = found.join(','); found.length = 0; }
      text = found.join(',');
    }
    return new Response(String(performance.now() - started));
  }
}
export default { fetch: (request, env) => env.BARE.getByName('one').fetch(request) };
`;
const bareConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .worker), (name = "disk", disk = (path = "objects", writable = true)) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ]);
const worker :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed "worker.js") ],
  compatibilityDate = "2026-11-01",
  bindings = [ (name = "BARE", durableObjectNamespace = "Bare") ],
  durableObjectNamespaces = [ (className = "Bare", uniqueKey = "bare", enableSql = true) ],
  durableObjectStorage = (localDisk = "disk"));
`;

/** An object that does nothing but run statements. */
class BareObject implements AsyncDisposable {
  readonly #owned: OwnedChild<ChildProcess>;
  readonly #url: string;

  private constructor(owned: OwnedChild<ChildProcess>, url: string) {
    this.#owned = owned;
    this.#url = url;
  }

  static async start(): Promise<BareObject> {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'objects'));
    await writeFile(join(folder, 'worker.js'), bareWorker);
    await writeFile(join(folder, 'workerd.capnp'), bareConfig);
    const child = spawn(workerdProgram(), ['serve', 'workerd.capnp', '--control-fd=3'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    const owned = new OwnedChild<ChildProcess>(child);
    const [line] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer];
    const { port } = JSON.parse(String(line)) as { port: number };
    return new BareObject(owned, `http://127.0.0.1:${port}`);
  }

  /** Milliseconds within the object. */
  async call(body: object): Promise<string> {
    return (await fetch(this.#url, { method: 'POST', body: JSON.stringify(body) })).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }
}
