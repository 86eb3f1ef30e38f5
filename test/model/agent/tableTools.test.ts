import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();
const { client, projectId } = service;
await client.execSql(projectId, { sql: 'CREATE TABLE "odd ""table"("from" INTEGER, mixed, bytes BLOB)' });
await client.execSql(projectId, {
  sql: `INSERT INTO "odd ""table" VALUES (1, 'x', x'00ff'), (1, NULL, x'00ff'), (9007199254740993, 1e400, NULL), (NULL, '', NULL)`,
});
const table = 'odd "table';

test('a profile counts NULLs and values, and shows the least, the greatest and the most frequent ones', async () => {
  await using agent = new TestAgent(service);
  const { columns, summary } = await agent.call('sql_profile', { table });
  assert.equal(summary, '3 columns, in all 4 rows');
  assert.deepEqual(columns, [
    {
      column: 'from',
      nulls: 1,
      distinct: 2,
      least: 1,
      greatest: { type: 'integer', text: '9007199254740993' },
      top: [
        { value: 1, rows: 2 },
        { value: { type: 'integer', text: '9007199254740993' }, rows: 1 },
      ],
    },
    {
      column: 'mixed',
      nulls: 1,
      distinct: 3,
      least: { type: 'real', text: '1e999' },
      greatest: 'x',
      top: [
        { value: { type: 'real', text: '1e999' }, rows: 1 },
        { value: '', rows: 1 },
        { value: 'x', rows: 1 },
      ],
    },
    {
      column: 'bytes',
      nulls: 2,
      distinct: 1,
      least: { type: 'blob', bytes: 2, hex: '00ff' },
      greatest: { type: 'blob', bytes: 2, hex: '00ff' },
      top: [{ value: { type: 'blob', bytes: 2, hex: '00ff' }, rows: 2 }],
    },
  ]);
  const named = await agent.call('sql_profile', { table, columns: ['FROM'] });
  assert.equal(named.columns?.length, 1);
  assert.equal((await agent.call('sql_profile', { table, columns: ['nothing'] })).code, 'bad_input');
  assert.equal((await agent.call('sql_profile', { table: 'nothing' })).code, 'refused_by_sqlite');
});

test('a profile that does not fit an answer names what is missing', async () => {
  await using agent = new TestAgent(service, { limits: { call: { tokens: 700 } } });
  const { columns = [], notes } = await agent.call('sql_profile', { table: 'customers' });
  assert.ok(columns.length > 0 && columns.length < 8);
  assert.match(notes?.[0] ?? '', new RegExp(`${8 - columns.length} columns are missing`));
});

test('a sample has different rows of a table, and those of a view', async () => {
  await using agent = new TestAgent(service);
  const { rows = [], columns } = await agent.call('sql_sample', { table: 'customers', rows: 20 });
  assert.equal(new Set(rows.map(([id]) => id)).size, 20);
  assert.equal(columns?.length, 8);
  assert.equal((await agent.call('sql_sample', { table: 'order_totals', rows: 2 })).rows?.length, 2);
  const odd = await agent.call('sql_sample', { table });
  assert.deepEqual(
    odd.columns?.map(({ name }) => name),
    ['from', 'mixed', 'bytes'],
  );
  assert.equal(odd.rows?.length, 4);
  assert.equal((await agent.call('sql_sample', { table: 'x"; DROP TABLE customers' })).kind, 'error');
});

test('a plan shows whether a statement reads a whole table, and needs no values', async () => {
  await using agent = new TestAgent(service);
  const scan = await agent.call('sql_explain', { sql: 'SELECT * FROM customers WHERE note = ?' });
  assert.equal(scan.summary, '1 of 1 steps; 1 read a whole table or index');
  const search = await agent.call('sql_explain', { sql: 'SELECT * FROM customers WHERE email = ?' });
  assert.match(JSON.stringify(search['steps']), /SEARCH customers USING INDEX/);
  assert.equal((await agent.call('sql_explain', { sql: 'DELETE FROM customers' })).code, 'not_a_read');
});
