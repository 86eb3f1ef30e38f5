import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();
const { client, projectId } = service;

interface SchemaAnswer {
  readonly summary: string;
  readonly notes?: readonly string[];
  readonly tables: readonly { readonly name: string; readonly sql: readonly string[] }[];
  readonly outlines?: readonly string[];
  readonly otherNames?: readonly string[];
}

async function read(agent: TestAgent, input: object): Promise<SchemaAnswer & { readonly length: number }> {
  const text = await agent.text('sql_schema', input);
  return { ...(JSON.parse(text) as SchemaAnswer), length: text.length };
}

test('a search brings the tables that it is about, whole, with indexes and references', async () => {
  await using agent = new TestAgent(service);
  const { tables, outlines } = await read(agent, { search: 'order lines of a product' });
  assert.equal(tables[0]?.name, 'order_lines');
  assert.match(tables[0].sql[0] ?? '', /^CREATE TABLE order_lines/);
  assert.ok(tables[0].sql.some(sql => sql.startsWith('CREATE INDEX order_lines_by_product')));
  const seen = new Set([...tables.map(({ name }) => name), ...(outlines ?? []).map(line => line.replace(/\(.*/, ''))]);
  assert.ok(seen.has('customers'));
  const all = await read(agent, {});
  assert.ok(
    all.outlines?.some(line => line.includes('customer_id INTEGER -> customers')),
    all.outlines?.join('\n'),
  );
  const lines = all.outlines?.find(line => line.startsWith('order_lines('));
  assert.match(lines ?? '', /\), INDEX \(product_id\)(, INDEX .*)?, more than 10000 rows$/);
  assert.equal(all.outlines?.find(line => line.startsWith('customers('))?.endsWith(', 2000 rows'), true);
});

test('a table that was created a moment ago is in the schema', async () => {
  await using agent = new TestAgent(service);
  await read(agent, {});
  await client.execSql(projectId, { sql: 'CREATE TABLE brand_new(a, b)' });
  const { tables } = await read(agent, { tables: ['BRAND_NEW'] });
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['brand_new'],
  );
  assert.deepEqual((await agent.call('sql_query', { sql: 'SELECT count(*) AS n FROM brand_new' })).rows, [[0]]);
});

test('a name that no table has is reported', async () => {
  await using agent = new TestAgent(service);
  const { notes } = await read(agent, { tables: ['nowhere'] });
  assert.match(notes?.[0] ?? '', /no table "nowhere"/);
});

test('an answer of 4000 tokens has the tables of a thousand that are named or fit a search', async () => {
  const { projectId: bigId, apiKey } = await bigProject();
  await using agent = new TestAgent({ ...service, projectId: bigId, apiKey });
  const answer = await read(agent, {
    tables: ['module_17_invoice', 'module_900_account'],
    search: 'shipment of module 512',
  });
  assert.ok(answer.length / 3.5 <= 4000, `${answer.length} characters`);
  const names = answer.tables.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 3), ['module_17_invoice', 'module_900_account', 'module_512_shipment']);
  assert.match(answer.summary, /^1,000 tables/);
  assert.match(answer.notes?.[0] ?? '', /more are not listed/);
  const tiny = await read(agent, { tables: ['module_17_invoice'], tokens: 600 });
  assert.ok(tiny.length / 3.5 <= 600);
  assert.ok([...tiny.tables.map(({ name }) => name), ...(tiny.outlines ?? [])].join().includes('module_17_invoice'));
});

async function bigProject(): Promise<{ projectId: string; apiKey: string }> {
  const { admin } = service;
  const made = await admin.initProject({ holderId: 'tester', projectName: 'big' });
  const issued = await admin.issueKey({ ...made, holderId: 'tester', projectName: 'big', user: 'tester' });
  const named = new Map([
    [17, 'invoice'],
    [512, 'shipment'],
    [900, 'account'],
  ]);
  await using big = new Client({ baseUrl: service.baseUrl, apiKey: issued.apiKey });
  for (let table = 0; table < 1000; table++) {
    const name = `module_${table}_${named.get(table) ?? 'ticket'}`;
    await big.execSql(made.projectId, {
      sql: `CREATE TABLE ${name}(id INTEGER PRIMARY KEY, created_at TEXT NOT NULL, owner_id INTEGER, amount REAL, note TEXT)`,
    });
  }
  return { projectId: made.projectId, apiKey: issued.apiKey };
}
