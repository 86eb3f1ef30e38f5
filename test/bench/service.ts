/** Compares the local service over HTTP with bare SQLite, and measures its idle costs. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runTool } from '../../.dev/command.ts';
import { Caller, callBytes, type LoadTarget, openSocket } from '../support/httpLoad.ts';
import type { Holding } from '../support/idleProjects.ts';
import { memoryOf } from '../support/memoryOf.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { type Bench, millisecondsOf } from '../support/bench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rowCount = 1_000_000;
const create = 'CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT, score REAL, visits INTEGER)';
const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
  INSERT INTO rows SELECT i, 'Customer number ' || i, i / 7.0, i * 7919 % 1000 FROM n`;
const readAll = 'SELECT * FROM rows';

export const bench: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  await speeds(print);
  await slowReaders(print);
  await idleProjects(print);
};

type Print = Parameters<Bench>[0];

async function speeds(print: Print): Promise<void> {
  await using service = await ServiceProcess.start('built');
  const target = await targetOf(service);
  const folder = temporaryFolder();
  const bare = new DatabaseSync(join(folder, 'bare.sqlite'));
  bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const sql of [create, fill, 'CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)']) {
    bare.exec(sql);
    await run(target, sql);
  }
  await stream(print, target, bare);
  await inserts(print, target, bare);
  bare.close();
  await points(print, target);
}

async function targetOf(service: ServiceProcess): Promise<LoadTarget> {
  const { baseUrl, projectId, apiKey } = await service.project();
  return { baseUrl, path: `/serviceSql/projects/${projectId}/sql`, apiKey };
}

async function run(target: LoadTarget, sql: string, params: readonly unknown[] = []): Promise<void> {
  await using caller = await Caller.open(target.baseUrl);
  const status = await caller.call(callBytes(target, { sql, params }));
  if (status !== 200) throw new Error(`${sql} came to ${status}.`);
}

/** Measures both ways in turns, because the machine may be busy for a while. The best time of each counts. */
async function stream(print: Print, target: LoadTarget, bare: DatabaseSync): Promise<void> {
  const times = { bare: Infinity, http: Infinity };
  for (let round = 0; round < 5; round++) {
    times.bare = Math.min(times.bare, await millisecondsOf(() => readBare(bare)));
    times.http = Math.min(times.http, await millisecondsOf(() => readOverHttp(target)));
  }
  print('stream_rows_per_s', (1000 * rowCount) / times.http);
  print('stream_vs_bare', times.bare / times.http);
}

function readBare(database: DatabaseSync): number {
  const statement = database.prepare(readAll);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  let bytes = 0;
  let batch: Record<string, unknown>[] = [];
  const flush = (): void => {
    bytes += Buffer.from(JSON.stringify(batch)).length;
    batch = [];
  };
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<unknown[]>) {
    const object: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) object[names[i]!] = row[i];
    if (batch.push(object) === 256) flush();
  }
  flush();
  return bytes;
}

async function readOverHttp({ baseUrl, path, apiKey }: LoadTarget): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const sent = request(`${baseUrl}${path}`, { method: 'POST', headers });
  sent.end(JSON.stringify({ sql: readAll }));
  // The answer reports an error that comes after its head.
  sent.on('error', () => undefined);
  const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  return bytes;
}

