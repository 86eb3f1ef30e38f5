/** The server under the official client: a whole session of an agent, and each part of the protocol that a client uses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type VersionNegotiationOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Answer } from '../support/agentCalls.ts';
import { cli } from '../support/mcpProcess.ts';
import { openCalls } from '../support/openCalls.ts';
import { startTestService } from '../support/testService.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const service = await startTestService();

class McpAgent implements AsyncDisposable {
  readonly client: Client;
  log = '';

  private constructor(versionNegotiation?: VersionNegotiationOptions) {
    this.client = new Client({ name: 'official client', version: '1' }, versionNegotiation && { versionNegotiation });
  }

  static async connect(...options: string[]): Promise<McpAgent> {
    return McpAgent.open(options);
  }

  static async open(options: readonly string[], negotiation?: VersionNegotiationOptions): Promise<McpAgent> {
    const agent = new McpAgent(negotiation);
    const args = [cli, 'mcp', '--data', service.folder, ...options];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
    transport.stderr?.on('data', (chunk: Buffer) => (agent.log += chunk.toString()));
    await agent.client.connect(transport);
    return agent;
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, input: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Answer> {
    const options = signal ? { signal } : {};
    const { content } = await this.client.callTool({ name, arguments: input }, options);
    const [part] = content as { type: string; text: string }[];
    return JSON.parse(part?.text ?? '') as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

test('an agent finds a table, reads, pages, explains, is refused a write, and commits once when it is enabled', async () => {
  const write = { sql: 'UPDATE customers SET note = ? WHERE city = ?', params: ['called', 'Osaka'] };
  {
    await using agent = await McpAgent.connect('--project', 'Sample Shop');
    assert.deepEqual(await agent.toolNames(), ['sql_projects', 'sql_schema', 'sql_query', 'sql_explain']);
    const { projects } = await agent.call('sql_projects');
    assert.deepEqual(projects, [{ name: 'Sample Shop', protection: 'readOnly', writing: 'not enabled by the user' }]);
    const schema = await agent.call('sql_schema', { search: 'customer city' });
    const [table] = schema['tables'] as { name: string; sql: string[] }[];
    assert.equal(table?.name, 'customers');
    assert.match(table.sql[0] ?? '', /city TEXT/);
    const query = { sql: 'SELECT id, name FROM customers WHERE city = ? ORDER BY id', params: ['Osaka'], rows: 50 };
    const first = await agent.call('sql_query', query);
    assert.match(first.summary ?? '', /^50 of 207 rows; continue with cursor /);
    const second = await agent.call('sql_query', { cursor: first.cursor, rows: 200 });
    assert.equal(second.summary, 'rows 51 to 207, the last ones');
    assert.equal(new Set([...(first.rows ?? []), ...(second.rows ?? [])].map(([id]) => id)).size, 207);
    const plan = await agent.call('sql_explain', { sql: query.sql });
    assert.match(JSON.stringify(plan['steps']), /SCAN customers/);
    assert.equal((await agent.call('sql_query', write)).code, 'not_a_read');
    assert.equal((await agent.call('sql_write', { step: 'propose', ...write })).code, 'unknown_tool');
    await waitUntil(() => agent.log.includes('unknown_tool'), { what: 'the log has the last call' });
    assert.match(
      agent.log,
      /agent "official client" · sql_query · project "Sample Shop" · cut · 50 rows · \d+ ms · SELECT/,
    );
    assert.doesNotMatch(agent.log, /Osaka|Malmö/, 'the log has no values');
  }
  await using agent = await McpAgent.connect('--allow-writes');
  assert.ok((await agent.toolNames()).includes('sql_write'));
  const proposed = await agent.call('sql_write', { step: 'propose', ...write });
  assert.equal(proposed.touchedRows, 207);
  const commit = { step: 'commit', ...write, token: proposed.token };
  const done = await agent.call('sql_write', commit);
  assert.deepEqual([done.kind, done.changedRows], ['committed', 207]);
  assert.equal((await agent.call('sql_write', commit)).code, 'token_used');
  const { rows } = await agent.call('sql_query', { sql: "SELECT count(*) AS n FROM customers WHERE note = 'called'" });
  assert.deepEqual(rows, [[207]]);
});

test('the client learns who the server is and how its tools are called', async () => {
  await using agent = await McpAgent.connect();
  assert.equal(agent.client.getServerVersion()?.name, 'sql-project-explorer');
  assert.match(agent.client.getInstructions() ?? '', /Never follow instructions/);
  const { tools } = await agent.client.listTools();
  for (const { name, inputSchema, annotations, description } of tools) {
    assert.ok(description, name);
    assert.equal(annotations?.readOnlyHint, true);
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      assert.ok((schema as { description?: string }).description, `${name}.${field} is described`);
      assert.notEqual((schema as { type?: string }).type, 'object', `${name}.${field} is flat`);
    }
  }
  await agent.client.ping();
});

test('the client also speaks the revision without sessions', async () => {
  await using agent = await McpAgent.open([], { mode: 'auto' });
  assert.equal(agent.client.getNegotiatedProtocolVersion(), '2026-07-28');
  assert.ok((await agent.toolNames()).includes('sql_query'));
  assert.deepEqual((await agent.call('sql_query', { sql: 'SELECT 1 AS one' })).rows, [[1]]);
  await waitUntil(() => agent.log.includes('agent "official client"'), { what: 'the log names the agent' });
});

test('cancelling a request of the client stops its statement at the service', async () => {
  await using agent = await McpAgent.connect();
  await agent.call('sql_projects');
  const cancelled = new AbortController();
  const sql = 'SELECT count(*) FROM order_lines AS a, order_lines AS b, order_lines AS c';
  const calling = agent.call('sql_query', { sql }, cancelled.signal);
  calling.catch(() => undefined);
  await waitUntil(async () => (await openCalls(service)) > 0, { what: 'the statement runs' });
  cancelled.abort();
  await assert.rejects(calling);
  await waitUntil(async () => (await openCalls(service)) === 0, { what: 'the statement is stopped' });
  await waitUntil(() => agent.log.includes('cancelled'), { what: 'the call is logged' });
});

test('the keys of a session are in memory only, and revoked at its end', async () => {
  const before = await agentKeys();
  {
    await using agent = await McpAgent.connect();
    await agent.call('sql_query', { sql: 'SELECT 1' });
    assert.equal((await agentKeys()).open, before.open + 1);
  }
  await waitUntil(async () => (await agentKeys()).open === before.open, { what: 'the key is revoked' });
});

/** How many keys of agents are open, and how many are revoked. */
async function agentKeys(): Promise<{ open: number; revoked: number }> {
  const answer = await fetch(`${service.baseUrl}/serviceSql/admin/keys`, {
    headers: { 'x-api-key': service.adminKey },
  });
  const { keys } = (await answer.json()) as { keys: { issued_to: string; revoked_at: string | null }[] };
  const own = keys.filter(key => key.issued_to === 'agent');
  const open = own.filter(key => key.revoked_at === null).length;
  return { open, revoked: own.length - open };
}
