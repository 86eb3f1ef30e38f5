import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();

test('a plan shows whether a statement reads a whole table, and needs no values', async () => {
  await using agent = new TestAgent(service);
  const scan = await agent.call('sql_explain', { sql: 'SELECT * FROM customers WHERE note = ?' });
  assert.equal(scan.summary, '1 of 1 steps; 1 read a whole table or index');
  const search = await agent.call('sql_explain', { sql: 'SELECT * FROM customers WHERE email = ?' });
  assert.match(JSON.stringify(search['steps']), /SEARCH customers USING INDEX/);
  assert.equal((await agent.call('sql_explain', { sql: 'DELETE FROM customers' })).code, 'not_a_read');
});

test('a plan names the rows of its tables and an index that is missing', async () => {
  await using agent = new TestAgent(service);
  const scan = await agent.call('sql_explain', { sql: 'SELECT * FROM customers AS c' });
  assert.deepEqual(scan['steps'], [{ depth: 0, detail: 'SCAN c', rows: '2000 rows' }]);
  assert.equal(scan['missingIndexes'], undefined);
  const join = await agent.call('sql_explain', {
    sql: 'SELECT * FROM customers c JOIN order_lines l ON l.quantity = c.note WHERE c.id < 100',
  });
  assert.deepEqual(join['missingIndexes'], ['order_lines (quantity): SQLite makes this index again for each run']);
});
