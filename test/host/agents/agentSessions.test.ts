import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentSessions } from '../../../src/host/agents/agentSessions.ts';
import { Client } from '../../../src/client/index.ts';
import { defaultAgentLimits } from '../../../src/model/agent/limits.ts';
import { type Answer, readWasm } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();
const { baseUrl, apiKey, projectId } = service;

test('each chat has its own limits, cursors and proposals, also when VS Code makes a new token for each call', async () => {
  await using client = new Client({ baseUrl, apiKey });
  const sessions = agentSessions({
    limits: { ...defaultAgentLimits, session: { ...defaultAgentLimits.session, rows: 5 } },
    listProjects: () =>
      Promise.resolve([
        {
          id: projectId,
          name: 'shop',
          protection: 'open',
          isWritingEnabled: true,
          masked: [],
          open: () => Promise.resolve(client.project(projectId)),
        },
      ]),
    log: () => undefined,
    readWasm,
  });
  const call = async (chat: string | undefined, name: string, input: object): Promise<Answer> => {
    const token = chat === undefined ? undefined : { sessionResource: new URL(`chat:${chat}`), request: Math.random() };
    const { text } = await sessions
      .for(token)
      .call(name, input, { agent: 'chat', signal: new AbortController().signal });
    return JSON.parse(text) as Answer;
  };
  const query = { sql: 'SELECT id FROM customers ORDER BY id', rows: 3 };
  const { cursor } = await call('one', 'sql_query', query);
  assert.equal((await call('two', 'sql_query', { cursor })).code, 'cursor_expired');
  assert.deepEqual((await call('one', 'sql_query', { cursor })).rows, [[4], [5]]);
  assert.equal((await call('one', 'sql_query', query)).code, 'session_limit');
  for (const other of ['two', undefined]) assert.equal((await call(other, 'sql_query', query)).rows?.length, 3);

  const write = { sql: 'UPDATE customers SET note = NULL WHERE id = ?', params: [1] };
  const { token } = await call('two', 'sql_write', { step: 'propose', ...write });
  const commit = { step: 'commit', ...write, token };
  assert.equal((await call('three', 'sql_write', commit)).code, 'proposal_unknown');
  const proposed = await sessions.proposedWrite(commit);
  assert.deepEqual([proposed?.sql, proposed?.params, proposed?.touchedRows], [write.sql, write.params, 1]);
  for (const other of [
    { step: 'check' },
    { sql: 'DELETE FROM customers', params: [] },
    { params: [2] },
    { token: 'x' },
  ]) {
    assert.equal(await sessions.proposedWrite({ ...commit, ...other }), undefined, JSON.stringify(other));
  }
  assert.equal((await call('two', 'sql_write', commit)).kind, 'committed');
  assert.equal(await sessions.proposedWrite(commit), undefined, 'nobody is asked about what is done');
});
