import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../../../src/base/logger.ts';
import { Client, type ClientOptions } from '../../../src/client/index.ts';
import { logCalls } from '../../../src/host/log/callLog.ts';
import { rejection, reply, reset, startScriptedServer, testClient } from '../../support/scriptedServer.ts';

type Line = readonly [level: keyof Logger, text: string];

/** A log of the lines, without the times and the random IDs in them. */
function recorder({ showsStatements = true, name = (): string => 'Shop' } = {}) {
  const lines: Line[] = [];
  const at = (level: keyof Logger) => (text: string) => void lines.push([level, text]);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const listeners = logCalls({ log, name, showsStatements: () => showsStatements });
  const shown = (): Line[] =>
    lines
      .filter(([level]) => level !== 'debug')
      .map(([level, text]) => [level, text.replace(/[\d.]+ (?:ms|sec)(?= |$)/, 'T').replace(/\b[\da-f]{12}\b/, 'ID')]);
  return { lines, listeners, shown };
}

const key = 'canary-key-0123456789';

test('a statement is one line: project, first words, status, rows, time and request ID', async () => {
  await using server = await startScriptedServer(reply({ rows: [{ a: 1 }, { a: 2 }], ok: true }));
  const { lines, listeners, shown } = recorder();
  await using client = new Client({ baseUrl: server.url, apiKey: key, ...listeners });
  await client.execSql('p1', { sql: 'SELECT a -- not this\n  FROM t WHERE a > 17', params: ['Ada'] });
  assert.deepEqual(shown(), [['info', 'Shop · SELECT a FROM t WHERE a > ? · 200 · 2 rows · T · ID']]);
  const sent = server.requests[0]?.headers['x-correlation-id'];
  assert.ok(typeof sent === 'string' && lines.at(-1)?.[1].endsWith(sent), 'the ID is that of the request');
});

