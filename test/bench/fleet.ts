/**
 * Many projects on one machine: each makes a few calls a second, most of them to few projects, as users do. Measures how long
 * calls take with 1 to 1,000 projects, and how long a project that is not open needs for its first answer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { runTool } from '../../.dev/command.ts';
import { Client } from '../../src/client/index.ts';
import { seeded } from '../fuzz/random.ts';
import type { Bench } from '../support/bench.ts';
import { createProject } from '../support/projectKeys.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';

const sizes = [1, 10, 100, 1000];
/** Calls a second, for each project. */
const rate = 0.2;
const minCalls = 200;
/** A service whose calls take longer is overloaded. Figures for more projects would say nothing. */
const maxP95Ms = 1000;
/** How many calls may wait at once. The times show whether a service is overloaded. */
const maxUnderWay = 500;
/** A client for each of 1,000 projects, each with a second connection for a call that overtakes another. */
const maxConnections = 4096;
/** More projects than the service starts processes for: the others open in a process that runs. */
const coldProjects = 13;

export const bench: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  const projects: FleetProject[] = [];
  const folder = await loads(print, projects);
  await coldAnswers(print, folder, projects.slice(0, coldProjects));
};

type Print = Parameters<Bench>[0];

/** Returns the data folder. */
async function loads(print: Print, projects: FleetProject[]): Promise<string> {
  await using service = await ServiceProcess.start('built', { options: ['--max-connections', String(maxConnections)] });
  const { baseUrl, adminKey } = await service.file();
  await using admin = new Client({ baseUrl, apiKey: adminKey, retries: 0 });
  let servedCount = 0;
  for (const size of sizes) {
    while (projects.length < size) projects.push(await newProject(admin, baseUrl, projects.length));
    const times = await load(projects, size);
    print(`p50_${size}`, at(times, 0.5));
    print(`p95_${size}`, at(times, 0.95));
    if (at(times, 0.95) > maxP95Ms) break;
    servedCount = size;
  }
  print('kept_up_with', servedCount);
  for (const { client } of projects) await client.close();
  return service.folder;
}

/** The first answers of a service that has just started. Its first projects start processes. */
async function coldAnswers(print: Print, folder: string, projects: readonly FleetProject[]): Promise<void> {
  await using service = await ServiceProcess.start('built', { folder });
  const { baseUrl } = await service.file();
  const times: number[] = [];
  for (const { projectId, apiKey } of projects) {
    await using client = new Client({ baseUrl, apiKey, retries: 0 });
    const started = performance.now();
    await client.execSql(projectId, { sql: 'SELECT count(*) AS n FROM log' });
    times.push(performance.now() - started);
  }
  const processes = times.slice(0, service.children.length);
  print('cold_first_answer_ms', at(processes, 0.5));
  print('cold_first_answer_shared_ms', at(times.slice(processes.length), 0.5));
}

interface FleetProject {
  readonly projectId: string;
  readonly apiKey: string;
  readonly client: Client;
}

async function newProject(admin: Client, baseUrl: string, nth: number): Promise<FleetProject> {
  const pair = { holderId: `holder ${nth % 50}`, projectName: `project ${nth}` };
  const { projectId, apiKey } = await createProject(admin, pair);
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  await client.execSql(projectId, { sql: 'CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)' });
  return { projectId, apiKey, client };
}

/** The times of all calls in milliseconds, from when they were due. Projects get calls by Zipf's law. */
async function load(projects: readonly FleetProject[], size: number): Promise<number[]> {
  const random = seeded(size);
  const weights = Array.from({ length: size }, (_, nth) => 1 / (nth + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const pick = (): FleetProject => {
    let left = random() * total;
    const found = weights.findIndex(weight => (left -= weight) <= 0);
    return projects[Math.max(0, found)]!;
  };
  const callCount = Math.max(minCalls, 2 * size);
  // One project alone would take an hour for its calls: the load of a machine is at least that of ten projects.
  const gapMs = 1000 / (rate * Math.max(10, size));
  const times: number[] = [];
  const underWay = new Set<Promise<void>>();
  const started = performance.now();
  for (let nth = 0; nth < callCount; nth++) {
    const due = started + nth * gapMs;
    await delay(Math.max(0, due - performance.now()));
    if (underWay.size >= maxUnderWay) await Promise.race(underWay);
    const { client, projectId } = pick();
    const sql = nth % 5 === 0 ? `INSERT INTO log (text) VALUES ('a line')` : 'SELECT count(*) AS n FROM log';
    const call = client
      .execSql(projectId, { sql })
      .then(() => void times.push(performance.now() - due))
      .finally(() => underWay.delete(call));
    underWay.add(call);
  }
  await Promise.all(underWay);
  return times;
}

const at = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!;
