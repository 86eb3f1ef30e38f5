import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../../../src/base/logger.ts';
import { Client } from '../../../src/client/index.ts';
import { requestLogger } from '../../../src/host/log/requestLogger.ts';
import { rejection, reply, reset, startScriptedServer, testClient } from '../../support/scriptedServer.ts';

type Line = readonly [level: keyof Logger, text: string];

function recorder(): { lines: Line[]; log: Logger } {
  const lines: Line[] = [];
  const at = (level: keyof Logger) => (text: string) => void lines.push([level, text]);
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

const key = 'canary-key-0123456789';
const sql = 'SELECT secret FROM person WHERE name = ?';

test('requests and answers are logged without key and SQL, headers at the level debug', async () => {
  await using server = await startScriptedServer(reply({ rows: [{ echo: key }], ok: true }, 200, { 'x-echo': key }));
  const { lines, log } = recorder();
  await using client = new Client({ baseUrl: server.url, apiKey: key, logger: requestLogger(log, 'Shop') });
  await client.execSql('p1', { sql, params: ['Ada'] });
  const told = lines.filter(([level]) => level !== 'debug');
  assert.deepEqual(told, [
    ['info', 'Shop: POST /serviceSql/projects/p1/sql'],
    ['info', 'Shop: 200 for POST /serviceSql/projects/p1/sql'],
  ]);
  const all = lines.map(([, text]) => text).join('\n');
  assert.match(all, /"x-api-key":"\[redacted\]"/);
  assert.match(all, /"x-echo":"\[redacted\]"/);
  for (const hidden of [key, 'SELECT', 'Ada']) assert.ok(!all.includes(hidden), hidden);
});

test('a refusal and a missing answer are logged as warnings', async () => {
  await using server = await startScriptedServer(reply({}, 503), reset, reply({ tables: [] }));
  const { lines, log } = recorder();
  await using client = testClient(server, { logger: requestLogger(log, 'Shop') });
  await client.listTables('p1');
  const path = '/serviceSql/projects/p1/tables';
  assert.deepEqual(
    lines.filter(([level]) => level === 'warn').map(([, text]) => text),
    [`Shop: 503 for GET ${path}`, `Shop: failure of GET ${path} (attempt 2): connection_lost`],
  );
});

test('a call without an answer is logged once for each attempt', async () => {
  const { lines, log } = recorder();
  await using client = new Client({ baseUrl: 'http://127.0.0.1:9', retries: 0, logger: requestLogger(log, 'Shop') });
  await rejection(client.listTables('p1'));
  assert.deepEqual(lines.at(-1), ['warn', 'Shop: failure of GET /serviceSql/projects/p1/tables: connect_failed']);
});