test('no name, table or ID forges a field or a line', async () => {
  const answer = reply({ rows: [], table: 't' }, 200, { 'x-request-id': 'r·2' });
  await using server = await startScriptedServer(answer);
  const { lines, listeners, shown } = recorder({ name: () => 'Shop · 200\n\u202eBank · 3 rows' });
  await using client = new Client({ baseUrl: server.url, ...listeners });
  await client.browseRows('p1', 't · 500 \u001b[2J');
  const dot = String.raw`\u00b7`;
  const name = `Shop ${dot} 200 Bank ${dot} 3 rows`;
  assert.match(shown()[0]?.[1] ?? '', /^[^·]+ · t \\u00b7 500 \[2J, from row 1 · 200 · 0 rows · [^·]+ · [^·]+$/);
  for (const [, line] of lines) {
    assert.ok(line.startsWith(`${name} · `), line);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
  }
});

test('the ID that the service gives takes the place of ours', async () => {
  await using server = await startScriptedServer(reply({ ok: true, row_count: 1 }, 200, { 'x-request-id': 'r-1' }));
  const { listeners, shown } = recorder();
  await using client = new Client({ baseUrl: server.url, ...listeners });
  await client.execSql('p1', { sql: 'DELETE FROM t' });
  assert.deepEqual(shown(), [['info', 'Shop · DELETE FROM t · 200 · 1 row changed · T · r-1']]);
});

test('a stream is one line at its end, also when it is closed early', async () => {
  const answer = reply({ rows: [{ a: 1 }, { a: 2 }], ok: true });
  await using server = await startScriptedServer(answer, answer);
  const { listeners, shown } = recorder();
  await using client = new Client({ baseUrl: server.url, ...listeners });
  const whole = await client.execSqlStream('p1', { sql: 'SELECT a FROM t' });
  assert.deepEqual(shown(), []);
  for await (const _ of whole.rawBatches());
  const closed = await client.execSqlStream('p1', { sql: 'SELECT a FROM t' });
  await closed.close();
  assert.deepEqual(shown(), [
    ['info', 'Shop · SELECT a FROM t · 200 · 2 rows · T · ID'],
    ['info', 'Shop · SELECT a FROM t · cancelled · 0 rows · T · ID'],
  ]);
});

test('a browsed page and the columns of a table are named by the table', async () => {
  await using server = await startScriptedServer(
    reply({ rows: [{ a: 1 }] }),
    reply({ table: 'my table', columns: [] }),
    reply({ tables: [] }),
  );
  const { listeners, shown } = recorder();
  await using client = new Client({ baseUrl: server.url, ...listeners });
  await client.browseRows('p1', 'my table', { limit: 500, offset: 1500 });
  await client.tableSchema('p1', 'my table').catch(() => undefined);
  await client.listTables('p1');
  assert.deepEqual(
    shown().map(([, text]) => text.replace(/200.*/, '200')),
    [
      'Shop · my table, from row 1,501 · 200',
      'Shop · my table, columns · 200',
      'Shop · GET /serviceSql/projects/p1/tables · 200',
    ],
  );
});

test('a refusal is one warning with its code and its reason, after all attempts', async () => {
  const refusal = reply({ code: 'sql_error', message: 'no such column: "Ada"; near "FORM" at \'17\'', ok: false }, 400);
  await using server = await startScriptedServer(reply({}, 503), reset, refusal);
  const { listeners, shown } = recorder();
  await using client = testClient(server, listeners);
  await rejection(client.execSql('p1', { sql: 'SELECT a FORM t WHERE b = "Ada" AND c = 17' }));
  const label = 'SELECT a FORM t WHERE b = ? AND c = ?';
  const reason = 'no such column: ?; near "FORM" at ?';
  assert.deepEqual(shown(), [['warn', `Shop · ${label} · 400 sql_error · 3 attempts · T · ID · ${reason}`]]);
});

test('a call without an answer is one warning', async () => {
  const { listeners, shown } = recorder();
  await using client = new Client({ baseUrl: 'http://127.0.0.1:9', retries: 0, ...listeners });
  await rejection(client.listTables('p1'));
  const path = 'GET /serviceSql/projects/p1/tables';
  assert.deepEqual(shown(), [
    [
      'warn',
      `Shop · ${path} · connect_failed · T · ID · The service at http://127.0.0.1:9 cannot be reached: nothing accepts connections there.`,
    ],
  ]);
});

test('without the setting, no word of a statement is logged', async () => {
  const refusal = reply({ code: 'sql_error', message: 'near "FORM": syntax error', ok: false }, 400);
  await using server = await startScriptedServer(refusal);
  const { lines, listeners, shown } = recorder({ showsStatements: false });
  await using client = testClient(server, listeners);
  await rejection(client.execSql('p1', { sql: 'SELECT a FORM t' }));
  assert.deepEqual(shown(), [['warn', 'Shop · statement · 400 sql_error · T · ID · near ?: syntax error']]);
  assert.doesNotMatch(lines.join('\n'), /FORM|SELECT/);
});

test('a line has the name of the project at that time', async () => {
  await using server = await startScriptedServer(reply({ tables: [] }), reply({ tables: [] }));
  let name = 'Shop';
  const { listeners, shown } = recorder({ name: () => name });
  await using client = new Client({ baseUrl: server.url, ...listeners });
  await client.listTables('p1');
  name = 'New Shop';
  await client.listTables('p1');
  assert.deepEqual(
    shown().map(([, text]) => text.split(' · ')[0]),
    ['Shop', 'New Shop'],
  );
});

test('no line of any level has a key, a parameter or a value of a statement', async () => {
  const echo = { 'x-echo': key, 'x-request-id': key };
  const failed = reply({ code: 'sql_error', message: `about ${key}`, ok: false }, 400, echo);
  await using server = await startScriptedServer(reply({ rows: [{ echo: key }], ok: true }, 200, echo), failed);
  const { lines, listeners } = recorder();
  const options: ClientOptions = { baseUrl: server.url, apiKey: key, ...listeners };
  await using client = new Client(options);
  const sql = `/* top */ SELECT "${key}", 'secret', x'5ec2e7', 4711 FROM "named" WHERE a = "quoted" AND b = ?`;
  await client.execSql('p1', { sql, params: ['bound'] });
  await rejection(client.execSql('p1', { sql, params: ['bound'] }));
  const all = lines.map(([, text]) => text).join('\n');
  assert.match(all, /"x-api-key":"\[redacted\]"/);
  assert.match(all, /FROM "named" WHERE a = \? AND b = \?/);
  for (const hidden of [key, 'top', 'secret', '5ec2e7', '4711', 'quoted', 'bound']) {
    assert.ok(!all.includes(hidden), hidden);
  }
});
