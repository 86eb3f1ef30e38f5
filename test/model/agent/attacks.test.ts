/** The corpora of attacks through the tools, on a real service: nothing is written, and no masked value is revealed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { TestAgent } from '../../support/agentCalls.ts';
import { canaries, openShop, otherCanaries, shopMasks } from '../../support/agentShop.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService, type TestService } from '../../support/testService.ts';
import { disguisedWrites } from './reads/disguisedWrites.ts';
import { maskEvasions } from './reads/maskEvasions.ts';
import { leakedDatabase, triggerLeaks } from './reads/triggerLeaks.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const service = await startTestService();
const folder = temporaryFolder();

type Shop = Pick<TestService, 'baseUrl' | 'projectId' | 'apiKey'>;

/** A project with the rows of a database, which is closed. */
async function projectOf(projectName: string, database: DatabaseSync): Promise<Shop> {
  const file = join(folder, `${projectName}.sqlite`);
  database.prepare('VACUUM INTO ?').run(file);
  database.close();
  const { baseUrl, adminKey, admin } = service;
  const answer = await fetch(`${baseUrl}/serviceSql/admin/import`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ file, holder_id: 'tester', project_name: projectName }),
  });
  const { projects } = (await answer.json()) as { projects: [{ project_id: string }] };
  const projectId = projects[0].project_id;
  const { apiKey } = await admin.issueKey({ projectId, holderId: 'tester', projectName, user: 'tester' });
  return { baseUrl, projectId, apiKey };
}

const shop = await projectOf('shop', openShop(canaries));
const other = await projectOf('other', openShop(otherCanaries));

/** Everything that a write could change. */
async function stateOf({ baseUrl, projectId, apiKey }: Shop): Promise<unknown> {
  await using client = new Client({ baseUrl, apiKey });
  const state: unknown[] = [];
  for (const table of ['sqlite_schema', 'visits', 'products', 'accounts', 'audit', 'orders', 'pragma_user_version']) {
    state.push((await client.execSql(projectId, { sql: `SELECT * FROM ${table}` })).rows);
  }
  return state;
}

test('no write that is disguised as a read reaches the service', async () => {
  const proxy = await startRefusingProxy(service.baseUrl, () => undefined);
  await using agent = new TestAgent({ ...shop, baseUrl: proxy.baseUrl });
  const before = await stateOf(shop);
  for (const sql of disguisedWrites) {
    for (const tool of ['sql_query', 'sql_explain']) {
      const { kind } = await agent.call(tool, { sql });
      assert.equal(kind, 'error', sql);
    }
  }
  const sent = new Set(proxy.seenRequests.map(({ body }) => body));
  const leaked = disguisedWrites.filter(sql => sent.has(JSON.stringify({ sql, params: [] })));
  assert.deepEqual(leaked, []);
  assert.ok(sent.size < 10, 'only the schema was read');
  assert.deepEqual(await stateOf(shop), before);
});

test('answers to every way around a mask are the same for other masked values', async () => {
  const masks = { project: { masked: [...shopMasks] } };
  await using first = new TestAgent(shop, masks);
  await using second = new TestAgent(other, masks);
  let answered = 0;
  for (const sql of maskEvasions) {
    const [one, two] = await Promise.all([first.text('sql_query', { sql }), second.text('sql_query', { sql })]);
    assert.equal(withoutCursors(two), withoutCursors(one), sql);
    if (one.includes('"kind":"rows"')) answered++;
    const [plan, otherPlan] = await Promise.all([
      first.text('sql_explain', { sql }),
      second.text('sql_explain', { sql }),
    ]);
    assert.equal(otherPlan, plan, sql);
  }
  assert.ok(answered > 90, `${answered} are answered, with masks`);
  for (const table of ['customers', 'accounts', 'orders', 'contacts', 'audit', 'customers_text', 'cities']) {
    const input = { sql: `SELECT * FROM ${table} ORDER BY random() LIMIT 20` };
    const samples = await Promise.all([first.text('sql_query', input), second.text('sql_query', input)]);
    for (const text of samples) assert.doesNotMatch(text, /CANARY|\.example|longer-than/i, table);
  }
});

test('no tool shows what triggers and rowids have copied of masked values', async () => {
  for (const [index, leak] of triggerLeaks.entries()) {
    const one = await projectOf(`leak-${index}`, leakedDatabase(leak, 0));
    const two = await projectOf(`other-leak-${index}`, leakedDatabase(leak, 1));
    const masks = { project: { masked: leak.masks } };
    await using first = new TestAgent(one, masks);
    await using second = new TestAgent(two, masks);
    const calls = [
      ...leak.queries.map(sql => ['sql_query', { sql }] as const),
      ...leak.queries.map(sql => {
        const [, table] = /from (?:main\.)?(\w+)/i.exec(sql)!;
        return ['sql_query', { sql: `SELECT * FROM ${table} ORDER BY 1` }] as const;
      }),
      ['sql_query', { sql: 'SELECT last_insert_rowid()' }] as const,
    ];
    for (const [name, input] of calls) {
      const text = await first.text(name, input);
      assert.equal(await second.text(name, input), text, `${leak.name}: ${JSON.stringify(input)}`);
      assert.doesNotMatch(text, /CANARY|1234567/, `${leak.name}: ${JSON.stringify(input)}`);
    }
  }
});

test('the rowid of an insert is no way to a masked key', async () => {
  await using client = new Client({ baseUrl: shop.baseUrl, apiKey: shop.apiKey });
  await client.execSql(shop.projectId, { sql: "INSERT INTO products (id, name) VALUES (4711, 'lamp')" });
  const sql = 'SELECT last_insert_rowid()';
  await using agent = new TestAgent(shop, { project: { masked: ['products.id'] } });
  const { code, message, rows } = await agent.call('sql_query', { sql });
  assert.deepEqual([code, rows], ['masked', undefined]);
  assert.match(message ?? '', /'products\.id' is masked/);
});

/** Cursors are random. */
const withoutCursors = (text: string): string => text.replaceAll(/[\da-f]{8}-[\da-f]{4}/g, 'cursor');
