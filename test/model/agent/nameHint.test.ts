import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();

test('a refusal names the table, column or function that the agent most likely meant', async () => {
  await using agent = new TestAgent(service, { project: { isWritingEnabled: true } });
  const messageOf = async (tool: string, sql: string): Promise<unknown> =>
    (await agent.call(tool, { sql, ...(tool === 'sql_write' && { step: 'propose' }) }))['message'];
  assert.match(String(await messageOf('sql_query', 'SELECT * FROM custmers')), /Did you mean 'customers'\?$/);
  assert.match(
    String(await messageOf('sql_query', 'SELECT c.emial FROM customers AS c')),
    /Did you mean 'c\.email'\?$/,
  );
  assert.match(String(await messageOf('sql_explain', 'SELECT emial FROM customers')), /Did you mean 'email'\?$/);
  assert.match(String(await messageOf('sql_write', 'UPDATE custmers SET note = 1')), /Did you mean 'customers'\?$/);
  assert.doesNotMatch(String(await messageOf('sql_query', 'SELECT zebra FROM customers')), /Did you mean/);
});
