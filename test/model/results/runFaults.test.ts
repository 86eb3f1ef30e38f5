import assert from 'node:assert/strict';
import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { monotonicClock, systemClock } from '../../../src/base/clock.ts';
import { Client, type ClientOptions } from '../../../src/client/index.ts';
import { StatementRun, type StatementRunParts } from '../../../src/model/results/statementRun.ts';
import { openSavedSpool } from '../../../src/model/results/spool/savedSpool.ts';
import { WriteKey } from '../../../src/model/results/writeKey.ts';
import { becomes } from '../../support/becomes.ts';
import { HandClock } from '../../support/handClock.ts';
import {
  type Answer,
  openStream,
  type ReceivedRequest,
  reply,
  reset,
  type ScriptedServer,
  stall,
  startScriptedServer,
} from '../../support/scriptedServer.ts';
import { notAborted, textOfPieces } from '../../support/queriedRows.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { openTestService } from '../../support/testService.ts';

const folder = temporaryFolder();
const thread = startRowsThread();
after(() => thread.dispose());

interface Started extends AsyncDisposable {
  readonly run: StatementRun;
  readonly ended: Promise<void>;
}

/** A run that is under way, with a client that does not retry unless `retries` is set. */
function start(
  { url: baseUrl }: Pick<ScriptedServer, 'url'>,
  { writeKey, maxRows = Infinity, ...options }: { writeKey?: WriteKey; maxRows?: number } & Partial<ClientOptions> = {},
): Started {
  const client = new Client({ baseUrl, retries: 0, ...options });
  const run = new StatementRun({
    send: sendOptions => client.execSqlStream('p', { sql: 'UPDATE t SET a = 1' }, sendOptions),
    folder,
    clock: monotonicClock,
    thread,
    limits: { maxRows, maxBytes: Infinity },
    writeKey,
  });
  const ended = run.start();
  const dispose = async (): Promise<void> => {
    await run.dispose();
    await client.close();
  };
  return { run, ended, [Symbol.asyncDispose]: dispose };
}

const codeOf = (run: StatementRun): unknown => (run.error as { code?: unknown } | undefined)?.code;

const begin =
  (text: string): Answer =>
  response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text);
  };

const midStream: readonly [what: string, answer: Answer, code: string, bodyTimeout?: number][] = [
  ['is cut off', reply('{"rows":[{"a":1},{"a":2},{"a'), 'incomplete_answer'],
  ['turns into garbage', reply('{"rows":[{"a":1},{"a":2},\u0000\u0001]'), 'row_not_object'],
  ['ends with a refusal', reply('{"rows":[{"a":1},{"a":2}],"ok":false,"error":"Gone.","code":"busy"}'), 'busy'],
  ['falls silent', begin('{"rows":[{"a":1},{"a":2}'), 'body_timeout', 100],
  ['nests too deep', reply(`{"rows":[{"a":1},{"a":2},{"a":${'['.repeat(200)}`), 'answer_too_deep'],
  ['continues with blanks', reply(`{"rows":[{"a":1},{"a":2}${' '.repeat(100_000)}`), 'too_many_blanks'],
  ['has a row beyond the limit', reply(`{"rows":[{"a":1},{"a":2},{"a":"${'x'.repeat(5000)}"}]}`), 'row_too_large'],
];

for (const [what, answer, code, bodyTimeout = 0] of midStream) {
  test(`a run whose answer ${what} fails and keeps the rows before`, async () => {
    await using server = await startScriptedServer(answer);
    await using started = start(server, { bodyTimeout, maxRowBytes: 1000 });
    await started.ended;
    assert.deepEqual([started.run.state, codeOf(started.run)], ['failed', code]);
    assert.deepEqual(await started.run.rows(0, 10), [
      [{ kind: 'integer', text: '1' }],
      [{ kind: 'integer', text: '2' }],
    ]);
  });
}

test('a cell of 64 MB can be read', async () => {
  const long = 'x'.repeat(64 * 1024 * 1024 - 100);
  await using server = await startScriptedServer(reply(`{"rows":[{"a":"${long}"},{"a":"y"}],"ok":true}`));
  await using started = start(server);
  await started.ended;
  const [first, second] = await started.run.rows(0, 2);
  assert.deepEqual([started.run.state, first?.[0]?.length], ['done', long.length]);
  assert.deepEqual(second, [{ kind: 'text', text: 'y' }]);
});

