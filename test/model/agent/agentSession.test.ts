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

test('a project that the user hides is gone at once, also for its cursors and proposals', async () => {
  await using agent = new TestAgent(service, {
    project: { isWritingEnabled: true },
    openEditor: async () => undefined,
  });
  const { cursor } = await agent.call('sql_query', { sql: 'SELECT id FROM customers ORDER BY id', rows: 2 });
  const write = { sql: 'UPDATE customers SET note = NULL WHERE id = 1' };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  const commit = { step: 'commit', ...write, token };
  agent.isProjectHidden = true;
  assert.deepEqual((await agent.call('sql_projects'))['projects'], []);
  for (const [tool, input] of [
    ['sql_schema', { tables: ['customers'] }],
    ['sql_query', { sql: 'SELECT nme FROM customers' }],
    ['sql_query', { cursor }],
    ['sql_explain', { sql: 'SELECT 1' }],
    ['sql_open', { sql: 'SELECT 1' }],
    ['sql_write', commit],
  ] as const) {
    const answer = await agent.text(tool, { ...input, project: 'shop' });
    assert.equal(answer, await agent.text(tool, { ...input, project: 'never was' }));
    assert.match(answer, tool === 'sql_write' ? /unknown_tool/ : /there are none/);
  }
  assert.equal(await agent.session.proposedWrite(commit), undefined);
});

test('a project that is hidden during a call gets no write, and its answer is lost', async () => {
  const hide = async (): Promise<true> => Promise.resolve((agent.isProjectHidden = true));
  await using agent = new TestAgent(service, {
    project: { isWritingEnabled: true, protection: 'confirmWrites' },
    confirmWrite: hide,
    openEditor: async () => void (await hide()),
  });
  const write = { sql: "UPDATE customers SET note = 'hidden' WHERE id = 1" };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  assert.equal((await agent.call('sql_write', { step: 'commit', ...write, token })).code, 'unknown_project');
  agent.isProjectHidden = false;
  const { rows } = await agent.call('sql_query', { sql: "SELECT count(*) FROM customers WHERE note = 'hidden'" });
  assert.deepEqual(rows, [[0]]);
  assert.equal((await agent.call('sql_open', { sql: 'SELECT 1' })).code, 'unknown_project');
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