async function inserts(print: Print, target: LoadTarget, bare: DatabaseSync): Promise<void> {
  const sql = 'INSERT INTO log (text) VALUES (?)';
  const statement = bare.prepare(sql);
  const rates = { bare: 0, http: 0, keyed: 0 };
  const call = callBytes(target, { sql, params: ['a line of a log'] });
  const count = 4000;
  for (let round = 0; round < 4; round++) {
    const alone = await millisecondsOf(() => {
      for (let i = 0; i < count; i++) statement.run('a line of a log');
    });
    const times = await load(target, { callers: 16, count, next: () => call });
    rates.bare = Math.max(rates.bare, (1000 * count) / alone);
    rates.http = Math.max(rates.http, (1000 * count) / times.whole);
    const keyedCalls = Array.from({ length: count }, (_, i) =>
      callBytes(target, { sql, params: ['a line of a log'] }, `round ${round}, insert ${i}`),
    );
    const keyed = await load(target, { callers: 16, count, next: turn => keyedCalls[turn]! });
    rates.keyed = Math.max(rates.keyed, (1000 * count) / keyed.whole);
  }
  print('inserts_per_s', rates.http);
  print('insert_vs_bare', rates.http / rates.bare);
  print('keyed_inserts_per_s', rates.keyed);
  print('keyed_insert_vs_bare', rates.keyed / rates.bare);
}

async function points(print: Print, target: LoadTarget): Promise<void> {
  const calls = Array.from({ length: 1000 }, (_, i) =>
    callBytes(target, { sql: 'SELECT * FROM rows WHERE id = ?', params: [(i * 7919) % rowCount] }),
  );
  const next = (turn: number): Buffer => calls[turn % calls.length]!;
  await load(target, { callers: 200, count: 5000, next });
  const { each } = await load(target, { callers: 200, count: 20_000, next });
  const sorted = each.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  print('point_p50_ms', at(0.5));
  print('point_p99_ms', at(0.99));
  print('point_p99_vs_p50', at(0.99) / at(0.5));
}

interface Load {
  readonly callers: number;
  readonly count: number;
  readonly next: (turn: number) => Buffer;
}

/** Makes calls by several callers, each of which waits for its answer, and measures all of them and each. */
async function load(target: LoadTarget, { callers, count, next }: Load): Promise<{ whole: number; each: number[] }> {
  const open = await Promise.all(Array.from({ length: callers }, () => Caller.open(target.baseUrl)));
  const each: number[] = [];
  let turn = 0;
  const whole = await millisecondsOf(() =>
    Promise.all(
      open.map(async caller => {
        while (turn < count) {
          const bytes = next(turn++);
          const started = performance.now();
          const status = await caller.call(bytes);
          if (status !== 200) throw new Error(`A call came to ${status}.`);
          each.push(performance.now() - started);
        }
      }),
    ),
  );
  for (const caller of open) await caller[Symbol.asyncDispose]();
  return { whole, each };
}

/** Fifty readers each read a million rows slowly from a new service. */
async function slowReaders(print: Print): Promise<void> {
  await using service = await ServiceProcess.start('built');
  const target = await targetOf(service);
  await run(target, create);
  await run(target, fill);
  const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(target.baseUrl)));
  const call = callBytes(target, { sql: readAll });
  let maxMegabytes = 0;
  let bytes = 0;
  const slowly = async (socket: (typeof sockets)[number]): Promise<void> => {
    socket.write(call);
    // Ten seconds are enough to fill all buffers, and shorter than the statement timeout.
    for (let piece = 0; piece < 200; piece++) {
      const chunk = socket.read() as Buffer | null;
      bytes += chunk?.length ?? 0;
      maxMegabytes = Math.max(maxMegabytes, memoryOf(service.pid).whole);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    socket.destroy();
  };
  await Promise.all(sockets.map(slowly));
  if (bytes === 0) throw new Error('The slow readers got nothing.');
  print('slow_readers_read_mb', bytes / 1e6);
  print('slow_readers_rss_mb', maxMegabytes);
}

async function idleProjects(print: Print): Promise<void> {
  const child = fork(new URL('../support/idleProjects.ts', import.meta.url), ['200']);
  const [found] = (await once(child, 'message')) as [Record<'warm' | 'idle', Holding>];
  await once(child, 'exit');
  for (const [state, { processes, memory, files }] of Object.entries(found)) {
    print(`projects_200_${state}_processes`, processes);
    print(`projects_200_${state}_mb`, memory);
    print(`projects_200_${state}_files`, files);
  }
}