test('rows that fitted on a full disk can be sorted, summarized, copied and saved', async context => {
  const rows = Array.from({ length: 50_000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(90)}"}`);
  await using server = await startScriptedServer(reply(`{"rows":[${rows.join(',')}],"ok":true}`));
  const some = await open(join(folder, 'some'), 'w');
  const files = Object.getPrototypeOf(some) as FileHandle;
  await some.close();
  const writev = Reflect.get(files, 'writev') as (this: FileHandle, ...all: unknown[]) => unknown;
  context.mock.method(files, 'writev', function (this: FileHandle, pieces: Uint8Array[], at: number) {
    const full = Object.assign(new Error('No space is left.'), { code: 'ENOSPC' });
    return at > 2_000_000 ? Promise.reject(full) : writev.call(this, pieces, at);
  });
  await using started = start(server);
  await started.ended;
  const { run } = started;
  assert.deepEqual([run.state, codeOf(run)], ['failed', 'no_room_for_rows']);
  assert.ok(run.rowCount > 10_000 && run.rowCount < 50_000, `${run.rowCount} rows`);
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual((await run.rows(0, 1))[0]?.[0], { kind: 'integer', text: String(run.rowCount - 1) });
  const ranges = [{ firstRow: 0, endRow: run.rowCount, columns: [0] }];
  const { cells } = await run.queries.summarize(ranges, notAborted);
  assert.equal(cells, run.rowCount);
  const pieces = run.queries.text(
    { format: 'tsv', headers: false, guardFormulas: false, table: 't', ranges },
    notAborted,
  );
  assert.equal((await textOfPieces(pieces)).split('\n').filter(Boolean).length, run.rowCount);
  await run.storage.save(join(folder, 'saved'));
  const { spool } = await openSavedSpool(join(folder, 'saved'));
  assert.equal(spool.rowCount, run.rowCount);
  await spool.delete();
});

const limited = reply({ message: 'Slow down.' }, 429, { 'retry-after': '20' });

test('a wait that the service requests has a remaining time and can be cancelled', async () => {
  await using server = await startScriptedServer(limited);
  await using started = start(server, { retries: 1 });
  const { run } = started;
  const { promise, resolve } = Promise.withResolvers<number>();
  run.onChange(() => run.controls.wait?.remainingMs !== undefined && resolve(run.controls.wait?.remainingMs));
  const left = await promise;
  assert.ok(left > 15_000 && left <= 20_000, String(left));
  assert.equal(run.state, 'running');
  run.controls.wait?.cancel();
  await started.ended;
  assert.deepEqual([run.state, codeOf(run), run.controls.wait?.remainingMs], ['failed', 'rate_limited', undefined]);
  assert.equal(server.requests.length, 1);
});

test('a write that is cancelled before it is sent has no open outcome', async () => {
  await using server = await startScriptedServer(stall);
  await using started = start(server, { writeKey: new WriteKey(systemClock) });
  started.run.cancel();
  await started.ended;
  assert.deepEqual([started.run.state, started.run.writeOutcome, server.requests.length], ['cancelled', undefined, 0]);
});

test('a write that is cancelled while it is under way has an unknown outcome', async () => {
  await using server = await startScriptedServer(stall);
  await using started = start(server, { writeKey: new WriteKey(systemClock) });
  await received(server, 1);
  assert.ok(started.run.isWriting);
  started.run.cancel();
  await started.ended;
  assert.deepEqual(
    [started.run.state, started.run.writeOutcome, started.run.isWriting],
    ['cancelled', 'unknown', false],
  );
});

const outcomes: readonly [what: string, isWrite: boolean, answers: Answer[], isUnknown: boolean][] = [
  ['a lost connection', true, [reset], true],
  ['a lost connection of a read', false, [reset], false],
  ['a refusal', true, [reply({ ok: false, code: 'sql_error' }, 400)], false],
  ['a cancelled wait', true, [limited], false],
  ['a fault of the service', true, [reply('Bad gateway', 502)], true],
  ['a statement that took too long', true, [reply({ code: 'statement_timeout' }, 504)], false],
  ['an answer that cannot be read', true, [reply('{"row_count":')], true],
  ['a refusal after an attempt that was lost', true, [reset, reply({ ok: false, code: 'sql_error' }, 400)], true],
  ['rows and their end', true, [reply({ rows: [{ a: 1 }], ok: true })], false],
];

for (const [what, isWrite, answers, isUnknown] of outcomes) {
  test(`${what} ${isUnknown ? 'leaves the outcome unknown' : 'leaves no outcome unknown'}`, async () => {
    await using server = await startScriptedServer(...answers);
    await using started = start(server, {
      retries: answers.length - 1,
      backoff: { first: 0 },
      ...(isWrite && { writeKey: new WriteKey(systemClock) }),
    });
    await started.ended;
    assert.equal(started.run.writeOutcome, isUnknown ? 'unknown' : undefined);
  });
}

test('sending a write with a lost answer again replays the answer, and the write is done once', async () => {
  await using service = await openTestService();
  const { client, projectId, baseUrl } = service;
  await client.execSql(projectId, { sql: 'CREATE TABLE counted (n INTEGER)' });
  const pass = async (response: ServerResponse, { path, headers, body }: ReceivedRequest): Promise<void> => {
    const names = ['x-api-key', 'content-type', 'x-idempotency-key'];
    const sent = new Headers(names.map((name): [string, string] => [name, String(headers[name])]));
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', body, headers: sent });
    const text = await answer.text();
    if (between.requests.length === 1) response.socket?.resetAndDestroy();
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  };
  await using between = await startScriptedServer((response, request) => void pass(response, request));
  await using lossy = new Client({ baseUrl: between.url, apiKey: service.apiKey, retries: 0 });
  const request: StatementRunParts = {
    send: options => lossy.execSqlStream(projectId, { sql: 'INSERT INTO counted VALUES (1)' }, options),
    folder,
    thread,
    limits: { maxRows: 1, maxBytes: 1 },
    clock: monotonicClock,
    writeKey: new WriteKey(systemClock),
  };
  const first = new StatementRun(request);
  await first.start();
  assert.equal(first.writeOutcome, 'unknown');
  const check = new StatementRun(request);
  await check.start();
  assert.deepEqual([check.state, check.changedRows, check.writeOutcome], ['done', 1, 'replayed']);
  const { rows } = await client.execSql(projectId, { sql: 'SELECT count(*) AS n FROM counted' });
  assert.deepEqual(rows, [{ n: 1 }]);
  await Promise.all([first.dispose(), check.dispose()]);
});

const hours = 60 * 60 * 1000;

test('a write with an unknown outcome is sent again only while the service certainly remembers it', async () => {
  await using server = await startScriptedServer(reset);
  const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
  const writeKey = new WriteKey(clock);
  await using lost = start(server, { writeKey });
  await lost.ended;
  clock.advance(22 * hours);
  await using repeated = start(server, { writeKey });
  await repeated.ended;
  assert.deepEqual(
    [lost.run.writeOutcome, repeated.run.writeOutcome, server.requests.length],
    ['unknown', 'unknown', 2],
  );
  clock.advance(hours + 1);
  await using late = start(server, { writeKey });
  await late.ended;
  assert.deepEqual([codeOf(late.run), late.run.writeOutcome], ['outcome_expired', 'expired']);
  assert.deepEqual([lost.run.writeOutcome, server.requests.length], ['expired', 2]);
});

test('a write is not retried after a wait in which the service may have forgotten it', async () => {
  await using server = await startScriptedServer(limited);
  const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
  await using started = start(server, { writeKey: new WriteKey(clock), clock, retries: 1 });
  const { run, ended } = started;
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  run.onChange(() => run.controls.wait?.remainingMs !== undefined && resolve());
  await waits;
  clock.advance(24 * hours);
  await ended;
  assert.deepEqual([run.state, run.writeOutcome, server.requests.length], ['cancelled', undefined, 1]);
});

test('the outcome of a write stays unknown when sending it again fails', async () => {
  await using server = await startScriptedServer(reset, limited);
  const writeKey = new WriteKey(systemClock);
  await using lost = start(server, { writeKey });
  await lost.ended;
  await using repeated = start(server, { writeKey });
  await repeated.ended;
  assert.deepEqual([codeOf(repeated.run), repeated.run.writeOutcome], ['rate_limited', 'unknown']);
});

test('the timeout of the body does not count while a run is paused', async () => {
  const { promise: held, resolve } = Promise.withResolvers<ServerResponse>();
  await using server = await startScriptedServer((response, request) => {
    openStream(response, request);
    resolve(response);
  }, openStream);
  const bodyTimeout = 100;
  await using paused = start(server, { maxRows: 1, bodyTimeout });
  await becomes(paused.run, 'paused');
  // Another answer that never ends shows when that time is over.
  await using silent = start(server, { bodyTimeout });
  await silent.ended;
  assert.equal(codeOf(silent.run), 'body_timeout');
  (await held).end(',{"a":3}],"ok":true}');
  paused.run.controls.pause?.resume();
  await becomes(paused.run, 'running');
  while (paused.run.state !== 'done' && paused.run.state !== 'failed') {
    paused.run.controls.pause?.resume();
    await new Promise(setImmediate);
  }
  assert.deepEqual([paused.run.state, paused.run.rowCount], ['done', 3]);
});

async function received(server: ScriptedServer, count: number): Promise<void> {
  while (server.requests.length < count) await new Promise(setImmediate);
}
