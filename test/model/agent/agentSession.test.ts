import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callLine } from '../../../src/model/agent/callLog.ts';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();

test('each call is logged with its agent, statement, rows and outcome, without rows, values and keys', async () => {
  await using agent = new TestAgent(service);
  await agent.call('sql_query', {
    sql: "SELECT name FROM customers WHERE city = 'Osaka' AND id < ?",
    params: [50],
    rows: 2,
  });
  await agent.call('sql_query', { sql: 'DELETE FROM customers' });
  await agent.call('sql_query', { sql: "SELECT '\u001b[2J\u202e' AS x" });
  await agent.call('sql_query', { sql: 'SELECT missing' });
  assert.deepEqual(
    agent.log.map(({ sql, rows, outcome, code }) => [sql, rows, outcome, code]),
    [
      ['SELECT name FROM customers WHERE city = ? AND id < ?', 2, 'cut', undefined],
      ['DELETE FROM customers', undefined, 'refused', 'not_a_read'],
      ['SELECT ? AS x', 1, 'done', undefined],
      ['SELECT missing', undefined, 'refused', 'refused_by_sqlite'],
    ],
  );
  for (const { agent: name, tool, project, milliseconds } of agent.log) {
    assert.deepEqual([name, tool, project, milliseconds >= 0], ['tester', 'sql_query', 'shop', true]);
  }
  assert.ok(!JSON.stringify(agent.log).includes(service.apiKey));
});

test('no name of an agent, a tool or a project forges a field or a line of the log', async () => {
  const forged = 'x" · sql_query · project "bank" · done\u2028\n\u202e2026-01-01 · agent "y\\';
  await using agent = new TestAgent(service, { project: { name: forged } });
  const { signal } = new AbortController();
  await agent.session.call(forged, {}, { agent: forged, signal });
  await agent.session.call('sql_explain', { sql: 'SELECT id AS · FROM customers' }, { agent: forged, signal });
  const lines = agent.log.map(callLine);
  const name = String.raw`"x\" \u00b7 sql_query \u00b7 project \"bank\" \u00b7 done 2026-01-01 \u00b7 agent \"y\\"`;
  assert.deepEqual(
    lines.map(line => line.replace(/\d+ ms/, 'T')),
    [
      `agent ${name} · ${name} · refused (unknown_tool) · T`,
      `agent ${name} · sql_explain · project ${name} · done · T · SELECT id AS ${dot} FROM customers`,
    ],
  );
});

const dot = String.raw`\u00b7`;

test('SQL is opened in an editor where there is one, and nothing runs', async () => {
  await using without = new TestAgent(service);
  assert.ok(!(await without.toolNames()).includes('sql_open'));
  const opened: unknown[] = [];
  await using agent = new TestAgent(service, {
    openEditor: async (project, sql, title) => void opened.push([project.name, sql, title]),
  });
  assert.ok((await agent.toolNames()).includes('sql_open'));
  const sql = 'DROP TABLE customers; -- two\nSELECT 1';
  assert.equal((await agent.call('sql_open', { sql, title: 'Clean up' })).kind, 'opened');
  assert.deepEqual(opened, [['shop', sql, 'Clean up']]);
  assert.equal((await agent.call('sql_query', { sql: 'SELECT count(*) AS n FROM customers' })).rows?.[0]?.[0], 2000);
});

test('an unexpected error hides its message', async () => {
  await using agent = new TestAgent(service, { project: { open: () => Promise.reject(new Error('a secret')) } });
  const text = await agent.text('sql_query', { sql: 'SELECT 1' });
  assert.match(text, /internal_error/);
  assert.doesNotMatch(text, /secret/);
});

test('one agent that cancels does not cancel the schema for another call', async () => {
  await using agent = new TestAgent(service);
  const cancelled = new AbortController();
  const first = agent.call('sql_query', { sql: 'SELECT 1 AS a' }, cancelled.signal);
  const second = agent.call('sql_query', { sql: 'SELECT 2 AS b' });
  cancelled.abort();
  assert.equal((await first).code, 'cancelled');
  assert.deepEqual((await second).rows, [[2]]);
});
